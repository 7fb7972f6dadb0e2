/** Forgets runs that ended long ago, with their problems and logs. */
import type { Log } from '../core/log.ts';
import type { Clock } from '../core/time.ts';
import type { RunStore } from '../store/index.ts';
import type { RunLogs } from './run-logs.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface RetentionDeps {
  readonly runs: Pick<RunStore, 'pruneRuns'>;
  readonly logs: Pick<RunLogs, 'remove'>;
  readonly log: Log;
  readonly clock: Clock;
}

/** `keepDays` 0 keeps all. */
export async function pruneOldRuns(
  keepDays: number,
  { runs, logs, log, clock }: RetentionDeps,
): Promise<number> {
  if (keepDays === 0) return 0;
  const before = clock() - keepDays * DAY_MS;
  let count = 0;
  for (;;) {
    const removed = await runs.pruneRuns(before, 100);
    if (removed.length === 0) break;
    logs.remove(removed);
    count += removed.length;
  }
  if (count > 0) log('runs.pruned', { runs: count, before: new Date(before).toISOString() });
  return count;
}
