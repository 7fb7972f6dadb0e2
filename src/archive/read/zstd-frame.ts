/** The outer form of zstd data (RFC 8878 §3.1), enough to know where each frame ends. */

const FRAME_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
/** The WARC zstd draft keeps the dictionary of the whole file in a first skippable frame of this number. */
const DICTIONARY_MAGIC = 0x184d2a5d;
const BLOCK_HEADER_BYTES = 3;
const RLE_BLOCK = 1;
const RESERVED_BLOCK = 3;
const CHECKSUM_BYTES = 4;

export type FrameKind = 'frame' | 'skippable' | 'dictionary';

export function frameKind(bytes: Buffer, at = 0): FrameKind | undefined {
  if (bytes.length < at + 4) return undefined;
  const magic = bytes.readUInt32LE(at);
  if (magic === FRAME_MAGIC) return 'frame';
  if (magic === DICTIONARY_MAGIC) return 'dictionary';
  return (magic & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC ? 'skippable' : undefined;
}

export const SKIPPABLE_HEADER_BYTES = 8;

/** Magic and size of a skippable frame together with what it holds. */
export const skippableLength = (header: Buffer): number => SKIPPABLE_HEADER_BYTES + header.readUInt32LE(4);

/** Of magic number and frame header: 6 to 18 bytes. Undefined when cut off. */
export function frameHeaderLength(bytes: Buffer): number | undefined {
  const descriptor = bytes[4];
  if (descriptor === undefined) return undefined;
  const singleSegment = (descriptor & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 ? (singleSegment ? 1 : 0) : 1 << sizeFlag;
  const length = 5 + (singleSegment ? 0 : 1) + dictionaryBytes + sizeBytes;
  return bytes.length < length ? undefined : length;
}

export const hasChecksum = (bytes: Buffer): boolean => ((bytes[4] ?? 0) & 4) !== 0;

export const FRAME_HEAD_BYTES = 18;
export { BLOCK_HEADER_BYTES, CHECKSUM_BYTES };

export interface FrameBlock {
  readonly last: boolean;
  /** Bytes in the file, without its header. */
  readonly length: number;
}

export function readBlockHeader(bytes: Buffer, at: number): FrameBlock | undefined {
  const value = bytes.readUIntLE(at, BLOCK_HEADER_BYTES);
  const type = (value >> 1) & 3;
  if (type === RESERVED_BLOCK) return undefined;
  return { last: (value & 1) === 1, length: type === RLE_BLOCK ? 1 : value >> 3 };
}
