import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GarnerError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { RunInfo } from '../store/index.ts';
import { type ScheduledJob, type SchedulerDeps, startScheduler } from './scheduler.ts';

const at = (text: string) => Date.parse(`${text}Z`);

interface Bench {
  readonly started: [source: string, at: string][];
  readonly events: string[];
  /** Lets time pass up to that instant, with everything that happens in it. */
  until(text: string): Promise<void>;
  stop(): Promise<void>;
}

/** A clock that moves only when everybody sleeps, to the first who wants to wake. */
function run(
  jobs: readonly ScheduledJob[],
  from: string,
  more: Partial<SchedulerDeps> & {
    lastRun?: string;
    lastKind?: string;
    work?: (source: string, wait: (ms: number) => Promise<void>) => Promise<void>;
  } = {},
): Bench {
  let now = at(from);
  const started: [string, string][] = [];
  const events: string[] = [];
  const sleepers: { at: number; wake: () => void }[] = [];
  const sleep = (durationMs: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      sleepers.push({ at: now + durationMs, wake: resolve });
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  const log: Log = (name, fields) => {
    events.push('source' in fields ? `${name} ${fields.source}` : name);
  };
  const lastRun: RunInfo[] =
    more.lastRun === undefined
      ? []
      : [
          {
            id: 1,
            source: 'x',
            kind: more.lastKind ?? 'harvest',
            status: 'complete',
            startedAt: at(more.lastRun),
            counts: { added: 0, updated: 0, unchanged: 0, deleted: 0, invalid: 0 },
            problems: 0,
            repaired: 0,
            holder: '',
          },
        ];
  const scheduler = startScheduler(jobs, {
    runs: { listRuns: async () => lastRun },
    start: async (source, signal) => {
      started.push([source, new Date(now).toISOString().slice(0, 16)]);
      await more.work?.(source, (ms) => sleep(ms, signal));
    },
    log,
    timeZone: 'UTC',
    jitterMs: 0,
    concurrent: 2,
    clock: () => now,
    random: () => 1,
    sleep,
    ...more,
  });
  const settle = async () => {
    for (let i = 0; i < 20; i++) await Promise.resolve();
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  };
  return {
    started,
    events,
    until: async (text) => {
      await settle();
      for (;;) {
        sleepers.sort((a, b) => a.at - b.at);
        const next = sleepers[0];
        if (!next || next.at > at(text)) break;
        sleepers.shift();
        now = Math.max(now, next.at);
        next.wake();
        await settle();
      }
      now = at(text);
    },
    stop: () => scheduler.stop(),
  };
}

test('runs start when they are due, again and again', async () => {
  const bench = run([{ source: 'a', schedule: '0 3 * * *' }], '2026-01-01T12:00:00');
  await bench.until('2026-01-03T12:00:00');
  assert.deepEqual(bench.started, [
    ['a', '2026-01-02T03:00'],
    ['a', '2026-01-03T03:00'],
  ]);
  await bench.stop();
});

test('what was missed while nobody served is made up for once', async () => {
  const bench = run([{ source: 'a', schedule: '@daily' }], '2026-01-10T12:00:00', {
    lastRun: '2026-01-05T00:00:10',
  });
  await bench.until('2026-01-11T12:00:00');
  assert.deepEqual(bench.started, [
    ['a', '2026-01-10T12:00'],
    ['a', '2026-01-11T00:00'],
  ]);
  await bench.stop();
});

test('the last crawl of an archive says when the next is due', async () => {
  const jobs = [{ source: 'web', schedule: '0 3 * * 1' }];
  const onTime = run(jobs, '2026-01-06T12:00:00', { lastRun: '2026-01-05T03:00:01', lastKind: 'crawl' });
  await onTime.until('2026-01-12T12:00:00');
  assert.deepEqual(onTime.started, [['web', '2026-01-12T03:00']]);
  await onTime.stop();
  const late = run(jobs, '2026-01-06T12:00:00', { lastRun: '2025-12-29T03:00:01', lastKind: 'crawl' });
  await late.until('2026-01-06T13:00:00');
  assert.deepEqual(late.started, [['web', '2026-01-06T12:00']], 'that of Monday was missed');
  await late.stop();
});

test('a run that takes longer than its interval is not overtaken by the next', async () => {
  let running = 0;
  let most = 0;
  const bench = run([{ source: 'a', schedule: '*/10 * * * *' }], '2026-01-01T00:00:00', {
    work: async (_, wait) => {
      most = Math.max(most, ++running);
      await wait(25 * 60_000);
      running--;
    },
  });
  await bench.until('2026-01-01T01:30:00');
  assert.equal(most, 1);
  assert.deepEqual(
    bench.started.map(([, time]) => time.slice(11)),
    ['00:10', '00:35', '01:00', '01:25'],
    'late by what was missed, then at once',
  );
  await bench.stop();
});

test('no more run at the same time than may', async () => {
  let running = 0;
  let most = 0;
  const jobs = ['a', 'b', 'c', 'd'].map((source) => ({ source, schedule: '0 1 * * *' }));
  const bench = run(jobs, '2026-01-01T00:00:00', {
    work: async (_, wait) => {
      most = Math.max(most, ++running);
      await wait(60_000);
      running--;
    },
  });
  await bench.until('2026-01-01T02:00:00');
  assert.equal(most, 2);
  assert.deepEqual(
    bench.started.map(([, time]) => time.slice(11)),
    ['01:00', '01:00', '01:01', '01:01'],
  );
  await bench.stop();
});

test('chance moves a start by at most the jitter, and a tenth of the interval', async () => {
  const bench = run([{ source: 'a', schedule: '*/10 * * * *' }], '2026-01-01T00:00:00', {
    jitterMs: 30 * 60_000,
  });
  await bench.until('2026-01-01T00:15:00');
  assert.deepEqual(bench.started, [['a', '2026-01-01T00:11']]);
  await bench.stop();
});

test('a failing or leased source is told, and tried again next time', async () => {
  const errors = [
    new GarnerError('store.leased', 'somebody else'),
    new GarnerError('http.timeout', 'silence'),
  ];
  const bench = run([{ source: 'a', schedule: '@hourly' }], '2026-01-01T00:30:00', {
    work: async () => {
      const error = errors.shift();
      if (error) throw error;
    },
  });
  await bench.until('2026-01-01T03:30:00');
  assert.equal(bench.started.length, 3);
  assert.deepEqual(
    bench.events.filter((event) => !event.startsWith('schedule.next')),
    ['schedule.skipped a', 'schedule.failed a'],
  );
  await bench.stop();
});

test('stopping ends those who wait', async () => {
  const jobs = ['a', 'b', 'c'].map((source) => ({ source, schedule: '@daily' }));
  const bench = run(jobs, '2026-01-01T00:30:00', { concurrent: 1 });
  await bench.until('2026-01-01T01:00:00');
  await bench.stop();
  assert.deepEqual(bench.started, []);
});
