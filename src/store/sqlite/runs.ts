/** Runs, their leases and problems in SQLite. */
import type { DatabaseSync } from 'node:sqlite';
import { GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import {
  type ListedProblem,
  type ProblemCounts,
  REINDEX_RUN,
  type RunInfo,
  type RunProblemCount,
  type RunStart,
  type RunStatus,
  type StartedRun,
} from '../runs.ts';
import { readSnapshot } from './database.ts';
import { isLeaseVoid, type LeaseRow, thisHolder } from './lease.ts';
import { createProblemCounts } from './problem-counts.ts';
import type { StoreWriter } from './writer.ts';

export function createRunWriter(writer: StoreWriter) {
  const { db } = writer;
  const findLease = db.prepare('SELECT * FROM lease WHERE source_id = ?');
  const takeLease = db.prepare(
    `INSERT OR REPLACE INTO lease (source_id, run_id, pid, host, since, beat_at) VALUES (?1, ?2, ?3, ?4, ?5, ?5)`,
  );
  const releaseLease = db.prepare('DELETE FROM lease WHERE run_id = ?');
  const beat = db.prepare('UPDATE lease SET beat_at = ? WHERE run_id = ?');
  const interrupt = db.prepare(
    `UPDATE run SET status = 'interrupted', ended_at = ?, message = ? WHERE id = ? AND status = 'running'`,
  );
  const findNewest = db.prepare(
    `SELECT id, status, checkpoint, base_run FROM run WHERE source_id = ? AND kind = ? ORDER BY id DESC LIMIT 1`,
  );
  const insertRun = db.prepare(
    `INSERT INTO run (source_id, kind, status, started_at, holder, base_run, checkpoint)
     VALUES (?, ?, 'running', ?, ?, 0, ?)`,
  );
  const setBase = db.prepare('UPDATE run SET base_run = ? WHERE id = ?');
  const findRun = db.prepare('SELECT source_id, kind, status FROM run WHERE id = ?');
  const endRun = db.prepare(
    'UPDATE run SET status = ?, ended_at = ?, message = ?, unchanged = coalesce(?, unchanged) WHERE id = ?',
  );
  const markExtracted = db.prepare('UPDATE source SET fields_digest = ? WHERE id = ?');

  /** Throws when somebody works there; marks the run of a vanished holder. */
  function clearLease(sourceId: number, source: string, now: Instant): void {
    const row = findLease.get(sourceId);
    if (!row) return;
    const lease = row as { [K in keyof LeaseRow]: LeaseRow[K] };
    const holder = `${lease.pid}@${lease.host}`;
    if (!isLeaseVoid(lease, now)) {
      const since = new Date(lease.since).toISOString();
      throw new GarnerError(
        'store.leased',
        `run ${lease.run_id} of process ${holder} works on source ${source} since ${since}`,
        { details: { source, runId: lease.run_id, holder, since: lease.since } },
      );
    }
    interrupt.run(now, `process ${holder} ended or fell silent`, lease.run_id);
  }

  return {
    startRun: (source: string, kind: string, options: RunStart = {}): StartedRun =>
      writer.transact(({ now }) => {
        const { id: sourceId } = writer.catalogue.getSource(source);
        clearLease(sourceId, source, now);
        const newest = options.resume ? findNewest.get(sourceId, kind) : undefined;
        const resumed = newest && isResumable(newest, options) ? newest : undefined;
        const checkpoint = resumed ? String(resumed.checkpoint) : null;
        const { pid, host } = thisHolder();
        // The checkpoint is copied, so that a run that ends before its first commit does not lose it.
        const inserted = insertRun.run(sourceId, kind, now, `${pid}@${host}`, checkpoint);
        const id = Number(inserted.lastInsertRowid);
        setBase.run(resumed ? Number(resumed.base_run) : id, id);
        takeLease.run(sourceId, id, pid, host, now);
        return checkpoint === null ? { id } : { id, checkpoint: JSON.parse(checkpoint) as unknown };
      }),

    heartbeat: (runId: number): void =>
      writer.transact(({ now }) => {
        if (beat.run(now, runId).changes === 0) {
          throw new GarnerError('store.lease-lost', `run ${runId} no longer holds its source`, {
            details: { runId },
          });
        }
      }),

    finishRun: (
      runId: number,
      status: Exclude<RunStatus, 'running'>,
      message?: string,
      unchanged?: number,
    ): void =>
      writer.transact(({ now }) => {
        const run = findRun.get(runId);
        if (!run) throw new GarnerError('run.unknown', `there is no run ${runId}`, { details: { runId } });
        if (run.status !== 'running') {
          throw new GarnerError(
            'store.lease-lost',
            `run ${runId} has already ended as ${String(run.status)}`,
            {
              details: { runId },
            },
          );
        }
        endRun.run(status, now, message ?? null, unchanged ?? null, runId);
        releaseLease.run(runId);
        if (status === 'complete' && run.kind === REINDEX_RUN) {
          markExtracted.run(writer.setup.fieldsDigest, Number(run.source_id));
        }
      }),
  };
}

/** Problems of a run are many; so many go in one transaction, so that no other writer waits long. */
const PRUNE_CHUNK = 5000;

export function createRunPruning(
  writer: StoreWriter,
): (endedBefore: Instant, limit: number) => readonly number[] {
  const { db } = writer;
  const list = db.prepare(
    `SELECT id FROM run AS r WHERE status <> 'running' AND ended_at < ?1
       AND EXISTS (SELECT 1 FROM run AS later
         WHERE later.source_id = r.source_id AND later.kind = r.kind AND later.id > r.id)
       AND NOT EXISTS (SELECT 1 FROM run AS later WHERE later.base_run = r.id AND later.id > r.id)
     ORDER BY id LIMIT ?2`,
  );
  const forgetProblems = db.prepare(
    `DELETE FROM run_problem WHERE id IN (SELECT id FROM run_problem WHERE run_id = ? LIMIT ${PRUNE_CHUNK})`,
  );
  const forget = db.prepare('DELETE FROM run WHERE id = ?');
  return (endedBefore, limit) => {
    const ids = list.all(endedBefore, limit).map(({ id }) => Number(id));
    for (const id of ids) {
      for (let left = true; left; )
        writer.transact(() => {
          left = Number(forgetProblems.run(id).changes) === PRUNE_CHUNK;
        });
      writer.transact(() => {
        forget.run(id);
      });
    }
    return ids;
  };
}

function isResumable(run: Record<string, unknown>, { resume }: RunStart): boolean {
  if (typeof run.checkpoint !== 'string' || run.checkpoint === 'null') return false;
  if (run.status === 'interrupted') return true;
  return resume === 'unfinished' && (run.status === 'incomplete' || run.status === 'failed');
}

const RUN_COLUMNS = `run.*, source.name AS source_name, lease.pid, lease.host, lease.beat_at
  FROM run JOIN source ON source.id = run.source_id LEFT JOIN lease ON lease.run_id = run.id`;

export function createRunReader(db: DatabaseSync, clock: () => Instant) {
  const find = db.prepare(`SELECT ${RUN_COLUMNS} WHERE run.id = ?`);
  const list = db.prepare(
    `SELECT ${RUN_COLUMNS} WHERE (?1 IS NULL OR source.name = ?1) AND (?2 IS NULL OR run.id < ?2)
     ORDER BY run.id DESC LIMIT ?3`,
  );
  const problemsOf = (condition: string) =>
    db.prepare(
      `SELECT * FROM run_problem WHERE ${condition} AND id > ?4
         AND (?1 IS NULL OR run_id = ?1) AND (?2 IS NULL OR identifier = ?2) AND (?3 IS NULL OR place = ?3)
         AND (?6 IS NULL OR code = ?6)
       ORDER BY id LIMIT ?5`,
    );
  // One statement for each index, since an optional condition alone gives the planner none.
  const byRun = problemsOf('run_id = ?1');
  const byIdentifier = problemsOf('identifier = ?2');
  const byPlace = problemsOf('place = ?3');
  const all = problemsOf('1');

  function infoOf(row: Record<string, unknown>): RunInfo {
    const ended = row.ended_at === null ? {} : { endedAt: Number(row.ended_at) };
    const expected = row.ended_at === null ? expectedOf(row.checkpoint) : undefined;
    return {
      id: Number(row.id),
      source: String(row.source_name),
      kind: String(row.kind),
      status: statusOf(row),
      startedAt: Number(row.started_at),
      ...ended,
      counts: {
        added: Number(row.added),
        updated: Number(row.updated),
        unchanged: Number(row.unchanged),
        deleted: Number(row.deleted),
        invalid: Number(row.invalid),
      },
      problems: Number(row.problems),
      repaired: repairedOf(row),
      ...(expected !== undefined && { expected }),
      ...(typeof row.message === 'string' ? { message: row.message } : {}),
      holder: String(row.holder),
    };
  }

  /** Of runs that ended: they are looked at often, and their problems may be many. */
  const knownRepaired = new Map<number, number>();
  const countRepaired = db.prepare(
    `SELECT count(*) AS n FROM run_problem WHERE run_id = ? AND code = 'record.repaired'`,
  );

  function repairedOf(row: Record<string, unknown>): number {
    const id = Number(row.id);
    if (row.problems === 0) return 0;
    const count = knownRepaired.get(id) ?? Number(countRepaired.get(id)?.n);
    if (row.ended_at !== null) knownRepaired.set(id, count);
    return count;
  }

  /** A run whose process is gone does not run, even if nobody has taken over its lease yet. */
  function statusOf(row: Record<string, unknown>): RunStatus {
    const status = String(row.status) as RunStatus;
    if (status !== 'running') return status;
    if (row.pid === null) return 'interrupted';
    const lease = { pid: Number(row.pid), host: String(row.host), beat_at: Number(row.beat_at) };
    return isLeaseVoid(lease, clock()) ? 'interrupted' : 'running';
  }

  const countProblems = createProblemCounts(db);
  const countByCode = db.prepare(
    'SELECT code, count(*) AS n FROM run_problem WHERE run_id = ? GROUP BY code ORDER BY n DESC, code',
  );

  return {
    countProblems: (source: string): ProblemCounts => readSnapshot(db, () => countProblems(source)),

    countProblemsOfRun: (runId: number): readonly RunProblemCount[] =>
      readSnapshot(db, () =>
        countByCode.all(runId).map(({ code, n }) => ({ code: String(code), count: Number(n) })),
      ),

    findRun: (runId: number): RunInfo | undefined =>
      readSnapshot(db, () => {
        const row = find.get(runId);
        return row && infoOf(row);
      }),

    listRuns: (options: { source?: string; before?: number; limit: number }): readonly RunInfo[] =>
      readSnapshot(db, () =>
        list.all(options.source ?? null, options.before ?? null, options.limit).map(infoOf),
      ),

    listProblems: (filter: {
      runId?: number;
      code?: string;
      identifier?: string;
      where?: string;
      after?: number;
      limit: number;
    }): readonly ListedProblem[] =>
      readSnapshot(db, () => {
        const { runId, code, identifier, where, after = 0, limit } = filter;
        const statement =
          identifier !== undefined
            ? byIdentifier
            : where !== undefined
              ? byPlace
              : runId !== undefined
                ? byRun
                : all;
        const rows = statement.all(
          runId ?? null,
          identifier ?? null,
          where ?? null,
          after,
          limit,
          code ?? null,
        );
        return rows.map((row) => ({
          id: Number(row.id),
          runId: Number(row.run_id),
          at: Number(row.at),
          code: String(row.code),
          message: String(row.message),
          ...(row.place === null ? {} : { where: String(row.place) }),
          ...(row.line === null ? {} : { line: Number(row.line) }),
          ...(row.identifier === null ? {} : { identifier: String(row.identifier) }),
        }));
      }),
  };
}

/** See `CommitBatch.checkpoint`. */
function expectedOf(checkpoint: unknown): number | undefined {
  if (typeof checkpoint !== 'string') return undefined;
  const value: unknown = JSON.parse(checkpoint);
  if (typeof value !== 'object' || value === null || !('total' in value)) return undefined;
  return typeof value.total === 'number' ? value.total : undefined;
}
