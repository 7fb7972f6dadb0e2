/**
 * The writer's side of the `title` table. Titles come in no order: each would change another page of a large
 * index, at half of all pages that a commit writes. So fresh ones go into a small index, and move to the
 * large one many at a time.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { titleKey } from './title-key.ts';

const MAX_FRESH = 20_000;

export class TitleRows {
  readonly #put: StatementSync;
  readonly #remove: StatementSync;
  readonly #countFresh: StatementSync;
  readonly #settle: StatementSync;

  constructor(db: DatabaseSync) {
    this.#put = db.prepare(
      `INSERT INTO title (item_key, folded, fresh) VALUES (?, ?, 1)
       ON CONFLICT (item_key) DO UPDATE SET folded = excluded.folded, fresh = 1 WHERE folded <> excluded.folded`,
    );
    this.#remove = db.prepare('DELETE FROM title WHERE item_key = ?');
    this.#countFresh = db.prepare('SELECT count(*) AS fresh FROM title WHERE fresh = 1');
    this.#settle = db.prepare('UPDATE title SET fresh = 0 WHERE fresh = 1');
  }

  put(key: number, title: string | undefined): void {
    const folded = title === undefined ? '' : titleKey(title);
    if (folded) this.#put.run(key, folded);
    else this.remove(key);
  }

  remove(key: number): void {
    this.#remove.run(key);
  }

  /** At the end of a commit. */
  settle(most = MAX_FRESH): void {
    if (Number(this.#countFresh.get()?.fresh ?? 0) > most) this.#settle.run();
  }
}

/** Rows of titles that meet a condition, out of both indexes; SQLite merges them when they are to be ordered. */
export const titlesWhere = (condition: string): string =>
  `SELECT item_key, folded FROM title WHERE fresh = 0 AND ${condition}
   UNION ALL SELECT item_key, folded FROM title WHERE fresh = 1 AND ${condition}`;
