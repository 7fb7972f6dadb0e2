/** The contract of items and runs: what keepers ask of them: outcomes, live items, counted problems, retention. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { checks } from './item-checks.ts';
import { importRecords, makeRecord, type OpenStore, type StoreUnderTest } from './store-fixture.ts';

const DAY = 24 * 3600;

async function runWith(
  { items, runs }: StoreUnderTest,
  kind: string,
  batch: Omit<Parameters<typeof items.commit>[0], 'source' | 'runId'>,
): Promise<number> {
  const { id } = await runs.startRun('samples', kind);
  await items.commit({ source: 'samples', runId: id, ...batch });
  await runs.finishRun(id, 'complete');
  return id;
}

export function careOfRunsContract(name: string, open: OpenStore): void {
  const check = checks(open);

  void describe(`${name}: care of runs`, () => {
    check('a commit tells, when asked, what became of each record', async ({ store }) => {
      await importRecords(store, 'samples', [makeRecord('a', 'x'), makeRecord('b', 'x')]);
      const { id } = await store.runs.startRun('samples', 'push');
      const records = [makeRecord('b', 'y'), makeRecord('c', 'z'), makeRecord('a', 'x')];
      const told = await store.items.commit({ source: 'samples', runId: id, records, tellOutcomes: true });
      assert.deepEqual(told.outcomes, ['updated', 'added', 'unchanged']);
      const quiet = await store.items.commit({ source: 'samples', runId: id, records });
      assert.equal(quiet.outcomes, undefined);
      return undefined;
    });

    check(
      'the number of records that a checkpoint expects is shown while the run goes on',
      async ({ store }) => {
        const { id } = await store.runs.startRun('samples', 'harvest');
        assert.equal((await store.runs.findRun(id))?.expected, undefined);
        await store.items.commit({ source: 'samples', runId: id, checkpoint: { page: 2, total: 400 } });
        assert.equal((await store.runs.findRun(id))?.expected, 400);
        await store.runs.finishRun(id, 'complete');
        assert.equal((await store.runs.findRun(id))?.expected, undefined);
        return undefined;
      },
    );

    check(
      'live items of all sources are listed in pages, with the fields that are shown',
      async ({ store }) => {
        await importRecords(store, 'samples', [
          makeRecord('a', 'one', { abstract: 'hidden' }),
          makeRecord('b', 'two'),
        ]);
        await importRecords(store, 'others', [makeRecord('a', 'three'), makeRecord('d', 'four')]);
        await runWith(store, 'import', { deletions: [{ identifier: 'b' }] });
        const first = await store.items.listLive(0, 2);
        const rest = await store.items.listLive(first.at(-1)?.key ?? 0, 10);
        assert.deepEqual(
          [...first, ...rest].map(({ source, identifier, fields }) => [source, identifier, fields]),
          [
            ['samples', 'a', { title: ['one'] }],
            ['others', 'a', { title: ['three'] }],
            ['others', 'd', { title: ['four'] }],
          ],
        );
        assert.equal(first.length, 2);
        return undefined;
      },
    );

    check(
      'problems are counted by what is wrong now: older versions and other sources do not count',
      async ({ store }) => {
        const doubt = (identifier: string, message = 'no date') => ({
          code: 'value.date',
          message,
          identifier,
        });
        await runWith(store, 'import', {
          records: ['a', 'b', 'c'].map((id) => makeRecord(id, 'x')),
          problems: [
            doubt('a'),
            doubt('b'),
            doubt('c'),
            doubt('a', 'another date'),
            { code: 'xml.malformed', message: 'bad', where: 'z.xml' },
          ],
        });
        const before = await store.runs.countProblems('samples');
        assert.deepEqual(
          before.current.map(({ message, items }) => [message, items]),
          [
            ['no date', 3],
            ['another date', 1],
          ],
        );
        assert.deepEqual(before.keptOut, [
          { code: 'xml.malformed', message: 'bad', items: 1, identifier: 'z.xml' },
        ]);

        await runWith(store, 'import', {
          records: [makeRecord('a', 'mended'), makeRecord('b', 'still wrong')],
          problems: [doubt('b')],
          deletions: [{ identifier: 'c' }],
        });
        const now = await store.runs.countProblems('samples');
        assert.deepEqual(now.current, [
          { code: 'value.date', message: 'no date', items: 1, identifier: 'b' },
        ]);
        assert.deepEqual(now.keptOut, []);

        await runWith(store, 'reindex', {});
        assert.deepEqual(
          (await store.runs.countProblems('samples')).current,
          [],
          'extracted again without complaint',
        );
        assert.deepEqual(await store.runs.countProblems('others'), { current: [], keptOut: [] });
        return undefined;
      },
    );

    check(
      'old runs are forgotten with their problems, but not the newest of a kind',
      async ({ store, now, wait }) => {
        const problems = [{ code: 'xml.malformed', message: 'bad', where: 'z.xml' }];
        const first = await runWith(store, 'import', { records: [makeRecord('a', 'x')], problems });
        const harvest = await runWith(store, 'harvest', { problems });
        wait(DAY);
        const second = await runWith(store, 'import', { problems });
        wait(DAY);
        const third = await runWith(store, 'import', {});
        const { id: running } = await store.runs.startRun('samples', 'push');
        wait(10 * DAY);
        assert.deepEqual(await store.runs.pruneRuns(now() - 11.5 * DAY * 1000, 10), [first]);
        assert.deepEqual(await store.runs.pruneRuns(now(), 10), [second]);
        assert.deepEqual(await store.runs.pruneRuns(now(), 10), []);
        const left = (await store.runs.listRuns({ limit: 10 })).map(({ id }) => id);
        assert.deepEqual(left, [running, third, harvest]);
        assert.equal((await store.runs.listProblems({ limit: 10 })).length, 1);
        return undefined;
      },
    );

    check('of an origin that tells of changes only, what it does not mention stays', async ({ store }) => {
      const entry = (name: string, digest = name) => ({ entry: name, digest, size: 1, modifiedAt: 1 });
      await runWith(store, 'harvest', {
        records: ['a', 'b', 'c'].map((id) => makeRecord(id, 'x', { entry: id })),
        readEntries: ['a', 'b', 'c'].map((id) => entry(id)),
      });
      const { id } = await store.runs.startRun('samples', 'harvest');
      await store.items.commit({ source: 'samples', runId: id, readEntries: [entry('b', 'gone')] });
      assert.deepEqual(await store.items.countVanished('samples', id, { partial: true }), {
        vanished: 1,
        live: 3,
      });
      assert.equal((await store.items.countVanished('samples', id)).vanished, 3);
      assert.equal((await store.items.deleteVanished('samples', id, { partial: true })).deleted, 1);
      await store.runs.finishRun(id, 'complete');
      assert.deepEqual(
        (await store.items.listLive(0, 10)).map(({ identifier }) => identifier),
        ['a', 'c'],
      );
      assert.equal((await store.items.listEntries('samples', undefined, 10)).length, 3);
      return undefined;
    });
  });
}
