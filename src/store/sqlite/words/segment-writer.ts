/** Writes one segment, word by word in their order. */
import { type ByteRange, ByteSink } from './byte-sink.ts';
import { readDirectory } from './directory.ts';
import {
  CHUNK_BYTES,
  DICTIONARY,
  POSITIONS,
  POSTINGS,
  type SegmentRow,
  type SegmentStore,
  type StreamKind,
} from './segment-store.ts';

/** Small, since a lookup reads half a chunk on average, and two of them fit on a page of the database. */
const DICTIONARY_BYTES = 3900;
/** Begins a chunk of a dictionary: where the lists of its first word stand in their streams (two floats). */
export const CHUNK_HEADER = 16;

/** What a segment is called and covers; the sizes come with writing. */
export type SegmentHeading = Pick<SegmentRow, 'id' | 'first' | 'last' | 'base'>;

export class SegmentWriter {
  readonly #store: SegmentStore;
  readonly #heading: SegmentHeading;
  readonly #postings: StreamWriter;
  readonly #positions: StreamWriter;
  readonly #directory = new ByteSink();
  readonly #chunk = new ByteSink(4096);
  readonly #lastWord = new ByteSink(256);
  #chunks = 0;

  constructor(store: SegmentStore, heading: SegmentHeading) {
    this.#store = store;
    this.#heading = heading;
    this.#postings = new StreamWriter(store, heading.id, POSTINGS);
    this.#positions = new StreamWriter(store, heading.id, POSITIONS);
  }

  /** Goes on where `pause` left off. */
  static resume(store: SegmentStore, row: SegmentRow): SegmentWriter {
    const writer = new SegmentWriter(store, row);
    writer.#directory.append(store.directory(row.id));
    writer.#chunks = readDirectory(writer.#directory.view()).starts.length;
    writer.#postings.goOn(row.postings);
    writer.#positions.goOn(row.positions);
    return writer;
  }

  get bytes(): number {
    return this.#postings.length + this.#positions.length;
  }

  /** `last`: the last document of the list, from the segment's base. */
  add(word: ByteRange, df: number, last: number, postings: ByteRange, positions: ByteRange): void {
    if (this.#chunk.length > DICTIONARY_BYTES) this.#endChunk();
    if (this.#chunk.length === 0) this.#beginChunk(word);
    this.#addWord(word);
    const chunk = this.#chunk;
    chunk.varint(df);
    // A list of one document begins with it.
    if (df > 1) chunk.varint(last);
    chunk.varint(postings.to - postings.from);
    chunk.varint(positions.to - positions.from);
    this.#postings.append(postings.bytes, postings.from, postings.to);
    this.#positions.append(positions.bytes, positions.from, positions.to);
  }

  /** Writes down everything so far; the segment is not read before it is finished. */
  pause(resume: Uint8Array): void {
    this.#end(resume, new Uint8Array());
  }

  finish(docs: Uint8Array): void {
    this.#end(null, docs);
  }

  #end(resume: Uint8Array | null, docs: Uint8Array): void {
    if (this.#chunk.length > 0) this.#endChunk();
    this.#postings.flush();
    this.#positions.flush();
    this.#store.put(
      { ...this.#heading, postings: this.#postings.length, positions: this.#positions.length },
      resume,
      this.#directory.view(),
      docs,
    );
  }

  #beginChunk(word: ByteRange): void {
    this.#lastWord.clear();
    this.#directory.varint(word.to - word.from);
    this.#directory.append(word.bytes, word.from, word.to);
    const header = new DataView(new ArrayBuffer(CHUNK_HEADER));
    header.setFloat64(0, this.#postings.length, true);
    header.setFloat64(8, this.#positions.length, true);
    this.#chunk.append(new Uint8Array(header.buffer));
  }

  /** What it shares with the word before, and the rest. */
  #addWord({ bytes, from, to }: ByteRange): void {
    const before = this.#lastWord;
    const most = Math.min(before.length, to - from);
    let shared = 0;
    while (shared < most && before.bytes[shared] === bytes[from + shared]) shared++;
    this.#chunk.varint(shared);
    this.#chunk.varint(to - from - shared);
    this.#chunk.append(bytes, from + shared, to);
    before.length = shared;
    before.append(bytes, from + shared, to);
  }

  #endChunk(): void {
    this.#store.putChunk(this.#heading.id, DICTIONARY, this.#chunks++, this.#chunk.view());
    this.#chunk.clear();
  }
}

/** One stream of bytes in chunks of equal size. */
class StreamWriter {
  readonly #store: SegmentStore;
  readonly #id: number;
  readonly #stream: StreamKind;
  readonly #chunk = new Uint8Array(CHUNK_BYTES);
  length = 0;

  constructor(store: SegmentStore, id: number, stream: StreamKind) {
    this.#store = store;
    this.#id = id;
    this.#stream = stream;
  }

  goOn(length: number): void {
    this.length = length;
    const used = length % CHUNK_BYTES;
    if (used > 0)
      this.#chunk.set(this.#store.chunk(this.#id, this.#stream, Math.floor(length / CHUNK_BYTES)));
  }

  append(source: Uint8Array, from: number, to: number): void {
    const chunk = this.#chunk;
    for (let at = from; at < to; ) {
      const used = this.length % CHUNK_BYTES;
      const count = Math.min(to - at, CHUNK_BYTES - used);
      if (count < 48) for (let i = 0; i < count; i++) chunk[used + i] = source[at + i]!;
      else chunk.set(source.subarray(at, at + count), used);
      at += count;
      this.length += count;
      if (used + count === CHUNK_BYTES) this.#write(chunk);
    }
  }

  flush(): void {
    const used = this.length % CHUNK_BYTES;
    if (used > 0) this.#put(Math.floor(this.length / CHUNK_BYTES), this.#chunk.subarray(0, used));
  }

  #write(bytes: Uint8Array): void {
    this.#put(this.length / CHUNK_BYTES - 1, bytes);
  }

  #put(number: number, bytes: Uint8Array): void {
    this.#store.putChunk(this.#id, this.#stream, number, bytes);
  }
}
