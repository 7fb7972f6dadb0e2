/**
 * The writer's side of the `term` table: every indexed word with its stem and about how many documents have
 * it. Counts only bound the work of queries, so they are written when they have doubled, not at every
 * commit (each would change another page), and never shrink before `optimise` reads them afresh.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { stemWord } from '../../../query/words.ts';
import { GAP_ID } from './lexicon.ts';

/** Growth that is worth a write. */
const MIN_GROWTH = 32;
/** Words that are looked up together. */
const MAX_UNKNOWN = 20_000;

export class TermRows {
  readonly #find: StatementSync;
  readonly #insert: StatementSync;
  readonly #update: StatementSync;
  /** By id in the lexicon: count in the table plus one (0: not looked up yet), and growth since. */
  #written = new Uint32Array(0);
  #pending = new Uint32Array(0);
  /** Words to look up, in their order, by word. */
  readonly #unknown = new Map<string, { readonly id: number; readonly documents: number }>();

  constructor(db: DatabaseSync) {
    this.#find = db.prepare(
      'SELECT word, df FROM json_each(?) AS wanted JOIN term ON term.word = wanted.value',
    );
    this.#insert = db.prepare('INSERT INTO term (word, stem, df) VALUES (?, ?, ?)');
    this.#update = db.prepare('UPDATE term SET df = df + ? WHERE word = ?');
  }

  /** With the lexicon, whose ids it goes by. */
  clear(): void {
    this.#written = new Uint32Array(0);
    this.#pending = new Uint32Array(0);
    this.#unknown.clear();
  }

  /** So many more documents have the word. */
  count(id: number, documents: number, wordOf: (id: number) => string): void {
    if (id === GAP_ID) return;
    if (id >= this.#written.length) this.#reserve(id);
    if (this.#written[id] !== 0) this.#grow(id, documents, wordOf);
    else if (this.#unknown.set(wordOf(id), { id, documents }).size >= MAX_UNKNOWN) this.flush();
  }

  /** At the end of a segment: words that were not met before are looked up together. */
  flush(): void {
    for (const row of this.#find.all(JSON.stringify([...this.#unknown.keys()]))) {
      const word = String(row.word);
      const { id, documents } = this.#unknown.get(word)!;
      this.#unknown.delete(word);
      this.#written[id] = Number(row.df) + 1;
      this.#grow(id, documents, () => word);
    }
    for (const [word, { id, documents }] of this.#unknown) {
      this.#insert.run(word, stemWord(word), documents);
      this.#written[id] = documents + 1;
    }
    this.#unknown.clear();
  }

  /** The table was refreshed. */
  correct(id: number, documents: number): void {
    if (!this.#written[id]) return;
    this.#written[id] = documents + 1;
    this.#pending[id] = 0;
  }

  #grow(id: number, documents: number, wordOf: (id: number) => string): void {
    const pending = this.#pending[id]! + documents;
    this.#pending[id] = pending;
    if (pending <= Math.max(this.#written[id]! - 1, MIN_GROWTH)) return;
    this.#update.run(pending, wordOf(id));
    this.#written[id]! += pending;
    this.#pending[id] = 0;
  }

  #reserve(id: number): void {
    const size = Math.max(id + 1, this.#written.length * 2, 4096);
    const written = new Uint32Array(size);
    written.set(this.#written);
    this.#written = written;
    const pending = new Uint32Array(size);
    pending.set(this.#pending);
    this.#pending = pending;
  }
}
