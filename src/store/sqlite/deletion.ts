/** Tombstones for many records: those a run did not see again, or all of a source. */
import { GarnerError } from '../../core/errors.ts';
import type { CommitResult } from '../items.ts';
import { readSnapshot } from './database.ts';
import { ItemChanges } from './item-changes.ts';
import { loadItemsByKey } from './item-state.ts';
import { createLeaseHold } from './lease.ts';
import { createRunNotes } from './run-notes.ts';
import { settleItems } from './settle.ts';
import type { StoreWriter } from './writer.ts';

/** Records per transaction, so that no other writer waits long. */
const CHUNK = 1000;

/**
 * Not seen by the run or by the interrupted ones it goes on with (?2 is the first of them); or its entry
 * was read since, and it was no longer in there. What is missing by name is there, and could not be read.
 */
const VANISHED = `record AS r LEFT JOIN entry AS e ON e.id = r.entry_id
  WHERE +r.source_id = ?1 AND r.live = 1
    AND (CASE WHEN e.id IS NULL THEN r.seen_run < ?2 ELSE e.seen_run < ?2 OR r.seen_run < e.read_run END)
    AND NOT EXISTS (SELECT 1 FROM loss AS l JOIN item AS i ON i.key = r.item_key
      WHERE l.source_id = ?1 AND l.name = i.identifier)`;

/** The second half of it alone, whichever run read the entry: what a guard held back stays due. */
const VANISHED_INSIDE = `record AS r JOIN entry AS e ON e.id = r.entry_id
  WHERE e.source_id = ?1 AND ?2 IS NOT NULL AND r.live = 1 AND r.seen_run < e.read_run`;

export function createDeletion(writer: StoreWriter) {
  const { db } = writer;
  const holdLease = createLeaseHold(db);
  const noteRun = createRunNotes(db);
  const baseRun = db.prepare('SELECT base_run FROM run WHERE id = ? AND source_id = ?');
  const countVanished = (from: string) => db.prepare(`SELECT count(*) AS n FROM ${from}`);
  const counts = { whole: countVanished(VANISHED), partial: countVanished(VANISHED_INSIDE) };
  const countLive = db.prepare('SELECT count(*) AS n FROM record WHERE source_id = ? AND live = 1');
  const listVanished = (from: string) =>
    db.prepare(`SELECT r.key, r.item_key FROM ${from} AND r.key > ?3 ORDER BY r.key LIMIT ${CHUNK}`);
  const lists = { whole: listVanished(VANISHED), partial: listVanished(VANISHED_INSIDE) };
  const listLive = db.prepare(
    `SELECT key, item_key FROM record WHERE +source_id = ?1 AND ?2 IS NOT NULL AND live = 1 AND key > ?3
     ORDER BY key LIMIT ${CHUNK}`,
  );
  const forgetEntries = db.prepare('DELETE FROM entry WHERE source_id = ? AND seen_run < ?');
  const forgetLosses = db.prepare('DELETE FROM loss WHERE source_id = ?');
  const markDropped = db.prepare('UPDATE source SET dropped_at = ?, changed_at = ? WHERE id = ?');

  function getBaseRun(sourceId: number, runId: number): number {
    const row = baseRun.get(runId, sourceId);
    if (!row) throw new GarnerError('run.unknown', `run ${runId} is not one of this source`);
    return Number(row.base_run);
  }

  function deleteAll(list: typeof listLive, sourceId: number, runId: number, base: number): CommitResult {
    const total = { added: 0, updated: 0, unchanged: 0, deleted: 0, invalid: 0, seq: 0 };
    for (let after = 0, done = false; !done; ) {
      writer.transact((transaction) => {
        holdLease(sourceId, runId, transaction.now);
        const rows = list.all(sourceId, base, after);
        const wanted = new Set(rows.map((row) => Number(row.key)));
        const changes = new ItemChanges(writer, transaction, runId);
        for (const item of loadItemsByKey(
          writer.statements,
          rows.map((row) => Number(row.item_key)),
        )) {
          for (const record of item.records) if (wanted.has(record.key)) changes.deleteRecord(item, record);
        }
        settleItems(writer, transaction, changes);
        noteRun(
          runId,
          transaction.now,
          { added: 0, updated: 0, unchanged: 0, deleted: rows.length, invalid: 0 },
          {},
        );
        total.deleted += rows.length;
        total.seq = transaction.changed ? transaction.seq : transaction.seq - 1;
        after = Number(rows.at(-1)?.key ?? after);
        done = rows.length < CHUNK;
      });
    }
    return total;
  }

  return {
    countVanished(
      source: string,
      runId: number,
      { partial = false }: { partial?: boolean } = {},
    ): { vanished: number; live: number } {
      return readSnapshot(db, () => {
        const { id } = writer.catalogue.getSource(source);
        return {
          vanished: Number(counts[partial ? 'partial' : 'whole'].get(id, getBaseRun(id, runId))?.n),
          live: Number(countLive.get(id)?.n),
        };
      });
    },

    deleteVanished(
      source: string,
      runId: number,
      { partial = false }: { partial?: boolean } = {},
    ): CommitResult {
      const { id } = writer.catalogue.getSource(source);
      const base = getBaseRun(id, runId);
      const result = deleteAll(lists[partial ? 'partial' : 'whole'], id, runId, base);
      if (partial) return result;
      // Only now: until the last of its records is gone, an entry tells why they go.
      writer.transact(({ now }) => {
        holdLease(id, runId, now);
        forgetEntries.run(id, base);
      });
      return result;
    },

    dropSource(source: string, runId: number): CommitResult {
      const { id } = writer.catalogue.getSource(source);
      const result = deleteAll(listLive, id, runId, 0);
      writer.transact(({ now }) => {
        holdLease(id, runId, now);
        forgetEntries.run(id, Number.MAX_SAFE_INTEGER);
        forgetLosses.run(id);
        markDropped.run(now, now, id);
      });
      return result;
    },
  };
}
