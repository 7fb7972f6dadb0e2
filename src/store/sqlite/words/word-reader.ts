/** The segments as one snapshot sees them, opened once each. */
import type { DatabaseSync } from 'node:sqlite';
import type { Validity } from './postings.ts';
import { DictionaryCursor, Segment } from './segment.ts';
import { SegmentStore } from './segment-store.ts';
import { WordDocs } from './word-docs.ts';

/** A segment with a cursor through its dictionary and the rule which of its documents count. */
export interface OpenSegment {
  readonly segment: Segment;
  readonly cursor: DictionaryCursor;
  readonly validity: Validity;
}

export class WordReader {
  readonly docs = new WordDocs();
  readonly #store: SegmentStore;
  #opened = new Map<number, Segment>();
  #segments: readonly OpenSegment[] = [];

  constructor(db: DatabaseSync) {
    this.#store = new SegmentStore(db);
  }

  get segments(): readonly OpenSegment[] {
    return this.#segments;
  }

  /** To the state that the open transaction sees. */
  refresh(): void {
    const rows = this.#store.list();
    this.docs.refresh(this.#store, rows);
    const { generations } = this.docs;
    if (
      rows.length === this.#segments.length &&
      rows.every(({ id }) => this.#opened.has(id)) &&
      this.#segments[0]?.validity.generations === generations
    )
      return;
    const opened = new Map<number, Segment>();
    this.#segments = rows.map((row) => {
      const segment = this.#opened.get(row.id) ?? new Segment(this.#store, row);
      opened.set(row.id, segment);
      const validity = { generations, first: row.first, last: row.last };
      return { segment, cursor: new DictionaryCursor(segment), validity };
    });
    this.#opened = opened;
  }

  /** For a state that may be rolled back, after which ids are given again. */
  forget(): void {
    this.docs.clear();
    this.#opened.clear();
    this.#segments = [];
  }
}
