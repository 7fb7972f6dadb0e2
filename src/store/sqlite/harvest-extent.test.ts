import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Bench, importRecords, makeRecord, openBench } from '../../../test/contract/store-fixture.ts';
import { ANONYMOUS, OPERATOR } from '../../core/access.ts';
import type { ExtentRequest, GarnerStore } from '../index.ts';
import { openSqliteStore } from './open.ts';

async function withBench(run: (bench: Bench, harvest: GarnerStore['harvest']) => Promise<void>) {
  let harvest: GarnerStore['harvest'] | undefined;
  const bench = await openBench(async (setup, clock) => {
    const store = openSqliteStore(setup, { clock });
    harvest = store.harvest;
    return store;
  });
  try {
    assert.ok(harvest);
    await run(bench, harvest);
  } finally {
    await bench.close();
  }
}

const PLAIN: Pick<ExtentRequest, 'formats'> = { formats: ['plain', 'other'] };

test('an extent counts the records of all formats, ends between items and says whether others follow', () =>
  withBench(async ({ store, now, wait }, harvest) => {
    const startAt = now();
    await importRecords(store, 'samples', [
      makeRecord('a', 'one'),
      makeRecord('a', 'one', { format: 'other' }),
      makeRecord('b', 'two'),
    ]);
    wait(2);
    await importRecords(store, 'samples', [makeRecord('c', 'three'), makeRecord('d', 'four')]);
    assert.equal((await harvest.measure({ ...PLAIN, limit: 9 }, ANONYMOUS)).records, 3, 'the open second');
    wait(2);
    const all = await harvest.measure({ ...PLAIN, limit: 9 }, ANONYMOUS);
    assert.equal(all.records, 5);
    assert.equal(all.more, false);
    assert.equal(all.first?.datestampAt, startAt);
    assert.equal(all.last?.datestampAt, startAt + 2000);
    assert.equal(all.bytes, ['one', 'one', 'two', 'three', 'four'].join('').length + 5 * '<r></r>'.length);

    const one = await harvest.measure({ ...PLAIN, limit: 1 }, ANONYMOUS);
    assert.deepEqual([one.records, one.more], [2, true], 'an item is never cut in two');
    const two = await harvest.measure({ ...PLAIN, limit: 3 }, ANONYMOUS);
    assert.deepEqual([two.records, two.more], [3, true]);
    assert.ok(two.last);
    const rest = await harvest.measure({ ...PLAIN, after: two.last, limit: 9 }, ANONYMOUS);
    assert.deepEqual([rest.records, rest.more], [2, false]);
    const until = await harvest.measure({ ...PLAIN, upTo: two.last, limit: 9 }, ANONYMOUS);
    assert.deepEqual([until.records, until.more], [3, false]);
    const small = await harvest.measure({ ...PLAIN, limit: 9, maxBytes: 25 }, ANONYMOUS);
    assert.deepEqual([small.records, small.bytes, small.more], [2, 20, true]);
    assert.equal((await harvest.measure({ limit: 9 }, ANONYMOUS)).records, 4, 'items, not records');
    assert.equal((await harvest.measure({ ...PLAIN, source: 'others', limit: 9 }, ANONYMOUS)).records, 0);
  }));

test('an extent and the facts of records tell nothing of what the viewer may not read', () =>
  withBench(async ({ store, wait }, harvest) => {
    await importRecords(store, 'samples', [
      makeRecord('open', 'seen'),
      makeRecord('secret', 'never seen', { access: { groups: ['staff'] } }),
      makeRecord('left', 'once seen'),
    ]);
    wait(2);
    await importRecords(store, 'samples', [
      makeRecord('left', 'once seen', { access: { groups: ['staff'] } }),
    ]);
    wait(2);
    const extent = await harvest.measure({ ...PLAIN, limit: 9 }, ANONYMOUS);
    assert.deepEqual([extent.records, extent.bytes], [2, '<r>seen</r>'.length]);
    assert.equal((await harvest.measure({ ...PLAIN, limit: 9 }, OPERATOR)).records, 3);
    const page = await harvest.listPage({ format: 'plain', facts: true, limit: 9 }, ANONYMOUS);
    assert.deepEqual(
      page.records.map(({ identifier, facts }) => [identifier, facts?.length]),
      [
        ['open', 11],
        ['left', undefined],
      ],
    );
  }));

test('facts say what is new: seen first or restored, not what was only changed', () =>
  withBench(async ({ store, wait }, harvest) => {
    await importRecords(store, 'samples', [makeRecord('a', 'one'), makeRecord('b', 'two')]);
    const isNew = async () => {
      wait(2);
      const page = await harvest.listPage({ format: 'plain', facts: true, limit: 9 }, ANONYMOUS);
      return Object.fromEntries(page.records.map(({ identifier, facts }) => [identifier, facts?.isNew]));
    };
    assert.deepEqual(await isNew(), { a: true, b: true });
    await importRecords(store, 'samples', [makeRecord('a', 'changed')]);
    assert.deepEqual(await isNew(), { a: false, b: true });
    const { id: runId } = await store.runs.startRun('samples', 'import');
    await store.items.commit({ source: 'samples', runId, deletions: [{ identifier: 'a' }] });
    await store.runs.finishRun(runId, 'complete');
    assert.deepEqual(await isNew(), { a: undefined, b: true });
    await importRecords(store, 'samples', [makeRecord('a', 'changed')]);
    assert.deepEqual(await isNew(), { a: true, b: true });
  }));
