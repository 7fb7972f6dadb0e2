import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { GarnerError } from '../../core/errors.ts';
import { discoverTopic, type OpenEngine } from '../run/discover-topic.ts';
import type { TopicQuestion } from '../topics/topic.ts';
import { createAsk, type DiscoverHttp } from './ask.ts';
import { createEngineGate, quotaFile } from './gate.ts';

/** Time that passes only when everybody waits. */
function simulatedTime() {
  let now = Date.UTC(2026, 0, 1);
  const waiting: { readonly at: number; readonly wake: () => void }[] = [];
  let stirring = false;
  const stir = async (): Promise<void> => {
    if (stirring) return;
    stirring = true;
    // A macrotask lets everything that can go on do so first.
    await new Promise((resolve) => setImmediate(resolve));
    stirring = false;
    waiting.sort((a, b) => a.at - b.at);
    const next = waiting.shift();
    if (!next) return;
    now = Math.max(now, next.at);
    next.wake();
    if (waiting.length > 0) void stir();
  };
  return {
    clock: () => now,
    sleep: (durationMs: number) =>
      new Promise<void>((wake) => {
        waiting.push({ at: now + durationMs, wake });
        void stir();
      }),
  };
}

const memory = () => {
  let kept: readonly number[] = [];
  return {
    read: () => kept,
    write: (requests: readonly number[]) => {
      kept = requests;
    },
  };
};

const answering = (asked: number[], clock: () => number): DiscoverHttp => ({
  read: async ({ url }) => {
    asked.push(clock());
    return { status: 200, url, headers: new Map(), bytes: Buffer.from('{}') };
  },
});

test('300 topics with three engines keep to the rate of each engine', async () => {
  const time = simulatedTime();
  const delays = { slow: 3000, usual: 1000, quick: 100 };
  const asked: Record<string, number[]> = {};
  const engines = Object.entries(delays).map(([name, delayMs]): OpenEngine => {
    const times: number[] = [];
    asked[name] = times;
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
      http: answering(times, time.clock),
      gate: createEngineGate(name, { delayMs }, time, memory()),
    };
  });
  const topics = Array.from(
    { length: 300 },
    (_, i): TopicQuestion => ({ acronym: `T${i}`, title: `T${i}`, queries: [`T${i}`], depth: 10 }),
  );
  const deps = { engines, clock: time.clock, method: 'weights' as const, allowPrivate: false };
  const runs = await Promise.all(topics.map((topic) => discoverTopic(topic, deps, { runId: 1 })));
  assert.ok(runs.every(({ candidates }) => candidates[0]?.weight === 30));
  for (const [name, delayMs] of Object.entries(delays)) {
    const times = asked[name] ?? [];
    assert.equal(times.length, 300);
    for (const [i, at] of times.entries())
      if (i > 0) assert.ok(at - (times[i - 1] ?? 0) >= delayMs, `${name}: request ${i} came too early`);
  }
});

test('a quota ends the asking until its time has passed, across processes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'garner-quota-'));
  try {
    let now = 1_000_000;
    const timing = { clock: () => now, sleep: async () => {} };
    const limits = { delayMs: 0, quota: { requests: 2, hours: 1 } };
    const open = () => createEngineGate('brave', limits, timing, quotaFile(folder, 'brave'));
    await open().enter();
    await open().enter();
    await assert.rejects(
      open().enter(),
      (error) => error instanceof GarnerError && error.code === 'engine.quota',
    );
    now += 3_600_001;
    await open().enter();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const statusError = (status: number, retryAfterMs?: number) =>
  new GarnerError('http.status', `status ${status} for key=hush`, {
    details: { status, ...(retryAfterMs !== undefined && { retryAfterMs }) },
  });

test('an engine in trouble is tried again through the gate, as long as it asks for; secrets are never told', async () => {
  const pauses: number[] = [];
  let entered = 0;
  const gate = {
    enter: async () => {
      entered++;
    },
    pause: async (durationMs: number) => {
      pauses.push(durationMs);
    },
  };
  const failures = [statusError(503), statusError(429, 7000)];
  const http: DiscoverHttp = {
    read: async ({ url }) => {
      const failure = failures.shift();
      if (failure) throw failure;
      return { status: 200, url, headers: new Map(), bytes: Buffer.from('{}') };
    },
  };
  const ask = createAsk({ http, gate, clock: () => 0, attempts: 3, secret: 'hush' });
  assert.equal((await ask({ url: 'https://e.example/?key=hush' })).url, 'https://e.example/?key=…');
  assert.deepEqual([entered, pauses], [3, [2000, 7000]]);

  failures.push(statusError(401));
  await assert.rejects(
    ask({ url: 'https://e.example/' }),
    (error) => error instanceof GarnerError && !error.message.includes('hush'),
  );
  assert.equal(entered, 4);
});
