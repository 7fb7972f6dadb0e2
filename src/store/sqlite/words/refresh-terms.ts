/** True document counts for the `term` table, read from the dictionaries of the index. */
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../index/in-transaction.ts';
import { DictionaryCursor, Segment } from './segment.ts';
import type { SegmentStore } from './segment-store.ts';
import { decodeWord } from './word-bytes.ts';

/** Rows changed in one transaction. */
const CHUNK = 20_000;

type WordCount = readonly [word: string, count: number];

/**
 * Returns what changed. Words that no document has any more stay with a count of 0: other writers may believe
 * them present.
 */
export function refreshTermCounts(db: DatabaseSync, store: SegmentStore): readonly WordCount[] {
  const changed = inTransaction(db, () => listChanged(db, store), 'DEFERRED');
  const update = db.prepare('UPDATE term SET df = ? WHERE word = ?');
  for (let at = 0; at < changed.length; at += CHUNK) {
    inTransaction(db, () => {
      for (const [word, count] of changed.slice(at, at + CHUNK)) update.run(count, word);
    });
  }
  return changed;
}

function listChanged(db: DatabaseSync, store: SegmentStore): WordCount[] {
  const counts = new Map<string, number>();
  for (const row of store.list()) {
    const cursor = new DictionaryCursor(new Segment(store, row));
    while (cursor.next()) {
      const word = decodeWord(cursor.word.view());
      counts.set(word, (counts.get(word) ?? 0) + cursor.df);
    }
  }
  const changed: WordCount[] = [];
  for (const row of db.prepare('SELECT word, df FROM term').iterate()) {
    const word = String(row.word);
    const count = counts.get(word) ?? 0;
    if (Number(row.df) !== count) changed.push([word, count]);
  }
  return changed;
}
