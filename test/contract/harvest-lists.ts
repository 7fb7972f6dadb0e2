/** The contract of items and runs: harvest lists. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ANONYMOUS } from '../../src/core/access.ts';
import type { RecordPageRequest } from '../../src/store/index.ts';
import { checks, listAll, names, withCode } from './item-checks.ts';
import { importRecords, makeRecord, type OpenStore, openBench } from './store-fixture.ts';

export function harvestListsContract(name: string, open: OpenStore): void {
  const check = checks(open);

  void describe(`${name}: harvest lists`, () => {
    check(
      'only closed seconds are listed, oldest first, deleted records too',
      async ({ store, wait, now }) => {
        await importRecords(store, 'samples', [makeRecord('a', 'x'), makeRecord('b', 'x')]);
        const first = now();
        assert.deepEqual(await listAll(store), []);
        wait(1);
        await importRecords(store, 'samples', [makeRecord('a', 'changed')]);
        assert.deepEqual(names(await listAll(store)), ['b']);
        wait(1);
        const { id } = await store.runs.startRun('samples', 'import');
        await store.items.commit({ source: 'samples', runId: id, deletions: [{ identifier: 'b' }] });
        wait(1);
        assert.deepEqual(names(await listAll(store)), ['a', '-b']);
        assert.deepEqual(names(await listAll(store, { fromAt: first + 2000 })), ['-b']);
        assert.deepEqual(names(await listAll(store, { untilAt: first + 1000 })), ['a']);
        assert.deepEqual(names(await listAll(store, { fromAt: first + 1001, untilAt: first + 1999 })), []);
        return undefined;
      },
    );

    check('lists can be of one source or one format', async ({ store, wait }) => {
      await importRecords(store, 'samples', [
        makeRecord('a', 'x'),
        makeRecord('a', 'y', { format: 'other' }),
      ]);
      await importRecords(store, 'others', [makeRecord('o', 'x')]);
      wait(2);
      const formats = async (request: Partial<RecordPageRequest>) =>
        (await listAll(store, request)).map((record) => `${record.identifier} ${record.format}`);
      assert.deepEqual(await formats({}), ['a plain', 'a other', 'o plain']);
      assert.deepEqual(await formats({ format: 'plain' }), ['a plain', 'o plain']);
      assert.deepEqual(await formats({ format: 'none' }), []);
      assert.deepEqual(await formats({ source: 'samples' }), ['a plain', 'a other']);
      assert.deepEqual(await formats({ source: 'others', format: 'other' }), []);
      await assert.rejects(listAll(store, { source: 'no' }), withCode('source.unknown'));
      await assert.rejects(listAll(store, { view: 'no' }), withCode('view.unknown'));
      return undefined;
    });

    check('a set shows who came, who left and when, and nothing of others', async ({ store, wait, now }) => {
      await importRecords(store, 'samples', [
        makeRecord('a', 'x', { sets: ['ice'] }),
        makeRecord('b', 'x', { sets: ['ice', 'sea'] }),
        makeRecord('c', 'x'),
      ]);
      wait(10);
      const moved = now();
      await importRecords(store, 'samples', [
        makeRecord('a', 'x', { sets: [] }),
        makeRecord('c', 'x', { sets: ['ice'] }),
      ]);
      wait(10);
      const ice = await listAll(store, { set: 'ice' });
      assert.deepEqual(names(ice), ['b', '-a', 'c']);
      assert.deepEqual(
        ice.slice(1).map((record) => record.datestampAt),
        [moved, moved],
      );
      assert.deepEqual(names(await listAll(store, { set: 'ice', fromAt: moved })), ['-a', 'c']);
      assert.deepEqual(names(await listAll(store)), ['a', 'b', 'c'], 'elsewhere nothing moved');
      assert.deepEqual(ice[0]?.sets, ['ice', 'sea']);
      assert.deepEqual(names(await listAll(store, { set: 'none' })), []);
      await importRecords(store, 'samples', [makeRecord('a', 'x', { sets: ['ice'] })]);
      wait(2);
      assert.deepEqual(names(await listAll(store, { set: 'ice' })), ['b', 'c', 'a']);
      return undefined;
    });

    void test('pages of any size hold the whole list once, whatever was done before', async () => {
      const operation = fc.record({
        id: fc.integer({ min: 0, max: 6 }),
        text: fc.integer({ min: 0, max: 2 }),
        format: fc.constantFrom('plain', 'other'),
        sets: fc.subarray(['s', 't']),
        remove: fc.boolean(),
        pause: fc.integer({ min: 0, max: 2 }),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(operation, { maxLength: 25 }),
          fc.integer({ min: 1, max: 4 }),
          async (operations, size) => {
            const bench = await openBench(open, {
              views: [
                {
                  name: 'ones',
                  query: { type: 'term', field: 'title', text: 'w1' },
                  access: { public: true },
                },
              ],
            });
            try {
              const { store } = bench;
              const { id: runId } = await store.runs.startRun('samples', 'import');
              for (const { id, text: number, format, sets, remove, pause } of operations) {
                bench.wait(pause);
                await store.items.commit({
                  source: 'samples',
                  runId,
                  ...(remove
                    ? { deletions: [{ identifier: `i${id}`, format }] }
                    : { records: [makeRecord(`i${id}`, `w${number}`, { format, sets })] }),
                });
              }
              bench.wait(2);
              for (const request of [
                {},
                { format: 'plain' },
                { set: 's' },
                { view: 'ones' },
                { set: 't', view: 'ones', format: 'other' },
              ]) {
                const whole = await store.items.listRecords({ ...request, limit: 1000 }, ANONYMOUS);
                const keys = whole.map((record) => [record.datestampAt, record.key]);
                assert.deepEqual(await listAll(store, request, ANONYMOUS, size), whole);
                assert.deepEqual(
                  keys,
                  keys.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d),
                );
                assert.equal(
                  new Set(whole.map((record) => record.key)).size,
                  whole.length,
                  'each record once',
                );
              }
              assert.deepEqual(await store.admin.verify(), []);
            } finally {
              await bench.close();
            }
          },
        ),
        { numRuns: 15 },
      );
    });

    void test('a full harvest and one from its date on miss nothing, whatever happens in between', async () => {
      const step = fc.record({
        id: fc.integer({ min: 0, max: 5 }),
        set: fc.boolean(),
        text: fc.integer({ min: 0, max: 2 }),
        remove: fc.boolean(),
        pause: fc.integer({ min: 0, max: 1 }),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: 12 }),
          fc.array(step, { maxLength: 12 }),
          async (before, after) => {
            const bench = await openBench(open);
            try {
              const { store } = bench;
              const { id: runId } = await store.runs.startRun('samples', 'import');
              const play = async (steps: typeof before) => {
                for (const { id, set, text: number, remove, pause } of steps) {
                  bench.wait(pause);
                  await store.items.commit({
                    source: 'samples',
                    runId,
                    ...(remove
                      ? { deletions: [{ identifier: `i${id}` }] }
                      : { records: [makeRecord(`i${id}`, `w${number}`, { sets: set ? ['s'] : [] })] }),
                  });
                }
              };
              for (const request of [{}, { set: 's' }]) {
                await play(before);
                const copy = new Map(
                  (await listAll(store, request)).map((one) => [one.identifier, one.status]),
                );
                const responseDate = bench.now();
                await play(after);
                bench.wait(1);
                for (const one of await listAll(store, { ...request, fromAt: responseDate }))
                  copy.set(one.identifier, one.status);
                const now = new Map(
                  (await listAll(store, request)).map((one) => [one.identifier, one.status]),
                );
                assert.deepEqual(copy, now);
              }
            } finally {
              await bench.close();
            }
          },
        ),
        { numRuns: 15 },
      );
    });
  });
}
