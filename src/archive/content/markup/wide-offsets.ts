/** Byte offsets of the two encodings that are not read in place; see `page-text.ts`. */
import type { OffsetTable } from './page-text.ts';

/** Every so many characters the table remembers where it is; between, it counts. */
const STRIDE = 256;
const ESCAPE = 0x1b;

/** Code units before each UTF-8 byte that starts a character. */
function* utf8Characters(utf8: Uint8Array): Generator<{ readonly at: number; readonly units: number }> {
  for (let at = 0; at < utf8.length; ) {
    const lead = utf8[at] ?? 0;
    const size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    yield { at, units: size === 4 ? 2 : 1 };
    at += size;
  }
}

export const utf16Offsets: OffsetTable = (_, utf8) => {
  const marks: { at: number; byte: number }[] = [];
  let units = 0;
  let count = 0;
  for (const character of utf8Characters(utf8)) {
    if (count++ % STRIDE === 0) marks.push({ at: character.at, byte: units * 2 });
    units += character.units;
  }
  return (index) => {
    const mark = lastMark(marks, index);
    if (!mark) return 0;
    let byte = mark.byte;
    for (const character of utf8Characters(utf8.subarray(mark.at, index))) byte += character.units * 2;
    return byte;
  };
};

/** Escape sequences take bytes and give nothing; after `ESC $` two bytes make one character. */
export const iso2022Offsets: OffsetTable = (bytes, utf8) => {
  const starts: number[] = [];
  let double = false;
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at] === ESCAPE && at + 2 < bytes.length) {
      double = bytes[at + 1] === 0x24;
      at += 3;
      continue;
    }
    starts.push(at);
    // A line break ends a double-byte run in careless mail software, and stands for itself.
    at += double && (bytes[at] ?? 0) > 0x20 ? 2 : 1;
  }
  const marks: { at: number; byte: number }[] = [];
  let count = 0;
  for (const { at } of utf8Characters(utf8)) {
    if (count % STRIDE === 0) marks.push({ at, byte: count });
    count++;
  }
  return (index) => {
    const mark = lastMark(marks, index);
    if (!mark) return 0;
    let character = mark.byte;
    for (const _ of utf8Characters(utf8.subarray(mark.at, index))) character++;
    return starts[character] ?? bytes.length;
  };
};

function lastMark<T extends { readonly at: number }>(marks: readonly T[], index: number): T | undefined {
  let low = 0;
  let high = marks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((marks[middle]?.at ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return marks[low];
}
