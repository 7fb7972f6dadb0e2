/** The contract of items and runs: rollback and reindex. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ANONYMOUS } from '../../src/core/access.ts';
import { packDocument } from '../../src/store/packed-document.ts';
import { at, checks, text, withCode } from './item-checks.ts';
import { importRecords, makeRecord, type OpenStore } from './store-fixture.ts';

export function revisionContract(name: string, open: OpenStore): void {
  const check = checks(open);

  void describe(`${name}: rollback and reindex`, () => {
    check('a rollback makes a new version equal to an old one, fields and words included', async (first) => {
      const bench = await first.reopen({
        views: [{ name: 'ice', query: { type: 'term', text: 'ice' }, access: { public: true } }],
      });
      const { store } = bench;
      await importRecords(store, 'samples', [makeRecord('a', 'ice', { keyword: ['k1'] })]);
      await importRecords(store, 'samples', [makeRecord('a', 'sand')]);
      bench.wait(5);
      const { id } = await store.runs.startRun('samples', 'rollback');
      const made = await store.items.rollback(at('a'), { version: 1 }, id, 'the new one was wrong');
      assert.deepEqual(
        [made.version, made.change, made.note, made.runId],
        [3, 'rolled-back', 'the new one was wrong', id],
      );
      const item = await store.items.findItem(at('a'), ANONYMOUS);
      assert.deepEqual(item?.fields, { title: ['ice'], keyword: ['k1'] });
      assert.deepEqual(item.views, ['ice']);
      assert.equal(item.records[0]?.datestampAt, bench.now());
      assert.equal(text((await store.items.findContent(at('a'), {}, ANONYMOUS))?.bytes), '<r>ice</r>');
      assert.deepEqual((await store.items.listHistory(at('a'), ANONYMOUS)).at(-1), made);
      await assert.rejects(store.items.rollback(at('a'), { version: 9 }, id), withCode('version.unknown'));
      await assert.rejects(
        store.items.rollback(at('a'), { version: 1, format: 'no' }, id),
        withCode('version.unknown'),
      );
      await assert.rejects(store.items.rollback(at('no'), { version: 1 }, id), withCode('item.unknown'));

      await store.items.commit({ source: 'samples', runId: id, deletions: [{ identifier: 'a' }] });
      await store.items.rollback(at('a'), { version: 2 }, id);
      assert.equal((await store.items.findItem(at('a'), ANONYMOUS))?.title, 'sand');
      await store.items.rollback(at('a'), { version: 4 }, id);
      assert.equal((await store.items.findItem(at('a'), ANONYMOUS))?.status, 'deleted');
      return bench;
    });

    check(
      'a reindex gives new fields without a version; only new transformed bytes move the datestamp',
      async ({ store, wait, now }) => {
        await importRecords(store, 'samples', [
          makeRecord('a', 'one', { transformed: Buffer.from('m1') }),
          makeRecord('b', 'two'),
        ]);
        const made = now();
        wait(10);
        const raw = await store.items.listRaw('samples', 0, 10);
        assert.deepEqual(
          raw.map((one) => [one.identifier, one.format, text(one.bytes)]),
          [
            ['a', 'plain', '<r>one</r>'],
            ['b', 'plain', '<r>two</r>'],
          ],
        );
        assert.equal((await store.items.listRaw('samples', raw[0]?.recordKey ?? 0, 10)).length, 1);
        const { id } = await store.runs.startRun('samples', 'reindex');
        const document = (title: string) => makeRecord('', title).document;
        await store.items.reindexRecords('samples', id, [
          { recordKey: raw[0]?.recordKey ?? 0, document: document('uno'), transformed: Buffer.from('m1') },
          {
            recordKey: raw[1]?.recordKey ?? 0,
            document: packDocument(document('due')),
            transformed: Buffer.from('m2'),
          },
        ]);
        const [a, b] = [
          await store.items.findItem(at('a'), ANONYMOUS),
          await store.items.findItem(at('b'), ANONYMOUS),
        ];
        assert.deepEqual([a?.title, a?.records[0]?.version, a?.records[0]?.datestampAt], ['uno', 1, made]);
        assert.deepEqual([b?.title, b?.records[0]?.version, b?.records[0]?.datestampAt], ['due', 1, now()]);
        const content = await store.items.findContent(at('b'), { rendering: 'transformed' }, ANONYMOUS);
        assert.equal(text(content?.bytes), 'm2');
        await assert.rejects(
          store.items.reindexRecords('samples', id, [{ recordKey: 999, document: document('x') }]),
          withCode('request.invalid'),
        );
        await store.admin.optimise();
        assert.equal((await store.items.findItem(at('a'), ANONYMOUS))?.title, 'uno');
        return undefined;
      },
    );

    check('a source is stale when its definitions changed, until a whole reindex ended', async (first) => {
      await importRecords(first.store, 'samples', [makeRecord('a', 'x')]);
      await importRecords(first.store, 'samples', [makeRecord('a', 'y')]);
      assert.deepEqual(await first.store.admin.listStale(), []);
      const bench = await first.reopen({ fields: first.setup.fields.slice(0, 3) });
      const { store } = bench;
      assert.deepEqual(await store.admin.listStale(), ['samples']);
      await importRecords(store, 'samples', [makeRecord('b', 'x')]);
      assert.deepEqual(await store.admin.listStale(), ['samples']);
      const failed = await store.runs.startRun('samples', 'reindex');
      await store.runs.finishRun(failed.id, 'failed');
      assert.deepEqual(await store.admin.listStale(), ['samples']);
      const whole = await store.runs.startRun('samples', 'reindex');
      await store.runs.finishRun(whole.id, 'complete');
      assert.deepEqual(await store.admin.listStale(), []);
      const { id } = await store.runs.startRun('samples', 'rollback');
      await store.items.rollback(at('a'), { version: 1 }, id);
      assert.deepEqual(await store.admin.listStale(), ['samples'], 'fields of before the reindex came back');
      return bench;
    });
  });
}
