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

export function restoreWords(
  db: DatabaseSync,
  fields: readonly FieldSpec[],
  createWriter: (db: DatabaseSync, fields: readonly FieldSpec[]) => IndexWriter,
): void {
  const place = db.prepare('SELECT value FROM meta WHERE name = ?');
  const move = db.prepare('UPDATE meta SET value = ? WHERE name = ?');
  const finish = db.prepare('DELETE FROM meta WHERE name = ?');
  const list = createIndexedDocuments(db, fields);
  const index = createWriter(db, fields);
  const restoreSome = (): boolean => {
    // Another process may do the same work, chunk by chunk.
    const reached = place.get(WORDS_TODO);
    if (!reached) return false;
    const documents = list(Number(reached.value), CHUNK);
    index.restoreWords(documents.map(({ key, document }) => ({ key, words: document.words })));
    const last = documents.at(-1);
    if (last && documents.length === CHUNK) move.run(last.key, WORDS_TODO);
    else finish.run(WORDS_TODO);
    return true;
  };
  while (inTransaction(db, restoreSome)) {
    // Others may write between two chunks.
  }
}
