/** Content codings undone, within limits, and not believed when the bytes say otherwise. */
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';
import { GarnerError } from '../../core/errors.ts';

export interface UnpackLimits {
  /** Decoded bytes. */
  readonly maxBytes: number;
  /** Decoded per stored byte; looked at beyond 4 MB only, since small texts pack well. */
  readonly maxRatio: number;
}

export const UNPACK_LIMITS: UnpackLimits = { maxBytes: 256 << 20, maxRatio: 400 };
const RATIO_FREE_BYTES = 4 << 20;

type Coding = 'gzip' | 'deflate' | 'deflate-raw' | 'br' | 'zstd';

/** What the header says, looked at together with the first bytes; undefined for what is not coded that way. */
export function trueCoding(name: string, head: Buffer): Coding | undefined {
  const coding = namedCoding(name, head);
  if (coding === undefined || head.length === 0) return undefined;
  try {
    decodeSync(coding, head, { maxOutputLength: RATIO_FREE_BYTES, flush: true });
    return coding;
  } catch (error) {
    // So much output proves the coding well enough.
    return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
      ? coding
      : undefined;
  }
}

function namedCoding(name: string, head: Buffer): Coding | undefined {
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return 'gzip';
    case 'deflate':
      return isZlibHeader(head) ? 'deflate' : 'deflate-raw';
    case 'br':
      return 'br';
    case 'zstd':
      return 'zstd';
    default:
      return undefined;
  }
}

/** RFC 1950 §2.2; some servers send deflate without it. */
const isZlibHeader = (head: Buffer): boolean =>
  head.length >= 2 && ((head[0] ?? 0) & 0x0f) === 8 && head.readUInt16BE(0) % 31 === 0;

/** The names in a Content-Encoding or Transfer-Encoding header, in the order they were applied. */
export function listCodings(values: readonly string[]): string[] {
  return values
    .flatMap((value) => value.toLowerCase().split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
}

/** Undefined when the bytes are damaged, cut off or beyond the limits: the stream then tells which. */
export function decodeAtOnce(coding: Coding, bytes: Buffer, limits: UnpackLimits): Buffer | undefined {
  const maxOutputLength = Math.min(
    limits.maxBytes,
    Math.max(RATIO_FREE_BYTES, bytes.length * limits.maxRatio),
  );
  try {
    return decodeSync(coding, bytes, { maxOutputLength, flush: false });
  } catch {
    return undefined;
  }
}

/** `flush`: the input is only the beginning; give what it holds. */
function decodeSync(
  coding: Coding,
  bytes: Buffer,
  options: { maxOutputLength: number; flush: boolean },
): Buffer {
  const { maxOutputLength, flush } = options;
  const zlib = { maxOutputLength, finishFlush: flush ? constants.Z_SYNC_FLUSH : constants.Z_FINISH };
  switch (coding) {
    case 'gzip':
      return gunzipSync(bytes, zlib);
    case 'deflate':
      return inflateSync(bytes, zlib);
    case 'deflate-raw':
      return inflateRawSync(bytes, zlib);
    case 'br': {
      const finishFlush = flush ? constants.BROTLI_OPERATION_FLUSH : constants.BROTLI_OPERATION_FINISH;
      return brotliDecompressSync(bytes, { maxOutputLength, finishFlush });
    }
    case 'zstd': {
      const finishFlush = flush ? constants.ZSTD_e_flush : constants.ZSTD_e_end;
      return zstdDecompressSync(bytes, { maxOutputLength, finishFlush });
    }
  }
}

function createDecoder(coding: Coding): Transform & { bytesWritten: number } {
  const options = { chunkSize: 16 * 1024, finishFlush: constants.Z_SYNC_FLUSH };
  switch (coding) {
    case 'gzip':
      return createGunzip(options);
    case 'deflate':
      return createInflate(options);
    case 'deflate-raw':
      return createInflateRaw(options);
    case 'br':
      return createBrotliDecompress({ chunkSize: 16 * 1024 });
    case 'zstd':
      return createZstdDecompress({ chunkSize: 16 * 1024 });
  }
}

/**
 * Decoded bytes as they come. A body that breaks off ends the stream early and sets `outcome.damaged`; only
 * one that unpacks beyond the limits is an error.
 */
export async function* decodeStream(
  coding: Coding,
  input: AsyncIterable<Buffer>,
  limits: UnpackLimits,
  outcome: { damaged?: boolean },
): AsyncGenerator<Buffer> {
  const decoder = createDecoder(coding);
  let stored = 0;
  const counted = async function* () {
    for await (const bytes of input) {
      stored += bytes.length;
      yield bytes;
    }
  };
  const source = Readable.from(counted(), { objectMode: false });
  const running = pipeline(source, decoder).catch((error: unknown) => error);
  let size = 0;
  try {
    for await (const chunk of decoder) {
      if (!Buffer.isBuffer(chunk)) continue;
      size += chunk.length;
      if (size > limits.maxBytes || (size > RATIO_FREE_BYTES && size > stored * limits.maxRatio)) {
        throw new GarnerError('archive.unsafe', `a ${coding} body unpacks to more than the limit`, {
          details: { coding, stored, unpacked: size, ...limits },
        });
      }
      yield chunk;
    }
  } catch (error) {
    if (error instanceof GarnerError) throw error;
    outcome.damaged = true;
  } finally {
    decoder.destroy();
    source.destroy();
    await running;
  }
}
