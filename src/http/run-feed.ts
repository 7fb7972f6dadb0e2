/** Tells those who watch that runs changed. One question to the store per second serves all of them. */
import type { Log } from '../core/log.ts';
import type { RunInfo } from '../store/index.ts';

export interface RunFeed {
  /** Called with the runs that change from now on; gives back what ends it. */
  watch(onChange: (runs: readonly RunInfo[]) => void): Promise<() => void>;
  readonly watchers: number;
}

const POLL_MS = 1000;
const WATCHED_RUNS = 50;

export function createRunFeed(
  listNewest: (limit: number) => Promise<readonly RunInfo[]>,
  log: Log,
  pollMs = POLL_MS,
): RunFeed {
  const listeners = new Set<(runs: readonly RunInfo[]) => void>();
  let known: Map<number, string> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let starting: Promise<void> | undefined;

  const poll = async (): Promise<void> => {
    try {
      const listed = await listNewest(WATCHED_RUNS);
      const before = known;
      known = new Map(listed.map((run) => [run.id, JSON.stringify(run)]));
      const changed = before ? listed.filter((run) => before.get(run.id) !== known?.get(run.id)) : [];
      if (changed.length > 0) for (const tell of listeners) tell(changed);
    } catch (error) {
      log('http.failed', { method: 'GET', path: '/runs/events', error });
    }
    if (listeners.size > 0) timer = setTimeout(() => void poll(), pollMs);
    else {
      timer = undefined;
      known = undefined;
    }
    timer?.unref();
  };

  return {
    get watchers() {
      return listeners.size;
    },
    watch: async (onChange) => {
      listeners.add(onChange);
      // The first look is the base that changes are told from.
      if (!timer)
        starting ??= poll().finally(() => {
          starting = undefined;
        });
      await starting;
      return () => {
        listeners.delete(onChange);
      };
    },
  };
}
