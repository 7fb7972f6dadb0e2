/** The state of a crawl, as it is shown. */
import type { Instant } from '../core/model.ts';
import type { StoredCounts } from './frontier/counts.ts';
import type { HostQueue } from './frontier/host-queue.ts';
import type { CrawlProgress, HostProgress } from './progress.ts';

const SHOWN_HOSTS = 30;

export interface CrawlState {
  readonly at: Instant;
  readonly elapsedMs: number;
  readonly active: number;
  readonly rate: number;
  readonly tallies: StoredCounts;
  readonly hosts: readonly HostQueue[];
  readonly hostCaptures: ReadonlyMap<string, number>;
  readonly delayMs: number;
}

export function describeProgress(state: CrawlState): CrawlProgress {
  const { at, elapsedMs, active, rate, tallies, hosts, hostCaptures, delayMs } = state;
  return {
    at,
    elapsedMs,
    queued: hosts.reduce((sum, { queued }) => sum + queued, 0),
    active,
    captures: tallies.get('captures'),
    revisits: tallies.get('revisits'),
    bytes: tallies.get('bytes'),
    savedBytes: tallies.get('saved'),
    rate,
    failed: tallies.get('failed'),
    errors: Object.fromEntries(tallies.entries('error ')),
    excluded: Object.fromEntries(tallies.entries('excluded ')),
    hostCount: hosts.length,
    hosts: hosts
      .toSorted((a, b) => b.queued + b.active - a.queued - a.active)
      .slice(0, SHOWN_HOSTS)
      .map((queue) => ({
        host: queue.host,
        queued: queue.queued,
        active: queue.active,
        captures: hostCaptures.get(queue.host) ?? 0,
        state: stateOf(queue),
        delayMs: Math.max(delayMs, queue.crawlDelayMs),
      })),
  };
}

function stateOf({ failures, active, queued }: HostQueue): HostProgress['state'] {
  if (failures > 0) return 'failing';
  if (active > 0) return 'busy';
  return queued > 0 ? 'waiting' : 'idle';
}
