/**
 * The dictionary of string values. Values that fold to the same text are one value (a facet and a click
 * on it must agree); the first spelling seen is shown. Ordinals count from 1 and never change.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { foldValue } from '../../../query/words.ts';

/** Values remembered by a writer, over all fields. */
const CACHE_LIMIT = 300_000;

export class DictionaryWriter {
  /** By field id and text as it came, so that most values need no folding. */
  readonly #known = new Map<string, number>();
  readonly #next = new Map<number, number>();
  readonly #find: StatementSync;
  readonly #last: StatementSync;
  readonly #insert: StatementSync;

  constructor(db: DatabaseSync) {
    this.#find = db.prepare('SELECT ordinal FROM value WHERE field_id = ? AND folded = ?');
    this.#last = db.prepare('SELECT max(ordinal) AS last FROM value WHERE field_id = ?');
    this.#insert = db.prepare('INSERT INTO value (field_id, ordinal, text, folded) VALUES (?, ?, ?, ?)');
  }

  /** Other processes may have added values since the last transaction; known ones stay right. */
  begin(): void {
    this.#next.clear();
    if (this.#known.size > CACHE_LIMIT) this.#known.clear();
  }

  /** After a rollback. */
  reset(): void {
    this.#next.clear();
    this.#known.clear();
  }

  ordinalOf(fieldId: number, text: string): number {
    const cacheKey = `${fieldId} ${text}`;
    const known = this.#known.get(cacheKey);
    if (known !== undefined) return known;
    const folded = foldValue(text);
    const found = this.#find.get(fieldId, folded);
    const ordinal = found ? Number(found.ordinal) : this.#add(fieldId, text, folded);
    this.#known.set(cacheKey, ordinal);
    return ordinal;
  }

  #add(fieldId: number, text: string, folded: string): number {
    const ordinal = this.#next.get(fieldId) ?? Number(this.#last.get(fieldId)?.last ?? 0) + 1;
    this.#insert.run(fieldId, ordinal, text, folded);
    this.#next.set(fieldId, ordinal + 1);
    return ordinal;
  }
}
