/**
 * The downloaded directory of one URL as tar.gz: its file, without codings and unchanged, at the path that the
 * URL gives it. The same capture gives the same bytes, by value and by reference.
 */
import { createHash } from 'node:crypto';
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
  const file = await measure(content());
  const name = nameIn(capture);
  const open = (): AsyncIterable<Uint8Array> =>
    writeTarGz([{ name, size: file.size, modifiedAt: capture.at, open: file.again ?? content }]);
  const packed = await measure(open());
  return {
    size: packed.size,
    sha256: packed.sha256,
    file: { name, size: file.size, sha256: file.sha256 },
    headers,
    open: packed.again ?? open,
  };
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
