/**
 * A text with the bytes it came from. Scanners walk over `raw`, which has one character for each byte, so
 * that every position they find is a byte offset; only the pieces that somebody wants are decoded. That is
 * possible because in all encodings of the web but two the bytes of markup stand for themselves: trail
 * bytes of the East Asian encodings lie above `>`, `"`, `&` and `'`. The two (UTF-16, ISO-2022-JP) are
 * brought to UTF-8 first, and offsets are counted back.
 */
import { iso2022Offsets, utf16Offsets } from './wide-offsets.ts';

/** Bytes of the content-decoded file as it was served. */
export interface Span {
  readonly at: number;
  readonly length: number;
}

export interface PageText {
  readonly encoding: string;
  readonly raw: string;
  decode(from: number, to: number): string;
  /** From an index into `raw` to a byte of the file. */
  offsetOf(index: number): number;
}

const NON_ASCII = /[^\0-\x7f]/;

export function openPageText(bytes: Uint8Array, encoding: string): PageText {
  switch (encoding) {
    case 'utf-16le':
    case 'utf-16be':
      return transcoded(bytes, encoding, utf16Offsets);
    case 'iso-2022-jp':
      return transcoded(bytes, encoding, iso2022Offsets);
    default:
      return asciiCompatible(bytes, encoding);
  }
}

function asciiCompatible(bytes: Uint8Array, encoding: string): PageText {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const raw = buffer.toString('latin1');
  // A mark is a character here as others are, so that none is lost to the count.
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return {
    encoding,
    raw,
    decode: (from, to) => {
      const slice = raw.slice(from, to);
      return NON_ASCII.test(slice) ? decoder.decode(buffer.subarray(from, to)) : slice;
    },
    offsetOf: (index) => index,
  };
}

/** Maps indices into the UTF-8 form to bytes of the file. Built when the first position is asked for. */
export type OffsetTable = (bytes: Uint8Array, utf8: Uint8Array) => (index: number) => number;

function transcoded(bytes: Uint8Array, encoding: string, table: OffsetTable): PageText {
  const utf8 = Buffer.from(new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes));
  let offsets: ((index: number) => number) | undefined;
  return {
    ...asciiCompatible(utf8, 'utf-8'),
    encoding,
    offsetOf: (index) => {
      offsets ??= table(bytes, utf8);
      return Math.min(bytes.length, offsets(index));
    },
  };
}
