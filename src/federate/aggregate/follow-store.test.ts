import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followStore } from './follow-store.ts';

test('a follower takes in changes, gathers anew when nothing changes, and goes on after an error', async () => {
  const calls: string[] = [];
  const changes = [3, new RangeError('busy'), 0, 0];
  const done = Promise.withResolvers<void>();
  const errors: unknown[] = [];
  const follower = followStore(
    {
      catchUp: async () => {
        calls.push('catchUp');
        const next = changes.shift() ?? 0;
        if (typeof next !== 'number') throw next;
        return next;
      },
      tighten: async () => {
        calls.push('tighten');
        done.resolve();
        return 0;
      },
    },
    { everyMs: 2, tightenAfterMs: 4, patienceMs: 1000, onError: (error) => errors.push(error) },
  );
  const keepAlive = setTimeout(
    () => done.reject(new assert.AssertionError({ message: 'never tightened' })),
    10_000,
  );
  await done.promise;
  clearTimeout(keepAlive);
  await follower.stop();
  assert.deepEqual(calls.slice(0, 5), ['catchUp', 'catchUp', 'catchUp', 'catchUp', 'tighten']);
  assert.equal(errors.length, 1);
});

test('a follower warms up once, after its first look, without keeping anybody waiting', async () => {
  const calls: string[] = [];
  const held = Promise.withResolvers<void>();
  const errors: unknown[] = [];
  const follower = followStore(
    {
      catchUp: async () => calls.push('catchUp'),
      tighten: async () => 0,
    },
    {
      everyMs: 60_000,
      tightenAfterMs: 60_000,
      patienceMs: 60_000,
      warmUp: async () => {
        calls.push('warmUp');
        await held.promise;
        throw new RangeError('cold');
      },
      onError: (error) => errors.push(error),
    },
  );
  await follower.wake();
  held.resolve();
  await follower.stop();
  assert.deepEqual(calls, ['catchUp', 'warmUp']);
  assert.equal(errors.length, 1);
});

test('a follower that sleeps begins when it is first needed, and waits no longer than it has patience', async () => {
  let looks = 0;
  const held = Promise.withResolvers<number>();
  const follower = followStore(
    {
      catchUp: async () => {
        looks++;
        return held.promise;
      },
      tighten: async () => 0,
    },
    {
      asleep: true,
      everyMs: 60_000,
      tightenAfterMs: 60_000,
      patienceMs: 5,
      onError: (error) => assert.ifError(error),
    },
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(looks, 0);
  await Promise.all([follower.wake(), follower.wake()]);
  assert.equal(looks, 1);
  held.resolve(3);
  await follower.stop();
  await follower.wake();
  assert.equal(looks, 1);
});
