/**
 * One gzip stream out of parts that were deflated each by itself, so that a part that is needed often is deflated
 * once. It is a single member: not every reader goes on after the first one.
 */
import { pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { constants, crc32, createDeflateRaw, deflateRaw, deflateRawSync } from 'node:zlib';
import { combineCrc32 } from './combine-crc32.ts';

/** Of what was deflated. */
export interface PartCheck {
  readonly crc32: number;
  readonly length: number;
}

/** Gives blocks of deflate (RFC 1951), none of them the final one, that end with a whole byte. */
export type DeflatedPart = AsyncGenerator<Uint8Array, PartCheck>;

/** A flush ends with a whole byte; the end would be the final block. */
const OPTIONS = { level: 6, finishFlush: constants.Z_SYNC_FLUSH };
/** RFC 1952: deflate, no flags, no time, of an unknown system. */
const HEADER = Buffer.from('1f8b08000000000000ff', 'hex');
/** An empty block that says that it is the last one. */
const FINAL_BLOCK = Buffer.from('0300', 'hex');
/** Up to that, handing the work to another thread takes longer than the work. */
const AT_ONCE_BYTES = 1 << 16;

export async function* gzipOf(parts: Iterable<() => DeflatedPart>): AsyncGenerator<Uint8Array> {
  yield HEADER;
  let crc = 0;
  let length = 0;
  for (const open of parts) {
    const check = yield* open();
    crc = combineCrc32(crc, check.crc32, check.length);
    length += check.length;
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(length % 2 ** 32, 4);
  yield Buffer.concat([FINAL_BLOCK, trailer]);
}

export async function* deflatePart(bytes: AsyncIterable<Uint8Array>): DeflatedPart {
  const check = { crc32: 0, length: 0 };
  const deflated = pipeline(checking(bytes, check), createDeflateRaw(OPTIONS), () => undefined);
  for await (const chunk of deflated as AsyncIterable<Buffer>) yield chunk;
  return check;
}

async function* checking(
  bytes: AsyncIterable<Uint8Array>,
  check: { crc32: number; length: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    check.crc32 = crc32(chunk, check.crc32);
    check.length += chunk.length;
    yield chunk;
  }
}

const deflateInThread = promisify(
  (bytes: Uint8Array, done: (error: Error | null, deflated: Buffer) => void): void =>
    deflateRaw(bytes, OPTIONS, done),
);

/** The same for what is in memory. */
export async function deflateHeld(bytes: Uint8Array): Promise<PartCheck & { readonly deflated: Uint8Array }> {
  const deflated =
    bytes.length <= AT_ONCE_BYTES ? deflateRawSync(bytes, OPTIONS) : await deflateInThread(bytes);
  // A copy, as long as it must be: zlib gives a piece of a larger buffer.
  return { crc32: crc32(bytes), length: bytes.length, deflated: new Uint8Array(deflated) };
}
