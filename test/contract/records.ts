/** The contract of items and runs: records. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ANONYMOUS, OPERATOR } from '../../src/core/access.ts';
import { packDocument } from '../../src/store/packed-document.ts';
import { at, checks, listAll, text, withCode } from './item-checks.ts';
import { importRecords, makeRecord, type OpenStore } from './store-fixture.ts';

export function recordsContract(name: string, open: OpenStore): void {
  const check = checks(open);

  void describe(`${name}: records`, () => {
    check('a record comes back byte for byte, with its fields', async ({ store, now }) => {
      const raw = Uint8Array.from({ length: 256 }, (_, i) => i);
      const made = Buffer.from('<made/>');
      await importRecords(store, 'samples', [
        makeRecord('a', 'Sea ice', {
          raw,
          transformed: made,
          keyword: ['ice', 'Säule'],
          abstract: 'not shown',
        }),
      ]);
      const item = await store.items.findItem(at('a'), ANONYMOUS);
      assert.equal(item?.title, 'Sea ice');
      assert.equal(item.schema, 'plain');
      assert.equal(item.status, 'live');
      assert.equal(item.firstSeenAt, now());
      assert.deepEqual(item.fields, { title: ['Sea ice'], keyword: ['ice', 'Säule'] });
      assert.deepEqual(item.access, { public: true });
      assert.equal(item.records[0]?.size, 256);
      const content = await store.items.findContent(at('a'), {}, ANONYMOUS);
      assert.deepEqual(Uint8Array.from(content?.bytes ?? []), raw);
      const transformed = await store.items.findContent(at('a'), { rendering: 'transformed' }, ANONYMOUS);
      assert.equal(text(transformed?.bytes), '<made/>');
      return undefined;
    });

    check('a document that comes packed is taken in as if it were open', async ({ store }) => {
      const opened = makeRecord('a', 'Sea ice', { keyword: ['ice', 'Säule', '海氷'], abstract: 'not shown' });
      const packed = { ...opened, identifier: 'b', document: packDocument(opened.document) };
      await importRecords(store, 'samples', [opened, packed]);
      const [a, b] = [
        await store.items.findItem(at('a'), ANONYMOUS),
        await store.items.findItem(at('b'), ANONYMOUS),
      ];
      assert.deepEqual([b?.title, b?.fields], [a?.title, a?.fields]);
      const changed = makeRecord('b', 'Land ice');
      await importRecords(store, 'samples', [{ ...changed, document: packDocument(changed.document) }]);
      assert.equal((await store.items.findItem(at('b'), ANONYMOUS))?.title, 'Land ice');
      return undefined;
    });

    check('bytes of any size survive: none, one block, many blocks', async ({ store }) => {
      const sizes = [0, 1, 32_767, 32_768, 32_769, 300_000];
      const bytesOf = (size: number) => Uint8Array.from({ length: size }, (_, i) => (i * 7 + size) % 251);
      await importRecords(
        store,
        'samples',
        sizes.map((size) => makeRecord(`s${size}`, 't', { raw: bytesOf(size) })),
      );
      for (const size of sizes) {
        const content = await store.items.findContent(at(`s${size}`), {}, ANONYMOUS);
        assert.deepEqual(Uint8Array.from(content?.bytes ?? [9]), bytesOf(size), String(size));
      }
      return undefined;
    });

    check(
      'identifiers with slashes, dots, backslashes, quotes and other scripts are kept as they are',
      async ({ store }) => {
        const awkward = [
          '../a',
          'a/b/../c',
          '%2e%2e/x',
          'q?x=1&y=2#z',
          'C:\\data\\x',
          '"\'',
          '海氷/1',
          ' lead',
          'é',
          '😀',
        ];
        await importRecords(
          store,
          'samples',
          awkward.map((one) => makeRecord(one, one)),
        );
        for (const one of awkward) {
          assert.equal((await store.items.findItem(at(one), ANONYMOUS))?.identifier, one);
        }
        const found = (await listAll(store, {}, OPERATOR)).length;
        assert.equal(found, 0, 'their second is still open');
        return undefined;
      },
    );

    check(
      'unchanged content makes no version, moves no datestamp and no sequence number',
      async ({ store, wait }) => {
        const first = await importRecords(store, 'samples', [makeRecord('a', 'same')]);
        const before = await store.items.findItem(at('a'), ANONYMOUS);
        wait(10);
        const again = await importRecords(store, 'samples', [makeRecord('a', 'same')]);
        const { added, updated, unchanged, deleted, seq } = again;
        assert.deepEqual([added, updated, unchanged, deleted, seq], [0, 0, 1, 0, first.seq]);
        assert.deepEqual(await store.items.findItem(at('a'), ANONYMOUS), before);
        return undefined;
      },
    );

    check(
      'every change makes a version, and every version can be read again',
      async ({ store, wait, now }) => {
        const times: number[] = [];
        for (const one of ['one', 'two', 'three']) {
          times.push(now());
          await importRecords(store, 'samples', [makeRecord('a', one)]);
          wait(60);
        }
        const history = await store.items.listHistory(at('a'), ANONYMOUS);
        assert.deepEqual(
          history.map(({ version, change, at: when }) => [version, change, when]),
          [
            [1, 'added', times[0]],
            [2, 'updated', times[1]],
            [3, 'updated', times[2]],
          ],
        );
        const read = async (choice: object) =>
          text((await store.items.findContent(at('a'), choice, ANONYMOUS))?.bytes);
        assert.equal(await read({ version: 1 }), '<r>one</r>');
        assert.equal(await read({ version: 2 }), '<r>two</r>');
        assert.equal(await read({}), '<r>three</r>');
        assert.equal(await read({ version: 4 }), undefined);
        assert.equal(await read({ at: (times[1] ?? 0) + 1000 }), '<r>two</r>');
        assert.equal(await read({ at: (times[0] ?? 0) - 1 }), undefined);
        assert.equal((await store.items.findItem(at('a'), ANONYMOUS))?.title, 'three');
        return undefined;
      },
    );

    check('the same record twice in a batch makes two versions', async ({ store }) => {
      const result = await importRecords(store, 'samples', [makeRecord('a', 'one'), makeRecord('a', 'two')]);
      assert.deepEqual([result.added, result.updated], [1, 1]);
      assert.equal((await store.items.findItem(at('a'), ANONYMOUS))?.title, 'two');
      return undefined;
    });

    check(
      'a deletion leaves a tombstone with its history; the same bytes bring it back',
      async ({ store, wait }) => {
        await importRecords(store, 'samples', [makeRecord('a', 'one')]);
        wait(2);
        const { id } = await store.runs.startRun('samples', 'import');
        const deleted = await store.items.commit({
          source: 'samples',
          runId: id,
          deletions: [{ identifier: 'a' }],
        });
        assert.equal(deleted.deleted, 1);
        const again = await store.items.commit({
          source: 'samples',
          runId: id,
          deletions: [{ identifier: 'a' }, { identifier: 'no' }],
        });
        assert.deepEqual([again.deleted, again.seq], [0, deleted.seq]);
        const gone = await store.items.findItem(at('a'), ANONYMOUS);
        assert.equal(gone?.status, 'deleted');
        assert.deepEqual(gone.fields, {});
        assert.equal(await store.items.findContent(at('a'), {}, ANONYMOUS), undefined);
        assert.equal(
          text((await store.items.findContent(at('a'), { version: 1 }, ANONYMOUS))?.bytes),
          '<r>one</r>',
        );
        assert.equal(await store.items.findContent(at('a'), { version: 2 }, ANONYMOUS), undefined);
        assert.deepEqual(
          (await store.items.listSources()).map((s) => [s.name, s.liveItems, s.deletedItems]),
          [
            ['others', 0, 0],
            ['samples', 0, 1],
          ],
        );

        await store.items.commit({ source: 'samples', runId: id, records: [makeRecord('a', 'one')] });
        await store.runs.finishRun(id, 'complete');
        const history = await store.items.listHistory(at('a'), ANONYMOUS);
        assert.deepEqual(
          history.map((version) => version.change),
          ['added', 'deleted', 'restored'],
        );
        assert.equal(text((await store.items.findContent(at('a'), {}, ANONYMOUS))?.bytes), '<r>one</r>');
        return undefined;
      },
    );

    check('an item has records in several formats; the first live one speaks for it', async ({ store }) => {
      await importRecords(store, 'samples', [
        makeRecord('a', 'plain title'),
        makeRecord('a', 'other title', { format: 'other' }),
      ]);
      assert.equal((await store.items.findItem(at('a'), ANONYMOUS))?.title, 'plain title');
      const { id } = await store.runs.startRun('samples', 'import');
      await store.items.commit({
        source: 'samples',
        runId: id,
        deletions: [{ identifier: 'a', format: 'plain' }],
      });
      const item = await store.items.findItem(at('a'), ANONYMOUS);
      assert.deepEqual([item?.status, item?.schema, item?.title], ['live', 'other', 'other title']);
      assert.equal(
        text((await store.items.findContent(at('a'), {}, ANONYMOUS))?.bytes),
        '<r>other title</r>',
      );
      assert.equal((await store.items.listSources()).find((s) => s.name === 'samples')?.liveItems, 1);
      return undefined;
    });

    check('a batch is in or out: one impossible record keeps all of it out', async ({ store }) => {
      const { id } = await store.runs.startRun('samples', 'import');
      const batch = {
        source: 'samples',
        runId: id,
        records: [makeRecord('a', 'x'), makeRecord('', 'y')],
        checkpoint: 1,
      };
      await assert.rejects(store.items.commit(batch), withCode('record.identifier'));
      assert.equal(await store.items.findItem(at('a'), ANONYMOUS), undefined);
      assert.equal(
        (await store.items.commit({ source: 'samples', runId: id, records: [makeRecord('a', 'x')] })).added,
        1,
      );
      return undefined;
    });

    check(
      "an origin's time counts on the first scan only, and never lies in the future",
      async ({ store, now, wait }) => {
        const past = now() - 86_400_000;
        const stamp = async (id: string) =>
          (await store.items.findItem(at(id), ANONYMOUS))?.records[0]?.datestampAt;
        await importRecords(store, 'samples', [
          makeRecord('old', 'x', { modifiedAt: past + 500 }),
          makeRecord('future', 'x', { modifiedAt: now() + 86_400_000 }),
        ]);
        assert.equal(await stamp('old'), past);
        assert.equal(await stamp('future'), now());
        wait(5);
        await importRecords(store, 'samples', [
          makeRecord('old', 'y', { modifiedAt: past }),
          makeRecord('late', 'x', { modifiedAt: past }),
        ]);
        assert.equal(await stamp('old'), now());
        assert.equal(await stamp('late'), now(), 'a harvester that was here in between must hear of it');
        return undefined;
      },
    );

    check('datestamps never go back, even if the clock does', async ({ store, wait, now }) => {
      await importRecords(store, 'samples', [makeRecord('a', 'x')]);
      const first = now();
      wait(-3600);
      await importRecords(store, 'samples', [makeRecord('b', 'x')]);
      assert.equal((await store.items.findItem(at('b'), ANONYMOUS))?.records[0]?.datestampAt, first);
      wait(3600);
      return undefined;
    });
  });
}
