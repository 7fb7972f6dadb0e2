/** What is missing, in SQLite. */
import type { DatabaseSync } from 'node:sqlite';
import type { CommitBatch } from '../items.ts';
import type { KnownLoss, LossCount, LossStore } from '../losses.ts';
import { readSnapshot } from './database.ts';
import type { StoreWriter } from './writer.ts';

const SHOWN_NAMES = 3;

/** Part of a commit: what its batch brings is no longer missing, what it lacks is. */
export function createLossNotes(db: DatabaseSync): (sourceId: number, batch: CommitBatch) => void {
  const any = db.prepare('SELECT 1 FROM loss WHERE source_id = ? LIMIT 1');
  const forget = db.prepare('DELETE FROM loss WHERE source_id = ? AND list = ? AND name = ?');
  const forgetPlace = db.prepare('DELETE FROM loss WHERE source_id = ? AND list = ? AND place = ?');
  const note = db.prepare(
    `INSERT INTO loss (source_id, list, name, identifier, at, code, message, place, line, first_run, last_run)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10)
     ON CONFLICT (source_id, name, list) DO UPDATE SET identifier = excluded.identifier,
       at = coalesce(excluded.at, at), code = excluded.code, message = excluded.message, place = excluded.place,
       line = excluded.line, last_run = excluded.last_run`,
  );
  return (sourceId, { losses, records = [], deletions = [], runId }) => {
    if (!losses) return;
    const { list, lost, found = [], wholePlaces = [] } = losses;
    if (any.get(sourceId)) {
      for (const { identifier } of [...records, ...deletions]) forget.run(sourceId, list, identifier);
      for (const name of found) forget.run(sourceId, list, name);
      for (const place of wholePlaces) forgetPlace.run(sourceId, list, place);
    }
    for (const { name, identifier, at, code, message, where, line } of lost)
      note.run(
        sourceId,
        list,
        name,
        identifier ?? null,
        at ?? null,
        code,
        message,
        where ?? null,
        line ?? null,
        runId,
      );
  };
}

const SOURCE = '(SELECT id FROM source WHERE name = ?1)';

function createLossCount(db: DatabaseSync): (source: string) => LossCount {
  const count = db.prepare(
    `SELECT count(*) - count(accepted_at) AS open, count(accepted_at) AS accepted,
       count(*) - count(identifier) AS nameless FROM loss WHERE source_id = ${SOURCE}`,
  );
  const names = db.prepare(
    `SELECT name FROM loss WHERE source_id = ${SOURCE} AND accepted_at IS NULL ORDER BY id LIMIT ${SHOWN_NAMES}`,
  );
  return (source) => {
    const row = count.get(source);
    return {
      open: Number(row?.open),
      accepted: Number(row?.accepted),
      nameless: Number(row?.nameless),
      names: names.all(source).map(({ name }) => String(name)),
    };
  };
}

export function createLossReader(db: DatabaseSync) {
  const count = createLossCount(db);
  const list = db.prepare(`SELECT * FROM loss WHERE source_id = ${SOURCE} AND id > ?2 ORDER BY id LIMIT ?3`);
  // Tried by none of the interrupted runs either that this one goes on with.
  const due = db.prepare(
    `SELECT * FROM loss WHERE source_id = ${SOURCE} AND list = ?2 AND accepted_at IS NULL AND identifier IS NOT NULL
       AND last_run < (SELECT base_run FROM run WHERE id = ?3)
     ORDER BY last_run, id LIMIT ?4`,
  );
  return {
    countLosses: (source: string): LossCount => readSnapshot(db, () => count(source)),
    listLosses: (filter: Parameters<LossStore['listLosses']>[0]): readonly KnownLoss[] =>
      readSnapshot(db, () => {
        const { source, limit } = filter;
        const rows = filter.due
          ? due.all(source, filter.due.list, filter.due.runId, limit)
          : list.all(source, filter.after ?? 0, limit);
        return rows.map(lossOf);
      }),
  };
}

export function createLossWriter(writer: StoreWriter) {
  const { db } = writer;
  const count = createLossCount(db);
  const forgetLists = db.prepare(
    'DELETE FROM loss WHERE source_id = ?1 AND list NOT IN (SELECT value FROM json_each(?2))',
  );
  const forgetFound = db.prepare(
    `DELETE FROM loss WHERE source_id = ?1 AND last_run < (SELECT base_run FROM run WHERE id = ?2)
       AND (?3 OR accepted_at IS NULL)`,
  );
  const accept = db.prepare(
    `UPDATE loss SET accepted_at = ?1 WHERE source_id = ?2 AND accepted_at IS NULL
       AND (?3 IS NULL OR name IN (SELECT value FROM json_each(?3)))`,
  );
  return {
    settleLosses: (
      source: string,
      runId: number,
      { lists, whole }: Parameters<LossStore['settleLosses']>[2],
    ): LossCount =>
      writer.transact(() => {
        const { id } = writer.catalogue.getSource(source);
        forgetLists.run(id, JSON.stringify(lists));
        if (whole !== false) forgetFound.run(id, runId, whole === 'all' ? 1 : 0);
        return count(source);
      }),
    acceptLosses: (source: string, names: readonly string[] | 'all'): number =>
      writer.transact(({ now }) => {
        const { id } = writer.catalogue.getSource(source);
        return Number(accept.run(now, id, names === 'all' ? null : JSON.stringify(names)).changes);
      }),
  };
}

function lossOf(row: Record<string, unknown>): KnownLoss {
  const { identifier, at, place, line, accepted_at: acceptedAt } = row;
  return {
    id: Number(row.id),
    list: String(row.list),
    name: String(row.name),
    code: String(row.code),
    message: String(row.message),
    firstRun: Number(row.first_run),
    lastRun: Number(row.last_run),
    ...(typeof identifier === 'string' && { identifier }),
    ...(typeof at === 'number' && { at }),
    ...(typeof place === 'string' && { where: place }),
    ...(typeof line === 'number' && { line }),
    ...(typeof acceptedAt === 'number' && { acceptedAt }),
  };
}
