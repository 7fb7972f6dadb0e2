/** One small gzip member that lies whole in a window of bytes. */
import { crc32, inflateRawSync } from 'node:zlib';
import { GarnerError } from '../../core/errors.ts';
import { GZIP_TRAILER_BYTES, gzipHeaderLength } from './gzip-header.ts';

const CHUNK_BYTES = 64 * 1024;

export interface InflatedMember {
  readonly bytes: Buffer;
  /** In the file: header, deflated bytes and trailer. */
  readonly length: number;
}

/** Undefined when it is anything but whole, right and of at most so many bytes. */
export function inflateMember(window: Buffer, at: number, maxBytes: number): InflatedMember | undefined {
  const headerLength = gzipHeaderLength(window, at);
  if (headerLength === undefined) return undefined;
  let inflated: Inflated;
  try {
    inflated = inflateCounting(window.subarray(at + headerLength), maxBytes);
  } catch {
    return undefined;
  }
  const end = at + headerLength + inflated.consumed;
  if (window.length < end + GZIP_TRAILER_BYTES) return undefined;
  const { bytes } = inflated;
  if (window.readUInt32LE(end) !== crc32(bytes) || window.readUInt32LE(end + 4) !== bytes.length)
    return undefined;
  return { bytes, length: end + GZIP_TRAILER_BYTES - at };
}

export interface Inflated {
  readonly bytes: Buffer;
  readonly consumed: number;
}

/** Throws what zlib throws. */
export function inflateCounting(deflated: Buffer, maxBytes: number): Inflated {
  // The types of Node know nothing of the option `info`.
  const result: unknown = inflateRawSync(deflated, {
    info: true,
    chunkSize: CHUNK_BYTES,
    maxOutputLength: maxBytes,
  });
  if (!isCounted(result)) throw new GarnerError('internal.bug', 'zlib gives no count of the bytes it used');
  return { bytes: result.buffer, consumed: result.engine.bytesWritten };
}

function isCounted(value: unknown): value is { buffer: Buffer; engine: { bytesWritten: number } } {
  return typeof value === 'object' && value !== null && 'buffer' in value && 'engine' in value;
}
