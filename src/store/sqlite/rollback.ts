/** A new version equal to an old one. */
import { GarnerError } from '../../core/errors.ts';
import type { ItemRef } from '../../core/model.ts';
import type { VersionInfo } from '../items.ts';
import { REINDEX_RUN } from '../runs.ts';
import { ItemChanges, type VersionRow } from './item-changes.ts';
import { findIndexedRecord, loadItemsByIdentifier } from './item-state.ts';
import { createLeaseHold } from './lease.ts';
import { createRunNotes } from './run-notes.ts';
import { settleItems } from './settle.ts';
import { readDocument } from './stored-document.ts';
import type { StoreWriter } from './writer.ts';

export function createRollback(writer: StoreWriter) {
  const { db } = writer;
  const holdLease = createLeaseHold(db);
  const noteRun = createRunNotes(db);
  const findVersion = db.prepare('SELECT * FROM version WHERE record_key = ? AND number = ?');
  // Its fields were extracted before the definitions changed: the source wants another reindex.
  const markStale = db.prepare(
    `UPDATE source SET fields_digest = NULL WHERE id = ?1 AND EXISTS (
       SELECT 1 FROM run WHERE source_id = ?1 AND kind = '${REINDEX_RUN}' AND id > ?2)`,
  );

  return (
    ref: ItemRef,
    choice: { format?: string; version: number },
    runId: number,
    note?: string,
  ): VersionInfo =>
    writer.transact((transaction) => {
      const { catalogue, statements } = writer;
      const source = catalogue.getSource(ref.source);
      holdLease(source.id, runId, transaction.now);
      const item = loadItemsByIdentifier(statements, source.id, [ref.identifier]).get(ref.identifier);
      if (!item) throw new GarnerError('item.unknown', `${ref.source} has no item ${ref.identifier}`);
      const record =
        choice.format === undefined
          ? (findIndexedRecord(item.records) ?? item.records[0])
          : item.records.find((one) => catalogue.formats.name(one.format_id) === choice.format);
      const row = record && findVersion.get(record.key, choice.version);
      if (!record || !row) {
        throw new GarnerError('version.unknown', `${ref.identifier} has no version ${choice.version}`, {
          details: { version: choice.version, ...(choice.format ? { format: choice.format } : {}) },
        });
      }
      const old = row as { [K in keyof VersionRow]: VersionRow[K] };
      const changes = new ItemChanges(writer, transaction, runId);
      changes.rollBack(
        item,
        record,
        old,
        readDocument(writer.blocks, old, writer.setup.fields),
        note ?? null,
      );
      settleItems(writer, transaction, changes);
      markStale.run(source.id, Number(row.run_id));
      noteRun(runId, transaction.now, { added: 0, updated: 1, unchanged: 0, deleted: 0, invalid: 0 }, {});
      return {
        format: catalogue.formats.name(record.format_id),
        version: record.version,
        at: transaction.now,
        change: 'rolled-back',
        runId,
        ...(record.live ? { digest: Buffer.from(record.digest).toString('hex') } : {}),
        size: record.live ? record.size : 0,
        ...(note === undefined ? {} : { note }),
      };
    });
}
