/** True document counts for the `term` table, read from the index itself. */
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './in-transaction.ts';

/** Rows changed in one transaction. */
const CHUNK = 20_000;

/** Words that no document has any more stay with a count of 0: other writers may believe them present. */
export function refreshTermCounts(db: DatabaseSync): void {
  db.exec('CREATE VIRTUAL TABLE IF NOT EXISTS temp.word_counts USING fts5vocab(main, words, row)');
  const counts = new Map<string, number>();
  for (const row of db.prepare('SELECT term, doc FROM temp.word_counts').iterate()) {
    counts.set(String(row.term), Number(row.doc));
  }
  const changed: [word: string, count: number][] = [];
  for (const row of db.prepare('SELECT word, df FROM term').iterate()) {
    const word = String(row.word);
    const count = counts.get(word) ?? 0;
    if (Number(row.df) !== count) changed.push([word, count]);
  }
  const update = db.prepare('UPDATE term SET df = ? WHERE word = ?');
  for (let at = 0; at < changed.length; at += CHUNK) {
    inTransaction(db, () => {
      for (const [word, count] of changed.slice(at, at + CHUNK)) update.run(count, word);
    });
  }
}
