/** Retention of versions over all sources: what `garner serve` does once a day, and `garner thin` when asked. */
import type { Garner } from '../app.ts';
import { asGarnerError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { systemClock } from '../core/time.ts';
import { withRun } from '../harvest/with-run.ts';
import { thinSnapshots } from '../packaging/versions/thin-snapshots.ts';

export interface ThinOptions {
  /** Absent: all. */
  readonly sources?: readonly string[];
  /** Instead of those of the config. */
  readonly keepVersions?: number;
  readonly olderThanDays?: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** How many versions of each source were thinned out. A source that is busy is left for the next time. */
export async function thinVersions(
  { store, config }: Garner,
  log: Log,
  options: ThinOptions = {},
): Promise<Readonly<Record<string, number>>> {
  const { keepVersions: keep, thinAfterDays } = config.packages;
  const keepVersions = options.keepVersions ?? keep;
  const before = systemClock() - (options.olderThanDays ?? thinAfterDays) * DAY_MS;
  const counts: Record<string, number> = {};
  if (keepVersions === 0) return counts;
  for (const { name, droppedAt } of await store.items.listSources()) {
    if (droppedAt !== undefined || (options.sources && !options.sources.includes(name))) continue;
    // Without archive files there are no snapshots, and no run need be told of.
    if ((await store.captures.listFiles(name)).length === 0) continue;
    try {
      counts[name] = await withRun(store.runs, name, 'thin', (runId) =>
        thinSnapshots(store, name, runId, { keepVersions, before }),
      );
    } catch (thrown) {
      const error = asGarnerError(thrown);
      if (error.code !== 'store.leased') throw error;
      log('schedule.skipped', { source: name, reason: error.message });
    }
  }
  return counts;
}
