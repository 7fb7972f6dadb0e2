/** The writer's statements on items and records, prepared once. */
import type { DatabaseSync } from 'node:sqlite';

/** A `record` row. */
export interface RecordRow {
  key: number;
  item_key: number;
  source_id: number;
  format_id: number;
  live: number;
  datestamp: number;
  seq: number;
  version: number;
  digest: Uint8Array;
  size: number;
  raw_block: number | null;
  raw_start: number | null;
  made_block: number | null;
  made_start: number | null;
  made_size: number | null;
  doc_block: number | null;
  doc_start: number | null;
  doc_size: number | null;
  rest_size: number | null;
  entry_id: number | null;
  seen_run: number;
  held: number;
  left_public: number;
}

/** An `item` row beside one of its records (whose columns are null when it has none). */
export interface ItemAndRecordRow extends RecordRow {
  readonly i_key: number;
  readonly i_source_id: number;
  readonly identifier: string;
  readonly oai_identifier: string;
  readonly i_live: number;
  readonly access_id: number;
  readonly own_access: number;
  readonly held_access: number | null;
  readonly i_left_public: number;
  readonly title: string | null;
}

const ITEM_AND_RECORD = `i.key AS i_key, i.source_id AS i_source_id, i.identifier, i.oai_identifier,
  i.live AS i_live, i.access_id, i.own_access, i.held_access, i.left_public AS i_left_public, i.title, r.*`;

export const prepareItemStatements = (db: DatabaseSync) => ({
  itemsByIdentifier: db.prepare(
    `SELECT ${ITEM_AND_RECORD} FROM json_each(?1) AS wanted
     CROSS JOIN item AS i ON i.source_id = ?2 AND i.identifier = wanted.value
     LEFT JOIN record AS r ON r.item_key = i.key`,
  ),
  itemsByKey: db.prepare(
    `SELECT ${ITEM_AND_RECORD} FROM json_each(?1) AS wanted
     CROSS JOIN item AS i ON i.key = wanted.value LEFT JOIN record AS r ON r.item_key = i.key`,
  ),
  // A URI that another item has is no error: the next candidate is tried.
  insertItem: db.prepare(
    `INSERT INTO item (source_id, identifier, oai_identifier, live, access_id, own_access, first_seen_at, title, datestamp)
     VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?) ON CONFLICT (oai_identifier) DO NOTHING`,
  ),
  updateItem: db.prepare(
    `UPDATE item SET live = ?, access_id = ?, own_access = ?, held_access = ?, left_public = ?, title = ?
     WHERE key = ?`,
  ),
  insertRecord: db.prepare(
    `INSERT INTO record (item_key, source_id, format_id, live, datestamp, seq, version, digest, size,
       raw_block, raw_start, made_block, made_start, made_size, doc_block, doc_start, doc_size, rest_size,
       entry_id, seen_run, held)
     VALUES (?, ?, ?, 1, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ),
  updateRecord: db.prepare(
    `UPDATE record SET live = ?, datestamp = ?, seq = ?, version = ?, digest = ?, size = ?,
       raw_block = ?, raw_start = ?, made_block = ?, made_start = ?, made_size = ?,
       doc_block = ?, doc_start = ?, doc_size = ?, rest_size = ?, entry_id = ?, seen_run = ?, held = ?
     WHERE key = ?`,
  ),
  markSeen: db.prepare('UPDATE record SET seen_run = ?, entry_id = ? WHERE key = ?'),
  moveDatestamps: db.prepare('UPDATE record SET datestamp = ?, seq = ? WHERE item_key = ?'),
  setLeftPublic: db.prepare('UPDATE record SET left_public = ? WHERE key = ?'),
  holdVersion: db.prepare('UPDATE version SET held = ? WHERE record_key = ? AND number = ?'),
  moveItemDatestamp: db.prepare('UPDATE item SET datestamp = ?1 WHERE key = ?2 AND datestamp < ?1'),
  insertVersion: db.prepare(
    `INSERT INTO version (record_key, number, at, seq, run_id, change, digest, size, raw_block, raw_start,
       made_block, made_start, made_size, doc_block, doc_start, doc_size, rest_size, origin, note, held)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ),
  replaceVersionDocument: db.prepare(
    `UPDATE version SET made_block = ?, made_start = ?, made_size = ?,
       doc_block = ?, doc_start = ?, doc_size = ?, rest_size = ? WHERE record_key = ? AND number = ?`,
  ),
  setsOfItems: db.prepare(
    'SELECT item_key, set_id AS id FROM item_set WHERE gone IS NULL AND item_key IN (SELECT value FROM json_each(?))',
  ),
  viewsOfItems: db.prepare(
    'SELECT item_key, view_id AS id FROM item_view WHERE gone IS NULL AND item_key IN (SELECT value FROM json_each(?))',
  ),
  enterSet: db.prepare(
    `INSERT INTO item_set (item_key, set_id, since) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET since = excluded.since, gone = NULL`,
  ),
  leaveSet: db.prepare('UPDATE item_set SET gone = ? WHERE item_key = ? AND set_id = ?'),
  enterView: db.prepare(
    `INSERT INTO item_view (item_key, view_id, since) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET since = excluded.since, gone = NULL`,
  ),
  leaveView: db.prepare('UPDATE item_view SET gone = ? WHERE item_key = ? AND view_id = ?'),
  countItems: db.prepare(
    `UPDATE source SET live_items = live_items + ?, deleted_items = deleted_items + ?, changed_at = ?
     WHERE id = ?`,
  ),
});

export type ItemStatements = ReturnType<typeof prepareItemStatements>;
