/** Undo of a run: new versions that are equal to what was there before it. Nothing is erased. */
import { GarnerError } from '../../core/errors.ts';
import type { UndoResult } from '../items.ts';
import { REINDEX_RUN } from '../runs.ts';
import { ItemChanges, type VersionRow } from './item-changes.ts';
import { loadItemsByKey } from './item-state.ts';
import { createLeaseHold } from './lease.ts';
import { createRunNotes } from './run-notes.ts';
import { settleItems } from './settle.ts';
import { readDocument } from './stored-document.ts';
import type { StoreWriter } from './writer.ts';

/** Records per transaction: a writer must not hold the store for long. */
const CHUNK = 500;

export function createUndo(writer: StoreWriter) {
  const { db } = writer;
  const holdLease = createLeaseHold(db);
  const noteRun = createRunNotes(db);
  const findRun = db.prepare(
    `SELECT run.source_id, run.status, source.name FROM run JOIN source ON source.id = run.source_id WHERE run.id = ?`,
  );
  // By record: a run that met a record twice is undone to before the first time.
  const listTouched = db.prepare(
    `SELECT v.record_key, min(v.number) AS first, max(v.number) AS last, r.item_key, r.version
     FROM version AS v JOIN record AS r ON r.key = v.record_key
     WHERE v.run_id = ?1 AND v.record_key > ?2 GROUP BY v.record_key ORDER BY v.record_key LIMIT ${CHUNK}`,
  );
  // Fields from before a reindex come back as they were then: the source wants another one.
  const markStale = db.prepare(
    `UPDATE source SET fields_digest = NULL WHERE id = ?1 AND EXISTS (
       SELECT 1 FROM run WHERE source_id = ?1 AND kind = '${REINDEX_RUN}' AND id > ?2)`,
  );
  const findVersion = db.prepare('SELECT * FROM version WHERE record_key = ? AND number = ?');

  return (source: string, runId: number, undone: number, note?: string): UndoResult => {
    const { id: sourceId } = writer.catalogue.getSource(source);
    const run = findRun.get(undone);
    if (!run || Number(run.source_id) !== sourceId)
      throw new GarnerError('run.unknown', `source ${source} has no run ${undone}`);
    const total = { restored: 0, deleted: 0, kept: 0 };
    for (let after = 0, done = false; !done; ) {
      writer.transact((transaction) => {
        holdLease(sourceId, runId, transaction.now);
        const rows = listTouched.all(undone, after).map((row) => ({
          recordKey: Number(row.record_key),
          first: Number(row.first),
          itemKey: Number(row.item_key),
          // A later change counts more than the wish to undo an earlier one.
          changedSince: Number(row.version) !== Number(row.last),
        }));
        const byRecord = new Map(rows.map((row) => [row.recordKey, row]));
        const changes = new ItemChanges(writer, transaction, runId);
        const counts = { added: 0, updated: 0, unchanged: 0, deleted: 0, invalid: 0 };
        const keys = rows.filter(({ changedSince }) => !changedSince).map(({ itemKey }) => itemKey);
        for (const item of loadItemsByKey(writer.statements, keys)) {
          for (const record of item.records) {
            const row = byRecord.get(record.key);
            if (!row || row.changedSince) continue;
            const found = findVersion.get(record.key, row.first - 1);
            const before = found ? (found as { [K in keyof VersionRow]: VersionRow[K] }) : ABSENT;
            const wasLive = before.raw_block !== null;
            // Deleted before, deleted now: the run brought it back and took it away again.
            if (!wasLive && record.live === 0) continue;
            const document = wasLive
              ? readDocument(writer.blocks, before, writer.setup.fields)
              : { fields: {}, words: {} };
            changes.rollBack(item, record, before, document, note ?? `undo of run ${undone}`);
            if (wasLive) counts.updated++;
            else counts.deleted++;
          }
        }
        settleItems(writer, transaction, changes);
        if (counts.updated > 0) markStale.run(sourceId, undone);
        noteRun(runId, transaction.now, counts, {});
        total.restored += counts.updated;
        total.deleted += counts.deleted;
        total.kept += rows.filter(({ changedSince }) => changedSince).length;
        after = rows.at(-1)?.recordKey ?? after;
        done = rows.length < CHUNK;
      });
    }
    return total;
  };
}

/** What a record that came with the run goes back to. */
const ABSENT: VersionRow = {
  digest: null,
  size: 0,
  raw_block: null,
  raw_start: null,
  made_block: null,
  made_start: null,
  made_size: null,
  doc_block: null,
  doc_start: null,
  doc_size: null,
  rest_size: null,
  origin: null,
  held: 0,
};
