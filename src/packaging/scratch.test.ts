import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { madeInScratch } from './scratch.ts';

test('the folder goes with the last byte, also when nobody reads on or the work fails', async (t) => {
  const data = await mkdtemp(join(tmpdir(), 'garner-scratch-'));
  t.after(() => rm(data, { recursive: true, force: true }));
  const two = async function* () {
    yield Buffer.from('a');
    yield Buffer.from('b');
  };
  for (const most of [1, 2]) {
    let count = 0;
    for await (const _ of await madeInScratch(data, async () => two())) if (++count >= most) break;
    assert.deepEqual(await readdir(data), []);
  }
  await assert.rejects(
    madeInScratch(data, () => Promise.reject(new RangeError('no'))),
    RangeError,
  );
  assert.deepEqual(await readdir(data), []);
});

test('what a crash left is removed after a day, younger ones and other folders stay', async (t) => {
  const data = await mkdtemp(join(tmpdir(), 'garner-scratch-'));
  t.after(() => rm(data, { recursive: true, force: true }));
  const old = new Date(Date.now() - 25 * 60 * 60 * 1000);
  for (const name of ['.package-old', '.package-young', 'archive']) await mkdir(join(data, name));
  for (const name of ['.package-old', 'archive']) await utimes(join(data, name), old, old);
  for await (const _ of await madeInScratch(data, async () => (async function* () {})())) break;
  assert.deepEqual((await readdir(data)).sort(), ['.package-young', 'archive']);
});
