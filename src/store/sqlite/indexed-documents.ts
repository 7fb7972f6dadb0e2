/** The documents that the index is made of: of every live item its indexed record. */
import type { DatabaseSync } from 'node:sqlite';
import type { FieldSpec, IndexDocument } from '../../core/model.ts';
import { BlockReader } from './blocks.ts';
import { indexedRecordSql } from './item-state.ts';
import { documentPlace, readDocument } from './stored-document.ts';

export interface IndexedDocument {
  /** Of the item. */
  readonly key: number;
  readonly sourceId: number;
  readonly document: IndexDocument;
}

/** In the order of keys, `limit` at a time. */
export function createIndexedDocuments(
  db: DatabaseSync,
  specs: readonly FieldSpec[],
): (afterKey: number, limit: number) => IndexedDocument[] {
  const blocks = new BlockReader(db);
  const list = db.prepare(
    `SELECT i.key, i.source_id, r.doc_block, r.doc_start, r.doc_size, r.rest_size
     FROM item AS i JOIN record AS r
       ON r.key = ${indexedRecordSql('i.key')}
     WHERE i.live = 1 AND i.key > ? ORDER BY i.key LIMIT ?`,
  );
  return (afterKey, limit) =>
    list.all(afterKey, limit).map((row) => ({
      key: Number(row.key),
      sourceId: Number(row.source_id),
      document: readDocument(blocks, documentPlace(row), specs),
    }));
}
