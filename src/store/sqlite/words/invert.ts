/**
 * From documents to postings. The words of a batch become numbers, the numbers are sorted by counting, and
 * the lists are written word by word.
 */
import { WORD_GAP } from '../../../query/words.ts';
import { ByteSink } from './byte-sink.ts';
import type { DocWords } from './doc-words.ts';
import type { Lexicon } from './lexicon.ts';
import { COLUMN_COUNT, MORE_COLUMNS, SEVERAL } from './postings.ts';

/** One line: its document and column, and where its words stand among those of the batch. */
interface Run {
  readonly doc: number;
  readonly column: number;
  readonly start: number;
}

export interface InvertedWord {
  readonly id: number;
  readonly df: number;
  readonly last: number;
}

export class Inverter {
  readonly #lexicon: Lexicon;
  readonly #gap: number;
  readonly #runs: Run[] = [];
  readonly #keys: number[] = [];
  readonly #lengths: number[] = [];
  #words = new Uint32Array(1 << 14);
  #used = 0;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
    let gap = 0;
    lexicon.readLine(WORD_GAP, (id) => {
      gap = id;
    });
    this.#gap = gap;
  }

  /** Words of the batch so far. */
  get size(): number {
    return this.#used;
  }

  get keys(): readonly number[] {
    return this.#keys;
  }

  get lengths(): readonly number[] {
    return this.#lengths;
  }

  /** Keys must ascend. */
  add({ key, columns }: DocWords): void {
    let length = 0;
    const take = (id: number) => {
      if (this.#used === this.#words.length) {
        const grown = new Uint32Array(this.#used * 2);
        grown.set(this.#words);
        this.#words = grown;
      }
      this.#words[this.#used++] = id;
      if (id !== this.#gap) length++;
    };
    for (const { column, line } of columns) {
      this.#runs.push({ doc: key, column: Math.min(column, COLUMN_COUNT - 1), start: this.#used });
      this.#lexicon.readLine(line, take);
    }
    this.#keys.push(key);
    this.#lengths.push(length);
  }

  /** Every word in order, with its postings and positions in the sinks, which are reused. */
  write(base: number, each: (word: InvertedWord, postings: ByteSink, positions: ByteSink) => void): void {
    const order = this.#lexicon.settleOrder();
    // Where each word's occurrences begin, then (after the scattering) where they end.
    const ends = new Uint32Array(this.#lexicon.size);
    for (let i = 0; i < this.#used; i++) ends[this.#words[i]!]!++;
    let sum = 0;
    for (const id of order) {
      const count = ends[id]!;
      ends[id] = sum;
      sum += count;
    }
    const runOf = new Uint32Array(this.#used);
    const placeOf = new Uint32Array(this.#used);
    for (let run = 0; run < this.#runs.length; run++) {
      const { start } = this.#runs[run]!;
      const end = this.#runs[run + 1]?.start ?? this.#used;
      for (let i = start; i < end; i++) {
        const slot = ends[this.#words[i]!]!++;
        runOf[slot] = run;
        placeOf[slot] = i - start;
      }
    }
    const postings = new ByteSink(1 << 12);
    const positions = new ByteSink(1 << 12);
    let from = 0;
    for (const id of order) {
      const to = ends[id]!;
      if (to === from) continue;
      postings.clear();
      positions.clear();
      const { df, last } = this.#writeList(base, runOf, placeOf, from, to, postings, positions);
      each({ id, df, last }, postings, positions);
      from = to;
    }
  }

  #writeList(
    base: number,
    runOf: Uint32Array,
    placeOf: Uint32Array,
    from: number,
    to: number,
    postings: ByteSink,
    positions: ByteSink,
  ): { df: number; last: number } {
    let before = base;
    let df = 0;
    for (let at = from; at < to; ) {
      const { doc } = this.#runs[runOf[at]!]!;
      postings.varint(doc - before);
      before = doc;
      df++;
      for (let more = true; more; ) {
        const run = runOf[at]!;
        const { column } = this.#runs[run]!;
        const start = at;
        let place = 0;
        for (; at < to && runOf[at] === run; at++) {
          positions.varint(placeOf[at]! - place);
          place = placeOf[at]!;
        }
        const count = at - start;
        more = at < to && this.#runs[runOf[at]!]!.doc === doc;
        postings.byte(column | (count > 1 ? SEVERAL : 0) | (more ? MORE_COLUMNS : 0));
        if (count > 1) postings.varint(count);
      }
    }
    return { df, last: before - base };
  }
}
