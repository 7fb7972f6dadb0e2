/** The contract of items and runs: access. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { ANONYMOUS, OPERATOR, type Viewer } from '../../src/core/access.ts';
import type { IncomingRecord } from '../../src/store/index.ts';
import { at, checks, listAll, names } from './item-checks.ts';
import { importRecords, makeRecord, type OpenStore } from './store-fixture.ts';

export function accessContract(name: string, open: OpenStore): void {
  const check = checks(open);

  void describe(`${name}: access`, () => {
    const reader = (more: Partial<Viewer>): Viewer => ({ role: 'reader', groups: [], ...more });
    const viewers: Record<string, Viewer> = {
      anyone: ANONYMOUS,
      inside: reader({ address: '::ffff:10.1.2.3' }),
      inside6: reader({ address: '2001:db8::7' }),
      outside: reader({ address: '192.0.2.1' }),
      member: reader({ groups: ['lab'] }),
      bearer: reader({ token: 'press' }),
      curator: { role: 'curator', groups: [] },
    };
    const rules: Record<string, [IncomingRecord['access'], readonly string[]]> = {
      public: [undefined, Object.keys(viewers)],
      network: [{ networks: ['10.0.0.0/8', '2001:db8::/32'] }, ['inside', 'inside6', 'curator']],
      group: [{ groups: ['lab', 'x'] }, ['member', 'curator']],
      token: [{ tokens: ['press'] }, ['bearer', 'curator']],
      either: [{ groups: ['lab'], networks: ['192.0.2.1'] }, ['outside', 'member', 'curator']],
      nobody: [{}, ['curator']],
    };

    check('what a viewer may not read is as if it were not there, in every read', async ({ store, wait }) => {
      await importRecords(
        store,
        'samples',
        Object.entries(rules).map(([id, [access]]) => makeRecord(id, 'x', access ? { access } : {})),
      );
      wait(2);
      for (const [who, viewer] of Object.entries(viewers)) {
        const expected = Object.keys(rules).filter((rule) => rules[rule]?.[1].includes(who));
        const listed = await listAll(store, {}, viewer);
        assert.deepEqual(names(listed).sort(), [...expected].sort(), who);
        for (const id of Object.keys(rules)) {
          const readable = expected.includes(id);
          const { items } = store;
          assert.equal((await items.findItem(at(id), viewer)) !== undefined, readable, `${who} ${id}`);
          assert.equal((await items.findContent(at(id), {}, viewer)) !== undefined, readable);
          assert.equal((await items.listHistory(at(id), viewer)).length, readable ? 1 : 0);
          assert.equal((await items.findItemsByIdentifier(id, viewer)).length, readable ? 1 : 0);
          const oai = `oai:example.org:samples:${id}`;
          assert.equal((await items.findItemByOaiIdentifier(oai, viewer)) !== undefined, readable);
        }
      }
      return undefined;
    });

    check(
      "a source's new rule reaches its items and moves their datestamps; own rules stay",
      async (bench) => {
        await importRecords(bench.store, 'samples', [
          makeRecord('a', 'x'),
          makeRecord('own', 'x', { access: { groups: ['lab'] } }),
        ]);
        bench.wait(10);
        const closed = await bench.reopen({ sources: [{ name: 'samples', access: { groups: ['staff'] } }] });
        const staff = reader({ groups: ['staff'] });
        const { items } = closed.store;
        assert.equal(await items.findItem(at('a'), ANONYMOUS), undefined);
        const seen = await items.findItem(at('a'), staff);
        assert.equal(seen?.records[0]?.datestampAt, bench.now());
        assert.deepEqual((await items.findItem(at('own'), OPERATOR))?.access, { groups: ['lab'] });
        closed.wait(2);
        assert.deepEqual(names(await listAll(closed.store)), ['-a'], 'those who had it hear that it is gone');
        assert.deepEqual(names(await listAll(closed.store, {}, staff)), ['a']);

        const open = await closed.reopen({ sources: [{ name: 'samples', access: { public: true } }] });
        open.wait(2);
        assert.deepEqual(names(await listAll(open.store)), ['a']);
        return open;
      },
    );

    check("an item's own rule can come and go", async ({ store, wait }) => {
      await importRecords(store, 'samples', [makeRecord('a', 'x')]);
      wait(2);
      await importRecords(store, 'samples', [makeRecord('a', 'x', { access: { groups: ['lab'] } })]);
      assert.equal(await store.items.findItem(at('a'), ANONYMOUS), undefined);
      wait(2);
      assert.deepEqual(names(await listAll(store)), ['-a']);
      await importRecords(store, 'samples', [makeRecord('a', 'x', { access: 'source' })]);
      wait(2);
      assert.deepEqual(names(await listAll(store)), ['a']);
      assert.equal((await store.items.listHistory(at('a'), ANONYMOUS)).length, 1);
      return undefined;
    });

    check(
      'who says nothing of the rule leaves it as it is, whatever becomes of the record',
      async ({ store, wait }) => {
        await importRecords(store, 'samples', [makeRecord('a', 'x', { access: { groups: ['lab'] } })]);
        wait(2);
        await importRecords(store, 'samples', [makeRecord('a', 'changed')]);
        wait(2);
        assert.deepEqual(names(await listAll(store)), []);
        const { id: runId } = await store.runs.startRun('samples', 'import');
        await store.items.commit({ source: 'samples', runId, deletions: [{ identifier: 'a' }] });
        await store.runs.finishRun(runId, 'complete');
        await importRecords(store, 'samples', [makeRecord('a', 'back again')]);
        wait(2);
        assert.deepEqual(names(await listAll(store)), []);
        assert.deepEqual((await store.items.findItem(at('a'), OPERATOR))?.access, { groups: ['lab'] });
        return undefined;
      },
    );
  });
}
