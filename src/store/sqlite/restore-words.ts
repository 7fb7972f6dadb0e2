/**
 * After a migration that dropped the words: they are made again from the stored documents, in short
 * transactions. The place reached is kept in each of them, so that a killed process leaves the rest to the next.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { FieldSpec } from '../../core/model.ts';
import type { IndexWriter } from './doc-change.ts';
import { inTransaction } from './index/in-transaction.ts';
import { createIndexedDocuments } from './indexed-documents.ts';
import { WORDS_TODO } from './migrate.ts';

const CHUNK = 1000;

export function areWordsDue(db: DatabaseSync): boolean {
  return db.prepare('SELECT 1 FROM meta WHERE name = ?').get(WORDS_TODO) !== undefined;
}

/** Chunk by chunk: others may write in between. Tells how many items of how many are done. */
export function* restoreWords(
  db: DatabaseSync,
  fields: readonly FieldSpec[],
  createWriter: (db: DatabaseSync, fields: readonly FieldSpec[]) => IndexWriter,
): Generator<{ readonly done: number; readonly total: number }> {
  const place = db.prepare('SELECT value FROM meta WHERE name = ?');
  const move = db.prepare('UPDATE meta SET value = ? WHERE name = ?');
  const finish = db.prepare('DELETE FROM meta WHERE name = ?');
  const list = createIndexedDocuments(db, fields);
  const index = createWriter(db, fields);
  const left = db.prepare('SELECT count(*) AS n FROM item WHERE live = 1 AND key > ?');
  const restoreSome = (): number | undefined => {
    // Another process may do the same work, chunk by chunk.
    const reached = place.get(WORDS_TODO);
    if (!reached) return undefined;
    const documents = list(Number(reached.value), CHUNK);
    index.restoreWords(documents.map(({ key, document }) => ({ key, words: document.words })));
    const last = documents.at(-1);
    if (last && documents.length === CHUNK) move.run(last.key, WORDS_TODO);
    else finish.run(WORDS_TODO);
    return documents.length;
  };
  const total = Number(left.get(Number(place.get(WORDS_TODO)?.value ?? 0))?.n);
  let done = 0;
  for (;;) {
    const restored = inTransaction(db, restoreSome);
    if (restored === undefined) return;
    done += restored;
    yield { done, total };
  }
}
