/** One segment opened for reading: words are found by its directory, lists are read when asked for. */
import { type ByteRange, ByteSink, emptyRange } from './byte-sink.ts';
import { type Directory, findChunk, readDirectory } from './directory.ts';
import {
  CHUNK_BYTES,
  DICTIONARY,
  POSITIONS,
  POSTINGS,
  type SegmentRow,
  type SegmentStore,
} from './segment-store.ts';
import { CHUNK_HEADER } from './segment-writer.ts';
import { compareBytes } from './word-bytes.ts';

export class Segment {
  readonly row: SegmentRow;
  readonly #store: SegmentStore;
  readonly directory: Directory;
  readonly #postings: StreamReader;
  readonly #positions: StreamReader;

  constructor(store: SegmentStore, row: SegmentRow) {
    this.row = row;
    this.#store = store;
    this.directory = readDirectory(store.directory(row.id));
    this.#postings = new StreamReader((number) => store.chunk(row.id, POSTINGS, number));
    this.#positions = new StreamReader((number) => store.chunk(row.id, POSITIONS, number));
  }

  /** As `postings` and `positions`, without a view. */
  locatePostings({ postingsAt, postingsLength }: DictionaryCursor, range: ByteRange): void {
    this.#postings.locate(postingsAt, postingsLength, range);
  }

  locatePositions({ positionsAt, positionsLength }: DictionaryCursor, range: ByteRange): void {
    this.#positions.locate(positionsAt, positionsLength, range);
  }

  /** Chunks of the dictionary. */
  get chunks(): number {
    return this.directory.starts.length;
  }

  dictionaryChunk(number: number): Uint8Array {
    return this.#store.chunk(this.row.id, DICTIONARY, number);
  }

  postings({ postingsAt, postingsLength }: DictionaryCursor): Uint8Array {
    return this.#postings.read(postingsAt, postingsLength);
  }

  positions({ positionsAt, positionsLength }: DictionaryCursor): Uint8Array {
    return this.#positions.read(positionsAt, positionsLength);
  }
}

/** Goes through the words of a segment in their order. */
export class DictionaryCursor {
  readonly segment: Segment;
  /** The word it stands at. */
  readonly word = new ByteSink(256);
  /** Documents, stale ones included. */
  df = 0;
  /** The last of them, from the segment's base; unknown (-1) when there is only one. */
  last = -1;
  postingsAt = 0;
  postingsLength = 0;
  positionsAt = 0;
  positionsLength = 0;
  #number = -1;
  #chunk: Uint8Array = new Uint8Array();
  #at = 0;

  constructor(segment: Segment) {
    this.segment = segment;
  }

  /** False at the end. */
  next(): boolean {
    if (this.#at >= this.#chunk.length) {
      if (this.#number + 1 >= this.segment.chunks) return false;
      this.#open(this.#number + 1);
    }
    this.postingsAt += this.postingsLength;
    this.positionsAt += this.positionsLength;
    const shared = this.#varint();
    const more = this.#varint();
    this.word.length = shared;
    this.word.append(this.#chunk, this.#at, this.#at + more);
    this.#at += more;
    this.df = this.#varint();
    this.last = this.df > 1 ? this.#varint() : -1;
    this.postingsLength = this.#varint();
    this.positionsLength = this.#varint();
    return true;
  }

  /** To the first word that is not before this one; false: there is none. */
  seek(word: Uint8Array): boolean {
    const chunk = Math.max(0, findChunk(this.segment.directory, word));
    // Words asked for in order are often in the chunk that is open.
    if (chunk !== this.#number || this.compare(word) > 0) {
      if (chunk >= this.segment.chunks) return false;
      this.#open(chunk);
      if (!this.next()) return false;
    }
    while (this.compare(word) < 0) if (!this.next()) return false;
    return true;
  }

  find(word: Uint8Array): boolean {
    return this.seek(word) && this.compare(word) === 0;
  }

  /** Of the word it stands at with this one. */
  compare(word: Uint8Array): number {
    return compareBytes(this.word.bytes, 0, this.word.length, word, 0, word.length);
  }

  startsWith(prefix: Uint8Array): boolean {
    if (this.word.length < prefix.length) return false;
    for (let i = 0; i < prefix.length; i++) if (this.word.bytes[i] !== prefix[i]) return false;
    return true;
  }

  #open(number: number): void {
    this.#number = number;
    this.#chunk = this.segment.dictionaryChunk(number);
    const header = new DataView(this.#chunk.buffer, this.#chunk.byteOffset, CHUNK_HEADER);
    this.postingsAt = header.getFloat64(0, true);
    this.positionsAt = header.getFloat64(8, true);
    this.postingsLength = 0;
    this.positionsLength = 0;
    this.word.clear();
    this.#at = CHUNK_HEADER;
  }

  #varint(): number {
    const chunk = this.#chunk;
    let byte = chunk[this.#at++]!;
    let value = byte & 0x7f;
    for (let shift = 7; byte & 0x80; shift += 7) {
      byte = chunk[this.#at++]!;
      value |= (byte & 0x7f) << shift;
    }
    return value >>> 0;
  }
}

/** Reads parts of a stream; the chunk read last is kept, since neighbours are often read one after another. */
class StreamReader {
  readonly #read: (number: number) => Uint8Array;
  readonly #range = emptyRange();
  #number = -1;
  #chunk: Uint8Array = new Uint8Array();

  constructor(read: (number: number) => Uint8Array) {
    this.#read = read;
  }

  /** Not to be changed; a view of the chunk when it lies within one. */
  read(start: number, length: number): Uint8Array {
    this.locate(start, length, this.#range);
    const { bytes, from, to } = this.#range;
    return bytes.subarray(from, to);
  }

  /** Where the bytes stand: in the chunk, or copied together out of several. */
  locate(start: number, length: number, range: ByteRange): void {
    const at = start % CHUNK_BYTES;
    const number = (start - at) / CHUNK_BYTES;
    const isWithin = at + length <= CHUNK_BYTES;
    range.from = isWithin ? at : 0;
    range.to = range.from + length;
    range.bytes = isWithin ? this.#get(number) : this.#join(number, at, length);
  }

  #join(first: number, at: number, length: number): Uint8Array {
    let number = first;
    const bytes = new Uint8Array(length);
    for (let copied = 0, from = at; copied < length; from = 0) {
      const part = this.#get(number++).subarray(from, from + length - copied);
      if (part.length === 0) break;
      bytes.set(part, copied);
      copied += part.length;
    }
    return bytes;
  }

  #get(number: number): Uint8Array {
    if (number !== this.#number) {
      this.#chunk = this.#read(number);
      this.#number = number;
    }
    return this.#chunk;
  }
}
