import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { GarnerError } from '../core/errors.ts';
import { workerUrl } from '../core/worker-url.ts';
import { createPool, type Pool, type PoolOptions } from './pool.ts';
import type { TestCalls } from './pool-test-worker.ts';

async function withPool(
  options: PoolOptions<TestCalls>,
  use: (calls: TestCalls, pool: Pool<TestCalls>) => Promise<void>,
): Promise<void> {
  const pool = createPool<TestCalls>(workerUrl(import.meta.url, './pool-test-worker'), options);
  try {
    await use(pool.calls, pool);
  } finally {
    await pool.close();
  }
}

const numbers = Array.from({ length: 20 }, (_, i) => i);
const doubles = numbers.map((i) => i * 2);

test('calls are spread over all workers, each of which has the data', () =>
  withPool({ size: 2, workerData: { a: 1 } }, async (calls) => {
    const answers = await Promise.all(numbers.map(() => calls.whoAmI()));
    assert.equal(new Set(answers.map(({ thread }) => thread)).size, 2);
    assert.deepEqual(answers[0]?.data, { a: 1 });
  }));

test('an error of the work keeps its code and details, and the worker', () =>
  withPool({ size: 1 }, async (calls) => {
    const { thread } = await calls.whoAmI();
    await assert.rejects(calls.fail(), { code: 'request.invalid', message: 'no', details: { field: 'x' } });
    assert.equal((await calls.whoAmI()).thread, thread);
  }));

test('a worker that dies is replaced; only the call that killed it fails', () =>
  withPool({ size: 2, inFlight: 3 }, async (calls) => {
    const before = numbers.map((i) => calls.double(i));
    const killers = Promise.allSettled([calls.die(), calls.die(), calls.die()]);
    const rest = numbers.map((i) => calls.double(i));
    assert.deepEqual(await Promise.all(before), doubles);
    for (const result of await killers) {
      assert.ok(result.status === 'rejected');
      assert.equal(result.reason.code, 'worker.lost');
    }
    assert.deepEqual(await Promise.all(rest), doubles);
  }));

test('a call over the time limit is ended; the calls behind it go through', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  return withPool(
    {
      size: 1,
      inFlight: 3,
      timeoutMs: 300,
      timeoutError: (ms) => new GarnerError('xslt.timeout', `over ${ms}`),
      warmUp: (calls) => calls.double(1),
    },
    async (calls) => {
      // The first has come through, so the worker is at work; time passes only for the one that never ends.
      assert.equal(await calls.double(1), 2);
      const stuck = calls.loopForEver();
      const rest = numbers.map((i) => calls.double(i));
      await nextTurn();
      t.mock.timers.tick(300);
      await assert.rejects(stuck, { code: 'xslt.timeout', message: 'over 300' });
      assert.deepEqual(await Promise.all(rest), doubles);
    },
  );
});

test('without an error of its own a time limit is a lost worker', () =>
  withPool({ size: 1, timeoutMs: 50, warmUp: (calls) => calls.double(1) }, async (calls) => {
    await assert.rejects(calls.loopForEver(), { code: 'worker.lost' });
  }));

test('a poisoned worker is replaced after its answer', () =>
  withPool(
    { size: 1, inFlight: 2, isPoisoned: (error) => error.details.unusable === true },
    async (calls) => {
      const { thread } = await calls.whoAmI();
      const poison = calls.poison();
      const next = calls.whoAmI();
      await assert.rejects(poison, { code: 'xslt.failed' });
      assert.notEqual((await next).thread, thread);
    },
  ));

test('a worker that cannot warm up fails the calls, not the pool', () =>
  withPool({ size: 1, warmUp: (calls) => calls.fail() }, async (calls) => {
    await assert.rejects(calls.double(1), { code: 'request.invalid' });
    await assert.rejects(calls.double(1), { code: 'request.invalid' });
  }));

test('a worker file that does not exist fails the calls', async () => {
  const pool = createPool<TestCalls>(new URL('./no-such-worker.ts', import.meta.url), { size: 2 });
  await assert.rejects(pool.calls.double(1), { code: 'worker.lost' });
  await pool.close();
});

test('closing ends what runs and refuses what comes', () =>
  withPool({ size: 1 }, async (calls, pool) => {
    await calls.double(1);
    const stuck = [calls.loopForEver(), calls.double(1), calls.double(2), calls.double(3)];
    const settled = Promise.allSettled(stuck);
    await pool.close();
    for (const result of await settled) assert.equal(result.status, 'rejected');
    await assert.rejects(calls.double(1), { code: 'worker.lost' });
  }));
