/** The bytes of one file of a directory, with the type that they really have. */
import {
  CONTENT_LIMITS,
  isRequisite,
  type Link,
  readContent,
  sniffType,
} from '../../archive/content/index.ts';
import { parseMediaType } from '../../archive/content/media-type.ts';
import { type HeaderList, headerValue, UNPACK_LIMITS } from '../../archive/index.ts';
import { type CaptureAccess, openCapture } from '../../archive/items/index.ts';
import { spliceLinks, takesAscii } from '../../archive/items/local-links.ts';
import type { Viewer } from '../../core/access.ts';
import type { StoredCapture } from '../../store/index.ts';
import { writeArchiveAddress } from '../archive-address.ts';
import { type DirectoryFile, MAY_EMBED } from './page-directory.ts';

export interface OpenedFile {
  /** For the Content-Type header. */
  readonly mediaType: string;
  readonly bytes: AsyncGenerator<Uint8Array>;
}

/** As it is in the archive, without codings. */
export async function openOriginal(
  access: CaptureAccess,
  capture: StoredCapture,
  viewer: Viewer,
): Promise<OpenedFile> {
  const { record, http } = await openCapture(access, capture, viewer);
  const own = record.header('Content-Type');
  const headers: HeaderList = http?.headers ?? (own === undefined ? [] : [['Content-Type', own]]);
  const stream = record.contentStream();
  try {
    const first = await stream.next();
    const head = first.done === true ? Buffer.alloc(0) : first.value;
    return {
      mediaType: typeOf(head, headers, capture.url),
      bytes: closing(head, stream, () => record.close()),
    };
  } catch (error) {
    await record.close();
    throw error;
  }
}

async function* closing(
  head: Buffer,
  rest: AsyncGenerator<Uint8Array>,
  close: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head;
    yield* rest;
  } finally {
    await close();
  }
}

/** With links to files of the same directory, and to the directories of other pages. */
export async function openWithLinks(
  access: CaptureAccess,
  { capture }: DirectoryFile,
  files: readonly DirectoryFile[],
  viewer: Viewer,
): Promise<OpenedFile> {
  const isLarge = (capture.contentLength ?? 0) > CONTENT_LIMITS.bytes;
  if (isLarge || !MAY_EMBED.test(capture.mediaType ?? '')) return openOriginal(access, capture, viewer);
  const { record, http } = await openCapture(access, capture, viewer);
  try {
    const headers = http?.headers ?? [];
    const { bytes } = await record.content({ ...UNPACK_LIMITS, maxBytes: CONTENT_LIMITS.bytes });
    const { links, charset } = await readContent({ url: capture.url, bytes, headers }, { linksOnly: true });
    const names = new Map(files.map(({ url, name }) => [url, name]));
    const nameOf = (link: Link): string | undefined => {
      if (isRequisite(link)) return names.get(link.url);
      if (link.kind !== 'page' && link.kind !== 'redirect') return undefined;
      return writeArchiveAddress({ source: capture.source, url: link.url, at: capture.at });
    };
    const shown = takesAscii(charset?.encoding) ? spliceLinks(bytes, links, nameOf) : bytes;
    return { mediaType: typeOf(bytes, headers, capture.url), bytes: one(withoutHints(shown)) };
  } finally {
    await record.close();
  }
}

async function* one(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Browsers follow these to other hosts, whatever a content policy says. */
const HINT = /<link\b[^>]*\b(?:preconnect|dns-prefetch)\b[^>]*>/i;

function withoutHints(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  if (!HINT.test(text)) return bytes;
  const quiet = text.replace(new RegExp(HINT, 'gi'), (tag) => ' '.repeat(tag.length));
  return Buffer.from(quiet, 'latin1');
}

const CHARSET = /^[\w.:-]{1,40}$/;

function typeOf(head: Uint8Array, headers: HeaderList, url: string): string {
  const declared = headerValue(headers, 'Content-Type');
  const { type } = sniffType(head, declared, url);
  const charset = parseMediaType(declared)?.parameters.get('charset') ?? '';
  return CHARSET.test(charset) && /^text\/|xml$/.test(type) ? `${type}; charset=${charset}` : type;
}
