/** Topics by schedule, on a clock that moves only when everybody waits. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { scheduledJobs } from '../src/app/scheduled-jobs.ts';
import { loadConfig } from '../src/core/config.ts';
import { silentLog } from '../src/core/log.ts';
import { createEngineGate, discoverTopic, type OpenEngine, readTopics } from '../src/discover/index.ts';
import { startScheduler } from '../src/workflow/scheduler.ts';
import { temporaryFolder } from './garner-process.ts';

const at = (text: string) => Date.parse(`${text}Z`);

function simulatedTime(from: string) {
  let now = at(from);
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  const settle = async () => {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  };
  return {
    clock: () => now,
    sleep: (durationMs: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        sleepers.push({ at: now + durationMs, wake: resolve });
        signal?.addEventListener('abort', () => resolve(), { once: true });
      }),
    /** Everything that happens up to that instant. */
    async until(text: string): Promise<void> {
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
  };
}

function readConfig(context: { after(work: () => void): void }, lines: readonly string[]) {
  const file = join(temporaryFolder(context), 'garner.yaml');
  writeFileSync(file, [...lines, ''].join('\n'));
  return loadConfig(file, {});
}

test('topics run by the schedule for all, or by their own', async (t) => {
  const config = readConfig(t, [
    'discover: { schedule: "0 3 * * 1" }',
    'topics:',
    '  WEEKLY: { title: By the schedule for all }',
    '  DAILY: { title: By its own, schedule: "30 4 * * *" }',
  ]);
  const time = simulatedTime('2026-11-14T12:00:00');
  const started: string[] = [];
  const scheduler = startScheduler(scheduledJobs({ config, topics: readTopics(config) }), {
    runs: { listRuns: async () => [] },
    start: async (source) => {
      started.push(`${source} ${new Date(time.clock()).toISOString().slice(0, 16)}`);
    },
    log: silentLog,
    timeZone: 'UTC',
    jitterMs: 0,
    concurrent: 1,
    ...time,
  });
  await time.until('2026-11-17T12:00:00');
  assert.deepEqual(started, [
    'DAILY 2026-11-15T04:30',
    'WEEKLY 2026-11-16T03:00',
    'DAILY 2026-11-16T04:30',
    'DAILY 2026-11-17T04:30',
  ]);
  await scheduler.stop();
});

test('300 topics that are due at once keep to the rate of each of three engines', async (t) => {
  const acronyms = Array.from({ length: 300 }, (_, i) => `T${i}`);
  const config = readConfig(t, [
    'discover: { schedule: "@daily" }',
    'topics:',
    ...acronyms.map((acronym) => `  ${acronym}: { title: Topic ${acronym} }`),
  ]);
  const topics = readTopics(config);
  const time = simulatedTime('2026-11-14T12:00:00');
  const delays = { slow: 3000, usual: 1000, quick: 100 };
  const asked = new Map<string, number[]>();
  const engines = Object.entries(delays).map(([name, delayMs]): OpenEngine => {
    const times: number[] = [];
    asked.set(name, times);
    return {
      name,
      kind: 'test',
      attempts: 1,
      engine: {
        async *search(query, _count, ask) {
          await ask({ url: `https://${name}.example/?q=${encodeURIComponent(query)}` });
          yield [{ url: `https://found.example/${encodeURIComponent(query)}` }];
        },
      },
      http: {
        read: async ({ url }) => {
          times.push(time.clock());
          return { status: 200, url, headers: new Map(), bytes: Buffer.from('{}') };
        },
      },
      gate: createEngineGate(name, { delayMs }, time, { read: () => [], write: () => {} }),
    };
  });
  const finished: string[] = [];
  const scheduler = startScheduler(scheduledJobs({ config, topics }), {
    runs: { listRuns: async () => [] },
    start: async (source, signal) => {
      const topic = topics.get(source);
      assert.ok(topic);
      const deps = { engines, clock: time.clock, method: 'weights' as const, allowPrivate: false };
      const run = await discoverTopic(topic, deps, { runId: 1, signal });
      assert.equal(run.candidates[0]?.weight, 75);
      finished.push(source);
    },
    log: silentLog,
    timeZone: 'UTC',
    jitterMs: 60_000,
    // Some of them wait for each other, most for an engine.
    concurrent: 100,
    ...time,
  });
  await time.until('2026-11-15T06:00:00');
  await scheduler.stop();
  assert.deepEqual(finished.toSorted(), acronyms.toSorted());
  for (const [name, delayMs] of Object.entries(delays)) {
    const times = asked.get(name) ?? [];
    assert.equal(times.length, 300);
    for (const [i, moment] of times.entries())
      if (i > 0) assert.ok(moment - (times[i - 1] ?? 0) >= delayMs, `${name}: request ${i} came too early`);
  }
  const slow = asked.get('slow') ?? [];
  assert.ok(at('2026-11-15T00:00:00') <= (slow[0] ?? 0), 'nobody was asked before it was time');
});
