/** The first words of the chunks of a segment's dictionary, each after its length. */
import { ByteSource } from './byte-sink.ts';
import { compareBytes } from './word-bytes.ts';

export interface Directory {
  readonly bytes: Uint8Array;
  /** Where the words begin and end. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

export function readDirectory(bytes: Uint8Array): Directory {
  const starts: number[] = [];
  const ends: number[] = [];
  const source = new ByteSource(bytes);
  while (source.at < bytes.length) {
    const length = source.varint();
    starts.push(source.at);
    source.at += length;
    ends.push(source.at);
  }
  return { bytes, starts: Uint32Array.from(starts), ends: Uint32Array.from(ends) };
}

/** The last chunk whose first word is not after this one; -1: all are. */
export function findChunk({ bytes, starts, ends }: Directory, word: Uint8Array): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareBytes(bytes, starts[middle]!, ends[middle]!, word, 0, word.length) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
