/** The directories of TIFF 6.0 §2, which Exif uses, too. */
export interface TiffReader {
  readonly bytes: Buffer;
  readonly little: boolean;
}

export interface TiffEntry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** Of the values, in the file. */
  readonly at: number;
}

const TYPE_SIZES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];
const MAX_ENTRIES = 512;
/** Values of one entry that are looked at: strips and tables have thousands. */
const MAX_VALUES = 64;

export function openTiff(bytes: Buffer): { reader: TiffReader; first: number } | undefined {
  const order = bytes.toString('latin1', 0, 2);
  if (bytes.length < 8 || (order !== 'II' && order !== 'MM')) return undefined;
  const reader = { bytes, little: order === 'II' };
  if (readUInt16(reader, 2) !== 42) return undefined;
  return { reader, first: readUInt32(reader, 4) };
}

export const readUInt16 = ({ bytes, little }: TiffReader, at: number): number =>
  little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
export const readUInt32 = ({ bytes, little }: TiffReader, at: number): number =>
  little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
const readInt32 = ({ bytes, little }: TiffReader, at: number): number =>
  little ? bytes.readInt32LE(at) : bytes.readInt32BE(at);

/** Entries whose values lie within the file, and where the next directory is (0: nowhere). */
export function readDirectory(
  reader: TiffReader,
  at: number,
): { readonly entries: ReadonlyMap<number, TiffEntry>; readonly next: number } {
  const entries = new Map<number, TiffEntry>();
  const { length } = reader.bytes;
  if (at < 8 || at + 2 > length) return { entries, next: 0 };
  const count = readUInt16(reader, at);
  for (let index = 0; index < Math.min(count, MAX_ENTRIES); index++) {
    const entry = at + 2 + index * 12;
    if (entry + 12 > length) return { entries, next: 0 };
    const type = readUInt16(reader, entry + 2);
    const values = readUInt32(reader, entry + 4);
    const size = (TYPE_SIZES[type] ?? 0) * values;
    const place = size <= 4 ? entry + 8 : readUInt32(reader, entry + 8);
    const tag = readUInt16(reader, entry);
    if (size > 0 && place + size <= length && !entries.has(tag))
      entries.set(tag, { tag, type, count: values, at: place });
  }
  const after = at + 2 + count * 12;
  return { entries, next: after + 4 <= length ? readUInt32(reader, after) : 0 };
}

/** Text without its closing zero. */
export function entryText(reader: TiffReader, { at, count }: TiffEntry): string {
  const bytes = reader.bytes.subarray(at, at + Math.min(count, 4096));
  const end = bytes.indexOf(0);
  // The standard says ASCII; cameras and editors write UTF-8 and Latin-1.
  const text = bytes.subarray(0, end < 0 ? bytes.length : end);
  const utf8 = text.toString('utf8');
  return (utf8.includes('\ufffd') ? text.toString('latin1') : utf8).trim();
}

export function entryBytes(reader: TiffReader, { at, count }: TiffEntry): Buffer {
  return reader.bytes.subarray(at, at + count);
}

export function entryNumbers(reader: TiffReader, { type, count, at }: TiffEntry): number[] {
  const numbers: number[] = [];
  for (let index = 0; index < Math.min(count, MAX_VALUES); index++)
    numbers.push(readNumber(reader, type, at + index * (TYPE_SIZES[type] ?? 1)));
  return numbers;
}

function readNumber(reader: TiffReader, type: number, at: number): number {
  const { bytes, little } = reader;
  switch (type) {
    case 3:
      return readUInt16(reader, at);
    case 4:
      return readUInt32(reader, at);
    case 5:
      return readUInt32(reader, at) / readUInt32(reader, at + 4);
    case 6:
      return bytes.readInt8(at);
    case 8:
      return little ? bytes.readInt16LE(at) : bytes.readInt16BE(at);
    case 9:
      return readInt32(reader, at);
    case 10:
      return readInt32(reader, at) / readInt32(reader, at + 4);
    case 11:
      return little ? bytes.readFloatLE(at) : bytes.readFloatBE(at);
    case 12:
      return little ? bytes.readDoubleLE(at) : bytes.readDoubleBE(at);
    default:
      return bytes.readUInt8(at);
  }
}
