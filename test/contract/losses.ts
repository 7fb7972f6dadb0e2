/** The contract of items and runs: what an origin has and its source has not. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { LossNotes, RecordLoss } from '../../src/store/index.ts';
import { checks } from './item-checks.ts';
import { makeRecord, type OpenStore, type StoreUnderTest } from './store-fixture.ts';

const lost = (name: string, more: Partial<RecordLoss> = {}): RecordLoss => ({
  name,
  identifier: name,
  code: 'xml.malformed',
  message: `${name} is broken`,
  ...more,
});

/** One run with one commit, and what it leaves to be done. */
async function harvest(
  { items, runs }: StoreUnderTest,
  losses: LossNotes,
  more: { records?: readonly string[]; deletions?: readonly string[]; whole?: 'all' | 'unaccepted' } = {},
) {
  const { id } = await runs.startRun('samples', 'harvest');
  await items.commit({
    source: 'samples',
    runId: id,
    records: (more.records ?? []).map((name) => makeRecord(name, name)),
    deletions: (more.deletions ?? []).map((identifier) => ({ identifier })),
    losses,
  });
  const count = await runs.settleLosses('samples', id, { lists: ['a', 'b'], whole: more.whole ?? false });
  await runs.finishRun(id, 'incomplete');
  return { id, ...count };
}

const namesOf = async ({ runs }: StoreUnderTest) =>
  (await runs.listLosses({ source: 'samples', limit: 100 })).map(({ list, name }) => `${list}/${name}`);

export function lossesContract(name: string, open: OpenStore): void {
  const check = checks(open);

  void describe(`${name}: losses`, () => {
    check('what is missing is remembered with its reason until it comes or is deleted', async ({ store }) => {
      const first = await harvest(store, {
        list: 'a',
        lost: [lost('x', { at: 7000, where: 'http://o.example/', line: 3 }), lost('y'), lost('z')],
      });
      assert.deepEqual([first.open, first.names], [3, ['x', 'y', 'z']]);
      const [known] = await store.runs.listLosses({ source: 'samples', limit: 1 });
      assert.deepEqual(known, {
        id: known?.id,
        list: 'a',
        ...lost('x', { at: 7000, where: 'http://o.example/', line: 3 }),
        firstRun: first.id,
        lastRun: first.id,
      });
      // In another list it is another record.
      const second = await harvest(
        store,
        { list: 'b', lost: [lost('x', { message: 'also here' })] },
        { records: ['y'] },
      );
      assert.equal(second.open, 4);
      const third = await harvest(
        store,
        { list: 'a', lost: [lost('z', { message: 'still' })] },
        { records: ['x'], deletions: ['y'] },
      );
      assert.deepEqual(await namesOf(store), ['a/z', 'b/x']);
      const [again] = await store.runs.listLosses({ source: 'samples', limit: 1 });
      assert.deepEqual([again?.message, again?.firstRun, again?.lastRun], ['still', first.id, third.id]);
      assert.equal((await store.runs.countLosses('others')).open, 0);
      return undefined;
    });

    check(
      'a whole reading forgets what it did not miss again, also before it was interrupted',
      async ({ store }) => {
        await harvest(store, { list: 'a', lost: [lost('old'), lost('twice')] });
        const begun = await store.runs.startRun('samples', 'harvest');
        await store.items.commit({
          source: 'samples',
          runId: begun.id,
          losses: { list: 'a', lost: [lost('twice'), lost('new')] },
          checkpoint: { at: 1 },
        });
        await store.runs.finishRun(begun.id, 'interrupted');
        const resumed = await store.runs.startRun('samples', 'harvest', { resume: true });
        assert.equal((await store.runs.countLosses('samples')).open, 3);
        const count = await store.runs.settleLosses('samples', resumed.id, { lists: ['a'], whole: 'all' });
        assert.deepEqual([count.open, count.names], [2, ['twice', 'new']]);
        return undefined;
      },
    );

    check(
      'what is accepted counts no more, stays so when it is missed again, and is kept by a list of changes',
      async ({ store, now }) => {
        await harvest(store, { list: 'a', lost: [lost('x'), lost('y')] });
        assert.equal(await store.runs.acceptLosses('samples', ['x', 'unknown']), 1);
        assert.equal(await store.runs.acceptLosses('samples', ['x']), 0, 'once is enough');
        const again = await harvest(store, { list: 'a', lost: [lost('x')] }, { whole: 'unaccepted' });
        assert.deepEqual([again.open, again.accepted], [0, 1]);
        const [known] = await store.runs.listLosses({ source: 'samples', limit: 1 });
        assert.equal(known?.acceptedAt, now());
        const kept = await harvest(store, { list: 'a', lost: [] }, { whole: 'unaccepted' });
        assert.equal(kept.accepted, 1);
        const gone = await harvest(store, { list: 'a', lost: [] }, { whole: 'all' });
        assert.equal(gone.accepted, 0);
        await harvest(store, { list: 'a', lost: [lost('x'), lost('y')] });
        assert.equal(await store.runs.acceptLosses('samples', 'all'), 2);
        return undefined;
      },
    );

    check('at a place that was read whole nothing is missing', async ({ store }) => {
      const where = 'http://o.example/a.xml';
      await harvest(store, {
        list: 'a',
        lost: [lost('x', { where, line: 1 }), lost('y', { where: 'b.xml' })],
      });
      await harvest(store, { list: 'a', lost: [lost('z', { where })], wholePlaces: ['b.xml'] });
      assert.deepEqual(await namesOf(store), ['a/x', 'a/z']);
      await harvest(store, { list: 'a', lost: [], wholePlaces: [where] });
      assert.deepEqual(await namesOf(store), []);
      return undefined;
    });

    check('what waited longest is due first, once in a run; what has no name never is', async ({ store }) => {
      await harvest(store, { list: 'a', lost: [lost('x'), lost('y')] });
      await harvest(store, { list: 'a', lost: [lost('x'), lost('z')] });
      const { identifier: _, ...nameless } = lost('2020 to 2021');
      await harvest(store, { list: 'a', lost: [nameless] });
      const { id: runId } = await store.runs.startRun('samples', 'harvest');
      const due = async (list: string) =>
        (await store.runs.listLosses({ source: 'samples', due: { runId, list }, limit: 2 })).map(
          (loss) => loss.name,
        );
      assert.deepEqual(await due('a'), ['y', 'x']);
      assert.deepEqual(await due('b'), []);
      await store.items.commit({ source: 'samples', runId, losses: { list: 'a', lost: [lost('y')] } });
      assert.deepEqual(await due('a'), ['x', 'z']);
      assert.equal((await store.runs.countLosses('samples')).nameless, 1);
      return undefined;
    });

    check('what a source no longer lists is forgotten, and all of it with the source', async ({ store }) => {
      await harvest(store, { list: 'c', lost: [lost('x')] });
      assert.deepEqual(await namesOf(store), []);
      await harvest(store, { list: 'a', lost: [lost('x')] });
      const { id } = await store.runs.startRun('samples', 'drop');
      await store.items.dropSource('samples', id);
      assert.deepEqual(await namesOf(store), []);
      return undefined;
    });

    check('a record that is there but could not be read has not vanished', async ({ store }) => {
      await harvest(store, { list: 'a', lost: [] }, { records: ['x', 'y', 'z'] });
      const { id } = await store.runs.startRun('samples', 'harvest');
      await store.items.commit({
        source: 'samples',
        runId: id,
        records: [makeRecord('z', 'z')],
        losses: { list: 'a', lost: [lost('x')] },
      });
      assert.deepEqual(await store.items.countVanished('samples', id), { vanished: 1, live: 3 });
      assert.equal((await store.items.deleteVanished('samples', id)).deleted, 1);
      assert.deepEqual(await store.items.countVanished('samples', id), { vanished: 0, live: 2 });
      return undefined;
    });
  });
}
