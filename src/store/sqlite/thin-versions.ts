/**
 * Old versions that give their bytes back. Their rows stay, so that the history still tells of them; never the
 * first, the newest, or one that is pinned. `optimise` removes the blocks that nobody needs any longer.
 */
import { GarnerError } from '../../core/errors.ts';
import type { ItemRef } from '../../core/model.ts';
import { findIndexedRecord, loadItemsByIdentifier } from './item-state.ts';
import type { RecordRow } from './item-statements.ts';
import { createLeaseHold } from './lease.ts';
import type { StoreWriter } from './writer.ts';

export function createThinning(writer: StoreWriter) {
  const { db } = writer;
  const holdLease = createLeaseHold(db);
  const setPin = db.prepare(
    `UPDATE version SET origin = CASE ?3 WHEN 1 THEN json_set(coalesce(origin, '{}'), '$.pinned', json('true'))
       ELSE json_remove(origin, '$.pinned') END
     WHERE record_key = ?1 AND number = ?2`,
  );
  const thin = db.prepare(
    `UPDATE version SET raw_block = NULL, raw_start = NULL, made_block = NULL, made_start = NULL,
       made_size = NULL, doc_block = NULL, doc_start = NULL, doc_size = NULL, rest_size = NULL,
       origin = json_set(coalesce(origin, '{}'), '$.thinnedAt', ?4)
     WHERE record_key = ?1 AND number = ?2 AND number > 1 AND number < ?3 AND raw_block IS NOT NULL
       AND json_extract(origin, '$.pinned') IS NULL`,
  );

  function getRecord(ref: ItemRef, format: string | undefined, runId: number, now: number): RecordRow {
    const { catalogue, statements } = writer;
    const source = catalogue.getSource(ref.source);
    holdLease(source.id, runId, now);
    const item = loadItemsByIdentifier(statements, source.id, [ref.identifier]).get(ref.identifier);
    const record =
      format === undefined
        ? item && (findIndexedRecord(item.records) ?? item.records[0])
        : item?.records.find((one) => catalogue.formats.name(one.format_id) === format);
    if (!record) throw new GarnerError('item.unknown', `${ref.source} has no item ${ref.identifier}`);
    return record;
  }

  return {
    pinVersion: (
      ref: ItemRef,
      choice: { format?: string; version: number },
      pinned: boolean,
      runId: number,
    ): void =>
      writer.transact(({ now }) => {
        const record = getRecord(ref, choice.format, runId, now);
        if (setPin.run(record.key, choice.version, pinned ? 1 : 0).changes === 0)
          throw new GarnerError('version.unknown', `${ref.identifier} has no version ${choice.version}`);
      }),

    thinVersions: (
      ref: ItemRef,
      choice: { format?: string; versions: readonly number[] },
      runId: number,
    ): readonly number[] =>
      writer.transact(({ now }) => {
        const record = getRecord(ref, choice.format, runId, now);
        return choice.versions.filter(
          (number) => thin.run(record.key, number, record.version, now).changes > 0,
        );
      }),
  };
}
