/** Merges all FTS5 segments into one, in steps short enough for other writers to get in between. */
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './in-transaction.ts';

/** Leaf pages written in one transaction. */
const STEP_PAGES = 2000;

/** sqlite.org/fts5.html#the_merge_command: a negative step begins, positive ones go on until nothing changes. */
export function mergeWords(db: DatabaseSync): void {
  const changes = db.prepare('SELECT total_changes() AS n');
  const step = (pages: number): boolean => {
    const before = Number(changes.get()?.n);
    inTransaction(db, () => db.exec(`INSERT INTO words(words, rank) VALUES ('merge', ${pages})`));
    return Number(changes.get()?.n) - before >= 2;
  };
  let more = step(-STEP_PAGES);
  while (more) more = step(STEP_PAGES);
}
