/** The contract of items and runs: entries and what vanished. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ANONYMOUS } from '../../src/core/access.ts';
import { at, checks, listAll, names } from './item-checks.ts';
import { importRecords, makeRecord, type OpenStore } from './store-fixture.ts';

export function vanishedContract(name: string, open: OpenStore): void {
  const check = checks(open);

  void describe(`${name}: entries and what vanished`, () => {
    const entry = (name: string, digest = 'd') => ({ entry: name, digest, size: 1, modifiedAt: 5 });

    check(
      'complete entries are listed in order of their names, incomplete ones are not',
      async ({ store }) => {
        const { id } = await store.runs.startRun('samples', 'import');
        await store.items.commit({
          source: 'samples',
          runId: id,
          records: [
            makeRecord('1', 'x', { entry: 'b' }),
            makeRecord('2', 'x', { entry: 'a' }),
            makeRecord('3', 'x', { entry: 'c' }),
          ],
          readEntries: [entry('b'), entry('a'), entry('empty')],
        });
        assert.deepEqual(await store.items.listEntries('samples', undefined, 10), [
          entry('a'),
          entry('b'),
          entry('empty'),
        ]);
        assert.deepEqual(await store.items.listEntries('samples', 'a', 1), [entry('b')]);
        await store.items.commit({
          source: 'samples',
          runId: id,
          records: [makeRecord('1', 'y', { entry: 'b' })],
        });
        assert.deepEqual(await store.items.listEntries('samples', undefined, 10), [
          entry('a'),
          entry('empty'),
        ]);
        return undefined;
      },
    );

    check(
      'records of unseen entries vanish, those of seen ones stay, those gone from a re-read one vanish',
      async ({ store }) => {
        const { id: first } = await store.runs.startRun('samples', 'import');
        await store.items.commit({
          source: 'samples',
          runId: first,
          records: [
            makeRecord('kept', 'x', { entry: 'same' }),
            makeRecord('stays', 'x', { entry: 'changed' }),
            makeRecord('dropped', 'x', { entry: 'changed' }),
            makeRecord('lost', 'x', { entry: 'removed' }),
            makeRecord('moves', 'x', { entry: 'removed' }),
            makeRecord('bare', 'x'),
          ],
          readEntries: [entry('same'), entry('changed'), entry('removed')],
        });
        assert.deepEqual(await store.items.countVanished('samples', first), { vanished: 0, live: 6 });
        await store.runs.finishRun(first, 'complete');

        const { id: second } = await store.runs.startRun('samples', 'import');
        await store.items.commit({
          source: 'samples',
          runId: second,
          records: [
            makeRecord('stays', 'x', { entry: 'changed' }),
            makeRecord('moves', 'x', { entry: 'changed' }),
          ],
          readEntries: [entry('changed', 'new')],
          seenEntries: ['same'],
        });
        assert.deepEqual(await store.items.countVanished('samples', second), { vanished: 3, live: 6 });
        const result = await store.items.deleteVanished('samples', second);
        assert.equal(result.deleted, 3);
        const status = async (id: string) => (await store.items.findItem(at(id), ANONYMOUS))?.status;
        assert.deepEqual(
          await Promise.all(['kept', 'stays', 'moves', 'dropped', 'lost', 'bare'].map(status)),
          ['live', 'live', 'live', 'deleted', 'deleted', 'deleted'],
        );
        assert.deepEqual(
          (await store.items.listEntries('samples', undefined, 9)).map((e) => e.entry),
          ['changed', 'same'],
        );
        assert.equal((await store.runs.findRun(second))?.counts.deleted, 3);
        return undefined;
      },
    );

    check(
      'of two entries with the same record the first of the run keeps it; a record may move to another entry',
      async ({ store }) => {
        const commit = (runId: number, more: object) =>
          store.items.commit({ source: 'samples', runId, ...more });
        const { id: first } = await store.runs.startRun('samples', 'import');
        const both = await commit(first, {
          records: [makeRecord('x', 'of a', { entry: 'a' }), makeRecord('x', 'of b', { entry: 'b' })],
          readEntries: [entry('a'), entry('b')],
          order: ['a', 'b'],
        });
        assert.deepEqual(
          both.duplicates?.map((one) => [one.entry, one.identifier]),
          [['b', 'x']],
        );
        assert.equal((await store.items.findItem(at('x'), ANONYMOUS))?.title, 'of a');
        assert.deepEqual(
          (await store.items.listEntries('samples', undefined, 9)).map((one) => one.entry),
          ['a'],
        );
        await store.runs.finishRun(first, 'complete');

        const { id: second } = await store.runs.startRun('samples', 'import');
        const kept = await commit(second, {
          records: [makeRecord('x', 'of b', { entry: 'b' })],
          seenEntries: ['a'],
          readEntries: [entry('b')],
          order: ['a', 'b'],
        });
        assert.equal(kept.duplicates?.length, 1);
        await store.runs.finishRun(second, 'complete');

        const { id: third } = await store.runs.startRun('samples', 'import');
        await commit(third, { readEntries: [entry('a', 'without x')], order: ['a'] });
        const moved = await commit(third, {
          records: [makeRecord('x', 'of b', { entry: 'b' })],
          readEntries: [entry('b')],
          order: ['b'],
        });
        assert.equal(moved.updated, 1);
        assert.deepEqual(await store.items.countVanished('samples', third), { vanished: 0, live: 1 });
        return undefined;
      },
    );

    check('what an interrupted run saw is not lost for the one that goes on', async ({ store, wait }) => {
      await importRecords(store, 'samples', [makeRecord('seen before', 'x'), makeRecord('never again', 'x')]);
      const { id: first } = await store.runs.startRun('samples', 'harvest', { resume: true });
      await store.items.commit({
        source: 'samples',
        runId: first,
        records: [makeRecord('seen before', 'x'), makeRecord('new', 'x', { entry: 'e' })],
        readEntries: [entry('e')],
        checkpoint: { page: 2 },
      });
      wait(61);
      const second = await store.runs.startRun('samples', 'harvest', { resume: true });
      assert.deepEqual(second.checkpoint, { page: 2 });
      await store.items.commit({ source: 'samples', runId: second.id, records: [makeRecord('last', 'x')] });
      assert.deepEqual(await store.items.countVanished('samples', second.id), { vanished: 1, live: 4 });
      await store.items.deleteVanished('samples', second.id);
      assert.equal((await store.items.findItem(at('never again'), ANONYMOUS))?.status, 'deleted');
      await store.runs.finishRun(second.id, 'complete');
      return undefined;
    });

    check(
      'a record that left its entry vanishes even if the run that read it died before it could say so',
      async ({ store, wait }) => {
        const { id: first } = await store.runs.startRun('samples', 'import');
        await store.items.commit({
          source: 'samples',
          runId: first,
          records: [makeRecord('a', 'x', { entry: 'e' }), makeRecord('b', 'x', { entry: 'e' })],
          readEntries: [entry('e', '1')],
        });
        await store.runs.finishRun(first, 'complete');
        const { id: dead } = await store.runs.startRun('samples', 'import');
        await store.items.commit({
          source: 'samples',
          runId: dead,
          records: [makeRecord('a', 'x', { entry: 'e' })],
          readEntries: [entry('e', '2')],
        });
        wait(61);
        const { id: next } = await store.runs.startRun('samples', 'import');
        await store.items.commit({ source: 'samples', runId: next, seenEntries: ['e'] });
        assert.deepEqual(await store.items.countVanished('samples', next), { vanished: 1, live: 2 });
        return undefined;
      },
    );

    check('thousands vanish in several transactions', async ({ store }) => {
      const records = Array.from({ length: 2500 }, (_, i) => makeRecord(`r${i}`, `t${i}`));
      await importRecords(store, 'samples', records);
      const { id } = await store.runs.startRun('samples', 'import');
      await store.items.commit({ source: 'samples', runId: id, records: records.slice(0, 3) });
      assert.equal((await store.items.deleteVanished('samples', id)).deleted, 2497);
      assert.deepEqual((await store.items.listSources()).find((s) => s.name === 'samples')?.liveItems, 3);
      return undefined;
    });

    check(
      'a dropped source leaves tombstones and its name; a new import brings it back',
      async ({ store, wait }) => {
        await importRecords(store, 'samples', [makeRecord('a', 'x'), makeRecord('b', 'x')]);
        await importRecords(store, 'others', [makeRecord('a', 'x')]);
        wait(2);
        const { id } = await store.runs.startRun('samples', 'drop');
        assert.equal((await store.items.dropSource('samples', id)).deleted, 2);
        await store.runs.finishRun(id, 'complete');
        const state = (await store.items.listSources()).find((source) => source.name === 'samples');
        assert.deepEqual([state?.liveItems, state?.deletedItems, typeof state?.droppedAt], [0, 2, 'number']);
        wait(2);
        assert.deepEqual(names(await listAll(store, { format: 'plain' })).sort(), ['-a', '-b', 'a']);
        await importRecords(store, 'samples', [makeRecord('a', 'x')]);
        assert.equal(
          (await store.items.listSources()).find((s) => s.name === 'samples')?.droppedAt,
          undefined,
        );
        return undefined;
      },
    );
  });
}
