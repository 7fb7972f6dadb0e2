/**
 * One URL as a directory: the page, what it needs to be seen, and what is known of both. Links to what is
 * there lead there; the archive itself keeps the bytes as they came.
 */
import { isRequisite, type Link, readContent, sniffType } from '../../archive/content/index.ts';
import { headerValue, surtKey, UNPACK_LIMITS } from '../../archive/index.ts';
import { openCapture } from '../../archive/items/index.ts';
import { spliceLinks, takesAscii } from '../../archive/items/local-links.ts';
import { fileOf, folderOf } from '../../archive/items/safe-name.ts';
import type { Viewer } from '../../core/access.ts';
import { asGarnerError } from '../../core/errors.ts';
import type { StoredCapture } from '../../store/index.ts';
import type { ExportDeps } from './export-warc.ts';
import type { ChosenPage } from './select-captures.ts';

export interface ExportedFile {
  /** Parts of a path below the target, all safe. */
  readonly path: readonly string[];
  readonly bytes: Uint8Array;
  readonly modifiedAt: number;
}

/** A style sheet may import another one, a frame may have images of its own. */
const MAX_DEPTH = 3;
const MAX_REQUISITES = 2000;
/** Larger ones are left to WARC exports. */
const MAX_BYTES = 256 << 20;

interface Part {
  readonly capture: StoredCapture;
  readonly file: string;
  readonly bytes: Buffer;
  readonly links: readonly Link[];
  readonly canSplice: boolean;
}

/** The newest capture of the page with a good answer, and requisites as near to it in time as there are. */
export async function listPageFiles(
  deps: ExportDeps,
  page: ChosenPage,
  viewer: Viewer,
): Promise<readonly ExportedFile[]> {
  const newest = page.captures.findLast(({ status = 200 }) => status >= 200 && status < 300);
  if (!newest) return [];
  const parts = new Map<string, Part>();
  const missing: string[] = [];
  const gather = async (capture: StoredCapture, url: string, depth: number): Promise<void> => {
    const part = await readPart(deps, capture, url, viewer);
    if (!part) {
      missing.push(url);
      return;
    }
    parts.set(url, part);
    if (depth >= MAX_DEPTH) return;
    const wanted = new Set(part.links.filter(isRequisite).map((link) => link.url));
    for (const other of wanted) {
      if (parts.has(other) || missing.includes(other) || parts.size >= MAX_REQUISITES) continue;
      const found = await deps.store.captures.findClosest(surtKey(other), newest.at, viewer, {
        sources: [page.source],
      });
      if (found) await gather(found, other, depth + 1);
      else missing.push(other);
    }
  };
  await gather(newest, page.url, 0);
  if (!parts.has(page.url)) return [];
  const folder = folderOf(page.url);
  const files = Array.from(
    parts.values(),
    (part): ExportedFile => ({
      path: [folder, part.file],
      bytes: withLocalLinks(part, parts),
      modifiedAt: part.capture.at,
    }),
  );
  const description = describe(page, parts, missing);
  return [
    ...files,
    { path: [folder, 'capture.json'], bytes: Buffer.from(description), modifiedAt: newest.at },
  ];
}

async function readPart(
  deps: ExportDeps,
  capture: StoredCapture,
  url: string,
  viewer: Viewer,
): Promise<Part | undefined> {
  try {
    const { record, http } = await openCapture(
      { captures: deps.store.captures, dataFolder: deps.dataFolder },
      capture,
      viewer,
    );
    try {
      const { bytes } = await record.content({ ...UNPACK_LIMITS, maxBytes: MAX_BYTES });
      const headers = http?.headers ?? [];
      const { type } = sniffType(bytes, headerValue(headers, 'Content-Type'), url);
      const file = fileOf(url, type);
      if (!MAY_EMBED.test(type)) return { capture, file, bytes, links: [], canSplice: false };
      const { links, charset } = await readContent({ url: capture.url, bytes, headers });
      return { capture, file, bytes, links, canSplice: takesAscii(charset?.encoding) };
    } finally {
      await record.close();
    }
  } catch (thrown) {
    if (/^(?:archive|source)\./.test(asGarnerError(thrown).code)) return undefined;
    throw thrown;
  }
}

const MAY_EMBED = /^(?:text\/(?:html|css)|application\/xhtml\+xml|image\/svg\+xml)$/;

/** All parts lie in one folder, so that a link is just a name. */
function withLocalLinks({ bytes, links, canSplice }: Part, parts: ReadonlyMap<string, Part>): Buffer {
  if (!canSplice) return bytes;
  return spliceLinks(bytes, links, (link) => (isRequisite(link) ? parts.get(link.url)?.file : undefined));
}

function describe(page: ChosenPage, parts: ReadonlyMap<string, Part>, missing: readonly string[]): string {
  const captures = Array.from(parts, ([url, { capture, file }]) => ({
    url,
    file,
    capturedAt: new Date(capture.at).toISOString(),
    status: capture.status,
    mediaType: capture.mediaType,
    digest: capture.digest,
    archive: capture.file,
    offset: capture.offset,
  }));
  return `${JSON.stringify({ url: page.url, title: page.title, source: page.source, captures, missing }, undefined, 2)}\n`;
}
