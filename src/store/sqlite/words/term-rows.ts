/**
 * The writer's side of the `term` table: every indexed word with its stem and about how many documents have
 * it. Counts only bound the work of queries, so they are written when they have doubled, not at every
 * commit (each would change another page), and never shrink before `optimise` reads them afresh.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { stemWord, WORD_GAP } from '../../../query/words.ts';

/** Growth that is worth a write. */
const MIN_GROWTH = 32;

export class TermRows {
  readonly #find: StatementSync;
  readonly #insert: StatementSync;
  readonly #update: StatementSync;
  /** By id in the lexicon: count in the table plus one (0: not looked up yet), and growth since. */
  #written = new Uint32Array(0);
  #pending = new Uint32Array(0);

  constructor(db: DatabaseSync) {
    this.#find = db.prepare('SELECT df FROM term WHERE word = ?');
    this.#insert = db.prepare('INSERT INTO term (word, stem, df) VALUES (?, ?, ?)');
    this.#update = db.prepare('UPDATE term SET df = df + ? WHERE word = ?');
  }

  /** With the lexicon, whose ids it goes by. */
  clear(): void {
    this.#written = new Uint32Array(0);
    this.#pending = new Uint32Array(0);
  }

  /** So many more documents have the word. */
  count(id: number, documents: number, wordOf: (id: number) => string): void {
    if (id >= this.#written.length) this.#reserve(id);
    if (this.#written[id] === 0) {
      this.#learn(id, documents, wordOf(id));
      return;
    }
    const written = this.#written[id]! - 1;
    const pending = this.#pending[id]! + documents;
    this.#pending[id] = pending;
    if (pending <= Math.max(written, MIN_GROWTH)) return;
    this.#update.run(pending, wordOf(id));
    this.#written[id]! += pending;
    this.#pending[id] = 0;
  }

  #learn(id: number, documents: number, word: string): void {
    if (word === WORD_GAP) return;
    const known = this.#find.get(word);
    if (known) {
      this.#written[id] = Number(known.df) + 1;
      this.count(id, documents, () => word);
    } else {
      this.#insert.run(word, stemWord(word), documents);
      this.#written[id] = documents + 1;
    }
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
