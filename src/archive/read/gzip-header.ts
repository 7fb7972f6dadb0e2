/** The header of a gzip member (RFC 1952 §2.3). */

const DEFLATE = 8;
const FHCRC = 2;
const FEXTRA = 4;
const FNAME = 8;
const FCOMMENT = 16;
const RESERVED = 0xe0;

/** Fixed part of the header; CRC-32 and size stand in the eight bytes after the deflated ones. */
const FIXED_BYTES = 10;
export const GZIP_TRAILER_BYTES = 8;

export const isGzipMagic = (bytes: Buffer, at = 0): boolean =>
  bytes[at] === 0x1f &&
  bytes[at + 1] === 0x8b &&
  bytes[at + 2] === DEFLATE &&
  ((bytes[at + 3] ?? RESERVED) & RESERVED) === 0;

/** Where the deflated bytes begin, counted from `at`; undefined when the header is not there in full. */
export function gzipHeaderLength(bytes: Buffer, at: number): number | undefined {
  if (!isGzipMagic(bytes, at) || bytes.length < at + FIXED_BYTES) return undefined;
  const flags = bytes[at + 3] ?? 0;
  let end = at + FIXED_BYTES;
  if (flags & FEXTRA) {
    if (bytes.length < end + 2) return undefined;
    end += 2 + bytes.readUInt16LE(end);
  }
  for (const flag of [FNAME, FCOMMENT]) {
    if (!(flags & flag)) continue;
    const zero = bytes.indexOf(0, end);
    if (zero < 0) return undefined;
    end = zero + 1;
  }
  if (flags & FHCRC) end += 2;
  return end <= bytes.length ? end - at : undefined;
}
