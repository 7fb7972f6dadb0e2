/**
 * The downloaded directory of one URL as tar.gz: its file, without codings and unchanged, at the path that the
 * URL gives it. The same capture gives the same bytes, by value and by reference.
 */
import { createHash, type Hash } from 'node:crypto';
import { UNPACK_LIMITS } from '../../archive/index.ts';
import { type CaptureAccess, openCapture } from '../../archive/items/index.ts';
import { fileOf, safePart } from '../../archive/items/safe-name.ts';
import { sitePath } from '../../archive/items/site-path.ts';
import type { Viewer } from '../../core/access.ts';
import { asGarnerError } from '../../core/errors.ts';
import type { HttpHeader } from '../../formats/http-header.ts';
import type { StoredCapture } from '../../store/index.ts';
import { writeTarGz } from '../tar.ts';

export interface PackedCapture {
  /** Of the tar.gz. */
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
  /** Of the file in it. */
  readonly file: { readonly name: string; readonly size: number; readonly sha256: string };
  readonly headers: readonly HttpHeader[];
  /** May be called again. */
  open(): AsyncIterable<Uint8Array>;
}

export const PACKED_TYPE = 'application/gzip';

/** What is smaller is held, larger ones are read and packed anew each time. */
const HELD_BYTES = 1024 * 1024;
const LIMITS = { ...UNPACK_LIMITS, maxBytes: Number.MAX_SAFE_INTEGER };

export async function packCapture(
  access: CaptureAccess,
  capture: StoredCapture,
  viewer: Viewer,
): Promise<PackedCapture> {
  let headers: readonly HttpHeader[] = [];
  const content = async function* (): AsyncGenerator<Uint8Array> {
    const { record, http } = await openCapture(access, capture, viewer);
    headers = http?.headers ?? [];
    try {
      yield* record.contentStream(LIMITS);
    } finally {
      await record.close();
    }
  };
  const name = nameIn(capture);
  const packed = async (size: number, open: () => AsyncIterable<Uint8Array>): Promise<PackedCapture> => {
    const hash = createHash('sha256');
    const pack = (from: () => AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> =>
      writeTarGz([{ name, size, modifiedAt: capture.at, open: from }]);
    const made = await measure(pack(() => hashing(open(), hash)));
    return {
      size: made.size,
      sha256: made.sha256,
      file: { name, size, sha256: hash.digest('hex') },
      headers,
      open: made.again ?? (() => pack(open)),
    };
  };
  const mayBeLarge = (capture.contentLength ?? Number.POSITIVE_INFINITY) > HELD_BYTES;
  const likely = mayBeLarge ? await findLikelySize(access, capture, viewer) : undefined;
  if (likely !== undefined && likely > HELD_BYTES) {
    try {
      return await packed(likely, content);
    } catch (thrown) {
      // A record that was cut off has less than it says; then its content is measured.
      if (asGarnerError(thrown).code !== 'archive.record') throw thrown;
    }
  }
  const file = await measure(content());
  return packed(file.size, file.again ?? content);
}

/** A tar tells the size before the content. What has no coding is as long as its record says. */
async function findLikelySize(
  access: CaptureAccess,
  capture: StoredCapture,
  viewer: Viewer,
): Promise<number | undefined> {
  const { record } = await openCapture(access, capture, viewer);
  try {
    const { contentLength, http, truncated } = record;
    const isCoded = http?.headers.some(([name]) => /^(?:content|transfer)-encoding$/i.test(name)) === true;
    if (isCoded || truncated || contentLength === undefined) return undefined;
    return contentLength - (http?.bodyOffset ?? 0);
  } finally {
    await record.close();
  }
}

async function* hashing(bytes: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}

interface Measured {
  readonly size: number;
  readonly sha256: string;
  /** Of what is held. */
  readonly again?: () => AsyncIterable<Uint8Array>;
}

async function measure(bytes: AsyncIterable<Uint8Array>): Promise<Measured> {
  const hash = createHash('sha256');
  let held: Buffer[] | undefined = [];
  let size = 0;
  for await (const chunk of bytes) {
    hash.update(chunk);
    size += chunk.length;
    if (size > HELD_BYTES) held = undefined;
    held?.push(Buffer.from(chunk));
  }
  const kept = held;
  return {
    size,
    sha256: hash.digest('hex'),
    ...(kept && {
      again: async function* () {
        yield* kept;
      },
    }),
  };
}

/** Host and path, as a site is laid out; a URL that no path can be made of gets a name of its own. */
function nameIn({ url, mediaType }: StoredCapture): string {
  try {
    return sitePath(url, mediaType).join('/');
  } catch (thrown) {
    if (asGarnerError(thrown).code !== 'archive.unsafe') throw thrown;
    return `${safePart(URL.parse(url)?.host ?? '')}/${fileOf(url, mediaType)}`;
  }
}
