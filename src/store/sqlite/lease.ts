/** The lease of a source: who works on it now. */
import { hostname } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import { GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import { isProcessAlive } from './process-alive.ts';

/** A holder that has not been heard of for so long has lost its lease. */
export const STALE_AFTER_MS = 60_000;

export interface LeaseRow {
  readonly source_id: number;
  readonly run_id: number;
  readonly pid: number;
  readonly host: string;
  readonly since: Instant;
  readonly beat_at: Instant;
}

export const thisHolder = (): { pid: number; host: string } => ({ pid: process.pid, host: hostname() });

export function isLeaseVoid(lease: Pick<LeaseRow, 'pid' | 'host' | 'beat_at'>, now: Instant): boolean {
  if (now - lease.beat_at > STALE_AFTER_MS) return true;
  if (lease.host !== hostname()) return false;
  // In a container that starts again, the new process often has the number of the old one.
  if (lease.pid === process.pid) return lease.beat_at < Date.now() - process.uptime() * 1000;
  return !isProcessAlive(lease.pid);
}

/** Inside a write transaction: proves that the run still holds its source, and beats. */
export function createLeaseHold(db: DatabaseSync): (sourceId: number, runId: number, now: Instant) => void {
  const beat = db.prepare('UPDATE lease SET beat_at = ? WHERE source_id = ? AND run_id = ?');
  const holder = db.prepare('SELECT run_id, pid, host FROM lease WHERE source_id = ?');
  return (sourceId, runId, now) => {
    if (beat.run(now, sourceId, runId).changes === 1) return;
    const other = holder.get(sourceId);
    throw new GarnerError(
      'store.lease-lost',
      other
        ? `run ${runId} lost its source to run ${String(other.run_id)} of process ${String(other.pid)}@${String(other.host)}`
        : `run ${runId} does not hold its source`,
      { details: { runId } },
    );
  };
}
