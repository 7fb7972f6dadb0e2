/** The word index's part of a commit: one new segment, and some merging of older ones. */
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../index/in-transaction.ts';
import { emptyRange, setRange } from './byte-sink.ts';
import { encodeDocs } from './doc-list.ts';
import type { DocWords } from './doc-words.ts';
import { Inverter } from './invert.ts';
import { Lexicon } from './lexicon.ts';
import { beginMerge, stepMerge } from './merge.ts';
import { chooseMerge } from './merge-policy.ts';
import { refreshTermCounts } from './refresh-terms.ts';
import { SegmentStore } from './segment-store.ts';
import { SegmentWriter } from './segment-writer.ts';
import { TermRows } from './term-rows.ts';
import { WordDocs } from './word-docs.ts';

/** Words of documents that make a segment; a commit with more makes several. */
const MAX_WORDS = 2 << 20;
/** A commit may merge so many times the bytes that it wrote: more than the levels that a byte goes through. */
const MERGE_SHARE = 6;
const MIN_MERGE_BYTES = 1 << 20;
/** Chunks of merged segments that one commit deletes. */
const SWEPT_CHUNKS = 1024;
/** In one transaction of `optimise`, so that other writers get in between. */
const STEP_BYTES = 16 << 20;

export class WordWriter {
  readonly #db: DatabaseSync;
  readonly #store: SegmentStore;
  readonly #lexicon = new Lexicon();
  readonly #batch = new Inverter(this.#lexicon);
  readonly #terms: TermRows;
  readonly #docs = new WordDocs();

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#store = new SegmentStore(db);
    this.#terms = new TermRows(db);
  }

  /** `documents` in the order of their keys, each of them once; runs in the caller's transaction. */
  put(documents: Iterable<DocWords>, removedKeys: readonly number[]): void {
    let removed = Uint32Array.from(removedKeys).sort();
    const batch = this.#batch;
    let bytes = 0;
    const flush = () => {
      if (batch.keys.length === 0 && removed.length === 0) return;
      bytes += this.#writeSegment(batch, removed);
      removed = new Uint32Array();
      batch.clear();
      if (this.#lexicon.isFull) this.#forget();
    };
    for (const document of documents) {
      batch.add(document);
      if (batch.size > MAX_WORDS) flush();
    }
    flush();
    this.#merge(Math.max(MIN_MERGE_BYTES, bytes * MERGE_SHARE));
    this.#store.sweep(SWEPT_CHUNKS);
  }

  /** After a rollback. */
  reset(): void {
    this.#forget();
    this.#docs.clear();
  }

  /** Merges everything into one segment and counts words exactly. */
  optimise(): void {
    inTransaction(this.#db, () => {
      const segments = this.#store.list();
      if (segments.length < 2) return;
      for (const { id } of this.#store.listMerges()) this.#store.drop(id);
      beginMerge(this.#store, segments);
    });
    while (inTransaction(this.#db, () => this.#step(STEP_BYTES))) {
      // Each step in a transaction of its own.
    }
    while (inTransaction(this.#db, () => this.#store.sweep(SWEPT_CHUNKS))) {
      // The same with what was merged away.
    }
    for (const [word, count] of refreshTermCounts(this.#db, this.#store)) {
      this.#lexicon.readLine(word, (id) => this.#terms.correct(id, count));
    }
  }

  #writeSegment(batch: Inverter, removed: Uint32Array): number {
    const keys = Uint32Array.from(batch.keys);
    const { id, generation } = this.#store.nextIds();
    const base = keys[0] ?? 0;
    const writer = new SegmentWriter(this.#store, { id, first: generation, last: generation, base });
    const wordOf = (word: number) => this.#lexicon.wordOf(word);
    const word = { ...emptyRange(), bytes: this.#lexicon.arena };
    const ranges = { postings: emptyRange(), positions: emptyRange() };
    batch.write(base, ({ id: wordId, df, last }, postings, positions) => {
      word.from = this.#lexicon.startOf(wordId);
      word.to = this.#lexicon.startOf(wordId + 1);
      writer.add(word, df, last, setRange(ranges.postings, postings), setRange(ranges.positions, positions));
      this.#terms.count(wordId, df, wordOf);
    });
    this.#terms.flush();
    writer.finish(encodeDocs({ keys, lengths: Uint32Array.from(batch.lengths), removed }));
    return writer.bytes;
  }

  #merge(budget: number): void {
    const merging = this.#store.listMerges();
    const due = chooseMerge(this.#store.list(), merging);
    if (due) beginMerge(this.#store, due);
    else if (merging.length === 0) return;
    for (let left = budget; left > 0; ) {
      const done = this.#step(left);
      if (!done) return;
      left -= done;
    }
  }

  /** One step of the newest merge; bytes written, or 0 when no merge is under way. */
  #step(budget: number): number {
    const [merge] = this.#store.listMerges();
    if (!merge) return 0;
    this.#docs.refresh(this.#store, this.#store.list());
    return stepMerge(this.#store, merge, this.#docs, budget) + 1;
  }

  #forget(): void {
    this.#batch.clear();
    this.#lexicon.clear();
    this.#terms.clear();
  }
}
