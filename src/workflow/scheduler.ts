/**
 * Starts runs when their time has come. What was missed while nobody served is made up for once: the last
 * run of the source tells what was due since. No source runs twice at a time; the store's lease sees to
 * that across processes, and a job here waits for its own end.
 */
import { asGarnerError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Instant } from '../core/model.ts';
import { nextTime } from '../core/schedule.ts';
import type { Clock } from '../core/time.ts';
import type { RunStore } from '../store/index.ts';

export interface ScheduledJob {
  readonly source: string;
  readonly schedule: string;
}

export interface SchedulerDeps {
  readonly runs: Pick<RunStore, 'listRuns'>;
  /** Runs the source to its end. */
  readonly start: (source: string, signal: AbortSignal) => Promise<unknown>;
  readonly log: Log;
  readonly timeZone: string;
  readonly jitterMs: number;
  readonly concurrent: number;
  readonly clock: Clock;
  readonly random?: () => number;
  /** Resolves early when the signal is aborted. */
  readonly sleep?: (durationMs: number, signal: AbortSignal) => Promise<void>;
}

export interface Scheduler {
  /** Runs under way end as interrupted; resolves when they have. */
  stop(): Promise<void>;
}

/** Timers are set anew so often, since clocks are put right and machines sleep. */
const LONGEST_SLEEP_MS = 60 * 60 * 1000;
/** Kinds of runs that a schedule starts. */
const SCHEDULED_KINDS: ReadonlySet<string> = new Set(['harvest', 'import', 'discover', 'crawl']);

export function startScheduler(jobs: readonly ScheduledJob[], deps: SchedulerDeps): Scheduler {
  const stop = new AbortController();
  const slots = new Slots(deps.concurrent);
  const following = jobs.map((job) =>
    follow(job, deps, slots, stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted) deps.log('schedule.failed', { source: job.source, error });
    }),
  );
  return {
    stop: async () => {
      stop.abort();
      slots.release(Number.POSITIVE_INFINITY);
      await Promise.all(following);
    },
  };
}

async function follow(
  { source, schedule }: ScheduledJob,
  deps: SchedulerDeps,
  slots: Slots,
  signal: AbortSignal,
): Promise<void> {
  const { clock, log } = deps;
  let after = (await findLastStart(deps.runs, source)) ?? clock();
  while (!signal.aborted) {
    const dueAt = nextTime(schedule, deps.timeZone, after);
    if (dueAt === undefined) return;
    const startAt = dueAt + jitterOf(dueAt, schedule, deps);
    log('schedule.next', { source, at: new Date(startAt).toISOString() });
    await sleepUntil(startAt, deps, signal);
    await slots.take(signal);
    try {
      if (signal.aborted) return;
      after = Math.max(clock(), dueAt);
      await deps.start(source, signal);
    } catch (thrown) {
      const error = asGarnerError(thrown);
      // Somebody else brings it up to date just now.
      if (error.code === 'store.leased') log('schedule.skipped', { source, reason: error.message });
      else log('schedule.failed', { source, error });
    } finally {
      slots.release(1);
    }
  }
}

async function findLastStart(runs: SchedulerDeps['runs'], source: string): Promise<Instant | undefined> {
  const newest = await runs.listRuns({ source, limit: 20 });
  return newest.find(({ kind }) => SCHEDULED_KINDS.has(kind))?.startedAt;
}

/** At most a tenth of the time until the next one. */
function jitterOf(dueAt: Instant, schedule: string, deps: SchedulerDeps): number {
  const following = nextTime(schedule, deps.timeZone, dueAt) ?? Number.POSITIVE_INFINITY;
  return Math.floor(Math.min(deps.jitterMs, (following - dueAt) / 10) * (deps.random ?? Math.random)());
}

async function sleepUntil(at: Instant, deps: SchedulerDeps, signal: AbortSignal): Promise<void> {
  const sleep = deps.sleep ?? systemSleep;
  for (let left = at - deps.clock(); left > 0 && !signal.aborted; left = at - deps.clock())
    await sleep(Math.min(left, LONGEST_SLEEP_MS), signal);
}

function systemSleep(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, durationMs);
    signal.addEventListener('abort', end, { once: true });
  });
}

/** So many at the same time; the rest waits in order. */
class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async take(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  release(count: number): void {
    for (let left = count; left > 0; left--) {
      const next = this.#waiting.shift();
      if (!next) {
        if (Number.isFinite(left)) this.#free += left;
        return;
      }
      next();
    }
  }
}
