/**
 * For every document the generation of its words and how many they are. A posting counts when its segment
 * covers that generation: so an update or a deletion needs to touch no posting, and merging drops the
 * stale ones.
 */
import { decodeDocs } from './doc-list.ts';
import type { SegmentRow, SegmentStore } from './segment-store.ts';

export class WordDocs {
  /** By key; 0: the document has no words in the index. */
  generations = new Uint32Array(0);
  lengths = new Uint32Array(0);
  /** Documents, and their lengths together. */
  count = 0;
  words = 0;
  /** The generation up to which segments were taken in. */
  #seen = 0;

  get averageLength(): number {
    return this.count === 0 ? 1 : Math.max(1, this.words / this.count);
  }

  clear(): void {
    this.generations.fill(0);
    this.lengths.fill(0);
    this.count = 0;
    this.words = 0;
    this.#seen = 0;
  }

  /** Takes in what is new in the segments, in the order of their generations. */
  refresh(store: SegmentStore, segments: readonly SegmentRow[]): void {
    for (const { id, first, last } of segments) {
      if (last <= this.#seen) continue;
      // A merged segment does not tell again of documents that its commits first brought and then took away.
      if (first <= this.#seen) this.#forget(first, last);
      const { keys, lengths, removed } = decodeDocs(store.docs(id));
      this.#reserve(Math.max(keys.at(-1) ?? 0, removed.at(-1) ?? 0));
      for (const key of removed) this.#set(key, 0, 0);
      for (let i = 0; i < keys.length; i++) this.#set(keys[i]!, last, lengths[i]!);
      this.#seen = last;
    }
  }

  #set(key: number, generation: number, length: number): void {
    this.count += Number(generation !== 0) - Number(this.generations[key] !== 0);
    this.words += length - this.lengths[key]!;
    this.generations[key] = generation;
    this.lengths[key] = length;
  }

  #forget(first: number, last: number): void {
    for (let key = 0; key < this.generations.length; key++) {
      const generation = this.generations[key]!;
      if (generation >= first && generation <= last) this.#set(key, 0, 0);
    }
  }

  #reserve(key: number): void {
    if (key < this.generations.length) return;
    const size = Math.max(key + 1, Math.ceil(this.generations.length * 1.25), 4096);
    const generations = new Uint32Array(size);
    generations.set(this.generations);
    this.generations = generations;
    const lengths = new Uint32Array(size);
    lengths.set(this.lengths);
    this.lengths = lengths;
  }
}
