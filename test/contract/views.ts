/** The contract of items and runs: views. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ANONYMOUS, type Viewer } from '../../src/core/access.ts';
import { at, checks, listAll, names, withCode } from './item-checks.ts';
import { type Bench, importRecords, makeRecord, type OpenStore } from './store-fixture.ts';

export function viewsContract(name: string, open: OpenStore): void {
  const check = checks(open);

  void describe(`${name}: views`, () => {
    const polar = (word: string) => ({
      name: 'polar',
      query: { type: 'term', field: 'title', text: word } as const,
      access: { public: true },
    });

    check('items enter and leave a view as they change, and its list says when', async (first) => {
      const bench = await first.reopen({ views: [polar('ice')] });
      const { store } = bench;
      await importRecords(store, 'samples', [makeRecord('a', 'sea ice'), makeRecord('b', 'sand')]);
      bench.wait(5);
      assert.deepEqual(names(await listAll(store, { view: 'polar' })), ['a']);
      assert.deepEqual((await store.items.findItem(at('a'), ANONYMOUS))?.views, ['polar']);
      await importRecords(store, 'samples', [makeRecord('a', 'sea'), makeRecord('b', 'ice')]);
      bench.wait(5);
      assert.deepEqual(names(await listAll(store, { view: 'polar' })), ['-a', 'b']);
      assert.deepEqual(names(await listAll(store)), ['a', 'b']);
      assert.deepEqual((await store.items.findItem(at('a'), ANONYMOUS))?.views, []);
      return bench;
    });

    check(
      'a new or changed definition is applied to what is stored, with the moment of the change',
      async (first) => {
        await importRecords(first.store, 'samples', [
          makeRecord('a', 'ice', { abstract: 'hidden words' }),
          makeRecord('b', 'sand'),
        ]);
        await importRecords(first.store, 'others', [makeRecord('o', 'ice')]);
        first.wait(10);
        const second = await first.reopen({ views: [polar('ice')] });
        const made = second.now();
        second.wait(10);
        const list = async (bench: Bench) => listAll(bench.store, { view: 'polar' });
        assert.deepEqual(names(await list(second)), ['a', 'o']);
        assert.deepEqual(
          (await list(second)).map((one) => one.datestampAt),
          [made, made],
        );

        const third = await second.reopen({ views: [{ ...polar('ice'), sources: ['samples'] }] });
        third.wait(10);
        assert.deepEqual(names(await list(third)), ['a', '-o']);
        const fourth = await third.reopen({
          views: [{ ...polar(''), query: { type: 'term', field: 'abstract', text: 'hidden' } }],
        });
        fourth.wait(10);
        assert.deepEqual(names(await list(fourth)), ['a', '-o'], 'words that are not for display count too');

        const without = await fourth.reopen({ views: [] });
        await assert.rejects(list(without), withCode('view.unknown'));
        await importRecords(without.store, 'samples', [makeRecord('a', 'now sand')]);
        without.wait(10);
        const again = await without.reopen({ views: [polar('sand')] });
        again.wait(10);
        assert.deepEqual(names(await list(again)), ['-o', 'a', 'b']);
        return again;
      },
    );

    check('a view that one may not read is unknown', async (first) => {
      const bench = await first.reopen({ views: [{ ...polar('ice'), access: { groups: ['lab'] } }] });
      await importRecords(bench.store, 'samples', [makeRecord('a', 'ice')]);
      bench.wait(2);
      await assert.rejects(listAll(bench.store, { view: 'polar' }), withCode('view.unknown'));
      assert.deepEqual((await bench.store.items.findItem(at('a'), ANONYMOUS))?.views, []);
      const lab: Viewer = { role: 'reader', groups: ['lab'] };
      assert.deepEqual(names(await listAll(bench.store, { view: 'polar' }, lab)), ['a']);
      return bench;
    });
  });
}
