/** Sources and their raw records, for those who care for whole sources. */
import type { DatabaseSync } from 'node:sqlite';
import type { LiveItem, RawRecord, SourceState } from '../items.ts';
import type { BlockReader } from './blocks.ts';
import { readSnapshot } from './database.ts';
import { indexedRecordSql } from './item-state.ts';
import { readStoredFields } from './stored-document.ts';

const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));

export function createSourceReader(db: DatabaseSync, blocks: BlockReader, fieldsDigest: string) {
  const listSources = db.prepare(
    `SELECT source.*, (SELECT max(id) FROM run WHERE source_id = source.id) AS last_run FROM source ORDER BY name`,
  );
  const listStale = db.prepare(
    `SELECT name FROM source WHERE live_items > 0 AND fields_digest IS NOT ? ORDER BY name`,
  );
  // `+`: in the order of the keys, not of an index that would want sorting.
  const listRaw = db.prepare(
    `SELECT r.key, i.identifier, f.name AS format, r.raw_block, r.raw_start, r.size
     FROM record AS r CROSS JOIN item AS i ON i.key = r.item_key CROSS JOIN format AS f ON f.id = r.format_id
     WHERE +r.source_id = (SELECT id FROM source WHERE name = ?1) AND r.key > ?2 AND r.live = 1
     ORDER BY r.key LIMIT ?3`,
  );

  const listLive = db.prepare(
    `SELECT i.key, s.name AS source, i.identifier, r.doc_block, r.doc_start, r.doc_size, r.rest_size
     FROM item AS i CROSS JOIN source AS s ON s.id = i.source_id CROSS JOIN record AS r
       ON r.key = ${indexedRecordSql('i.key')}
     WHERE i.key > ?1 AND i.live = 1 ORDER BY i.key LIMIT ?2`,
  );

  return {
    listLive: (afterKey: number, limit: number): readonly LiveItem[] =>
      readSnapshot(db, () =>
        listLive.all(afterKey, limit).map((row) => ({
          key: Number(row.key),
          source: String(row.source),
          identifier: String(row.identifier),
          fields: readStoredFields(blocks, {
            doc_block: numberOrNull(row.doc_block),
            doc_start: numberOrNull(row.doc_start),
            doc_size: numberOrNull(row.doc_size),
            rest_size: numberOrNull(row.rest_size),
          }),
        })),
      ),

    listSources: (): readonly SourceState[] =>
      readSnapshot(db, () =>
        listSources.all().map((row) => ({
          name: String(row.name),
          liveItems: Number(row.live_items),
          deletedItems: Number(row.deleted_items),
          ...(row.dropped_at === null ? {} : { droppedAt: Number(row.dropped_at) }),
          ...(row.last_run === null ? {} : { lastRunId: Number(row.last_run) }),
          ...(row.changed_at === null ? {} : { lastChangeAt: Number(row.changed_at) }),
        })),
      ),

    listStale: (): readonly string[] =>
      readSnapshot(db, () => listStale.all(fieldsDigest).map(({ name }) => String(name))),

    listRaw: (source: string, afterRecordKey: number, limit: number): readonly RawRecord[] =>
      readSnapshot(db, () =>
        listRaw.all(source, afterRecordKey, limit).map((row) => ({
          source,
          identifier: String(row.identifier),
          recordKey: Number(row.key),
          format: String(row.format),
          bytes: blocks.read(Number(row.raw_block), Number(row.raw_start), Number(row.size)).slice(),
        })),
      ),
  };
}
