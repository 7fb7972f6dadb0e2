/**
 * From documents to postings. The words of a batch become numbers, the numbers are sorted by counting, and
 * the lists are written word by word.
 */
import { ByteSink } from './byte-sink.ts';
import type { DocWords } from './doc-words.ts';
import { GAP_ID, type Lexicon } from './lexicon.ts';
import { MORE_COLUMNS, REST_COLUMN, SEVERAL } from './postings.ts';

/** A word of the batch: its id in the lexicon, its documents and the last of them, from the base. */
export interface InvertedWord {
  id: number;
  df: number;
  last: number;
}

export class Inverter {
  readonly #lexicon: Lexicon;
  readonly keys: number[] = [];
  readonly lengths: number[] = [];
  /** Of each line its document and column, and where its words begin among those of the batch. */
  readonly #runDocs: number[] = [];
  readonly #runColumns: number[] = [];
  readonly #runStarts: number[] = [];
  /**
   * Words of the batch have numbers of their own, given as they come: frequent ones get low numbers, whose
   * counts stay in the processor's cache. `#numberOf` by id in the lexicon, plus one.
   */
  #numberOf: Uint32Array;
  #ids = new Uint32Array(1 << 12);
  #counts = new Uint32Array(1 << 12);
  #distinct = 0;
  #words = new Uint32Array(1 << 14);
  #occurrences = new Uint32Array(0);
  #used = 0;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
    this.#numberOf = new Uint32Array(lexicon.size + (1 << 12));
  }

  /** Ready for the next batch. */
  clear(): void {
    for (let i = 0; i < this.#distinct; i++) this.#numberOf[this.#ids[i]!] = 0;
    this.#distinct = 0;
    this.#used = 0;
    this.keys.length = 0;
    this.lengths.length = 0;
    this.#runDocs.length = 0;
    this.#runColumns.length = 0;
    this.#runStarts.length = 0;
  }

  /** Words of the batch so far. */
  get size(): number {
    return this.#used;
  }

  /** Keys must ascend. */
  add({ key, columns }: DocWords): void {
    const begun = this.#used;
    let gaps = 0;
    const take = (id: number) => {
      if (id === GAP_ID) gaps++;
      if (this.#used === this.#words.length) this.#words = doubled(this.#words);
      this.#words[this.#used++] = this.#count(id);
    };
    for (const { column, line } of columns) {
      this.#runDocs.push(key);
      this.#runColumns.push(Math.min(column, REST_COLUMN));
      this.#runStarts.push(this.#used);
      this.#lexicon.readLine(line, take);
    }
    this.keys.push(key);
    this.lengths.push(this.#used - begun - gaps);
  }

  /** Every word in order, with its postings and positions in the sinks, which are reused. */
  write(base: number, each: (word: InvertedWord, postings: ByteSink, positions: ByteSink) => void): void {
    const sorted = this.#sortedNumbers();
    // Where each word's occurrences begin, then (after the scattering) where they end.
    const ends = new Uint32Array(this.#distinct);
    for (let i = 0, sum = 0; i < sorted.length; i++) {
      const number = sorted[i]!;
      ends[number] = sum;
      sum += this.#counts[number]!;
    }
    const occurrences = this.#scatter(ends);
    const postings = new ByteSink(1 << 12);
    const positions = new ByteSink(1 << 12);
    const word: InvertedWord = { id: 0, df: 0, last: 0 };
    for (let i = 0, from = 0; i < sorted.length; i++) {
      const number = sorted[i]!;
      const to = ends[number]!;
      postings.clear();
      positions.clear();
      word.id = this.#ids[number]!;
      this.#writeList(base, occurrences, from, to, word, postings, positions);
      each(word, postings, positions);
      from = to;
    }
  }

  #count(id: number): number {
    if (id >= this.#numberOf.length) {
      const grown = new Uint32Array(id * 2);
      grown.set(this.#numberOf);
      this.#numberOf = grown;
    }
    const known = this.#numberOf[id]!;
    if (known !== 0) {
      this.#counts[known - 1]!++;
      return known - 1;
    }
    const number = this.#distinct++;
    if (number === this.#ids.length) {
      this.#ids = doubled(this.#ids);
      this.#counts = doubled(this.#counts);
    }
    this.#numberOf[id] = number + 1;
    this.#ids[number] = id;
    this.#counts[number] = 1;
    return number;
  }

  #sortedNumbers(): Uint32Array {
    const order = this.#lexicon.settleOrder();
    const sorted = new Uint32Array(this.#distinct);
    for (let i = 0, next = 0; next < sorted.length; i++) {
      const number = this.#numberOf[order[i]!]!;
      if (number !== 0) sorted[next++] = number - 1;
    }
    return sorted;
  }

  /** Run and place of every word, those of one word together. */
  #scatter(ends: Uint32Array): Uint32Array {
    if (this.#occurrences.length < this.#used * 2) this.#occurrences = new Uint32Array(this.#used * 3);
    const occurrences = this.#occurrences;
    for (let run = 0; run < this.#runStarts.length; run++) {
      const start = this.#runStarts[run]!;
      const end = this.#runStarts[run + 1] ?? this.#used;
      for (let i = start; i < end; i++) {
        const slot = ends[this.#words[i]!]!++ * 2;
        occurrences[slot] = run;
        occurrences[slot + 1] = i - start;
      }
    }
    return occurrences;
  }

  #writeList(
    base: number,
    occurrences: Uint32Array,
    from: number,
    to: number,
    word: InvertedWord,
    postings: ByteSink,
    positions: ByteSink,
  ): void {
    let before = base;
    word.df = 0;
    for (let at = from; at < to; ) {
      let run = occurrences[at * 2]!;
      const doc = this.#runDocs[run]!;
      postings.varint(doc - before);
      before = doc;
      word.df++;
      for (let more = true; more; ) {
        const start = at;
        const column = this.#runColumns[run]!;
        let place = 0;
        for (; at < to && occurrences[at * 2] === run; at++) {
          positions.varint(occurrences[at * 2 + 1]! - place);
          place = occurrences[at * 2 + 1]!;
        }
        const count = at - start;
        run = at < to ? occurrences[at * 2]! : 0;
        more = at < to && this.#runDocs[run] === doc;
        postings.byte(column | (count > 1 ? SEVERAL : 0) | (more ? MORE_COLUMNS : 0));
        if (count > 1) postings.varint(count);
      }
    }
    word.last = before - base;
  }
}

function doubled(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(array.length * 2);
  grown.set(array);
  return grown;
}
