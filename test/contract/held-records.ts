/** The contract of items and runs: records that are held back from readers. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ANONYMOUS, OPERATOR, type Viewer } from '../../src/core/access.ts';
import type { HarvestRange } from '../../src/store/index.ts';
import { at, checks } from './item-checks.ts';
import {
  importRecords,
  makeRecord,
  type OpenStore,
  openBench,
  type StoreUnderTest,
} from './store-fixture.ts';

const FORMATS = ['plain', 'other'] as const;
type Format = (typeof FORMATS)[number];

const OAI = 'oai:example.org:samples:a';

/** `live`, `deleted` or `absent`, as lists and single answers say alike. */
async function statusOf(store: StoreUnderTest, range: HarvestRange, viewer: Viewer): Promise<string> {
  const [listed] = (await store.harvest.listPage({ ...range, limit: 9 }, viewer)).records;
  const [found] = (await store.harvest.findPage(OAI, range, viewer)).records;
  assert.equal(found?.status, listed?.status);
  assert.equal(await store.harvest.countRecords(range, viewer), listed ? 1 : 0);
  if (range.format !== undefined) {
    const { bytes } = await store.harvest.measure({ formats: [range.format], limit: 9 }, viewer);
    assert.equal(bytes > 0, listed?.status === 'live');
  }
  return listed?.status ?? 'absent';
}

interface Step {
  readonly format: Format;
  readonly what: 'open' | 'held' | 'same-open' | 'same-held' | 'deleted';
}

const steps = fc.array(
  fc.record<Step>({
    format: fc.constantFrom(...FORMATS),
    what: fc.constantFrom('open', 'held', 'same-open', 'same-held', 'deleted'),
  }),
  { minLength: 1, maxLength: 8 },
);

/** What readers must be told of: live while it is open, deleted if it ever was. */
class Shown {
  #status = 'absent';
  set(isOpen: boolean): void {
    if (isOpen) this.#status = 'live';
    else if (this.#status === 'live') this.#status = 'deleted';
  }
  get status(): string {
    return this.#status;
  }
}

export function heldRecordsContract(name: string, open: OpenStore): void {
  const check = checks(open);

  void describe(`${name}: records that are held back`, () => {
    check('an item is read by its other records, and by these alone', async ({ store, wait }) => {
      await importRecords(store, 'samples', [
        makeRecord('a', 'refused', { held: true }),
        makeRecord('a', 'valid', { format: 'other' }),
      ]);
      wait(2);
      const { items, harvest } = store;
      const item = await items.findItem(at('a'), ANONYMOUS);
      assert.equal(item?.title, 'valid');
      assert.deepEqual([item.schema, item.records.map(({ format }) => format)], ['other', ['other']]);
      assert.equal(await items.findContent(at('a'), { format: 'plain' }, ANONYMOUS), undefined);
      assert.equal(await items.findContent(at('a'), { format: 'plain', version: 1 }, ANONYMOUS), undefined);
      assert.equal((await items.listHistory(at('a'), ANONYMOUS)).length, 1);
      assert.deepEqual(await harvest.listFormats({}, ANONYMOUS), ['other']);
      assert.deepEqual(await harvest.listFormats({}, ANONYMOUS, OAI), ['other']);
      const made = await harvest.listPage({ content: 'fields', prefer: 'plain', limit: 9 }, ANONYMOUS);
      assert.deepEqual(JSON.parse(Buffer.from(made.bytes).toString()), { title: ['valid'] });

      const whole = await items.findItem(at('a'), OPERATOR);
      assert.deepEqual(
        whole?.records.map(({ format }) => format),
        ['plain', 'other'],
      );
      assert.notEqual(await items.findContent(at('a'), { format: 'plain' }, OPERATOR), undefined);
      assert.equal((await items.listHistory(at('a'), OPERATOR)).length, 2);
      assert.deepEqual(await harvest.listFormats({}, OPERATOR), ['plain', 'other']);
      return undefined;
    });

    check('a version that was held back stays so when a valid one comes', async ({ store }) => {
      for (const [text, held] of [
        ['first', false],
        ['refused', true],
        ['third', false],
      ] as const)
        await importRecords(store, 'samples', [makeRecord('a', text, { held })]);
      const { items } = store;
      assert.deepEqual(
        (await items.listHistory(at('a'), ANONYMOUS)).map(({ version }) => version),
        [1, 3],
      );
      assert.equal(await items.findContent(at('a'), { version: 2 }, ANONYMOUS), undefined);
      assert.notEqual(await items.findContent(at('a'), { version: 2 }, OPERATOR), undefined);

      const { id } = await store.runs.startRun('samples', 'rollback');
      await items.rollback(at('a'), { version: 2 }, id);
      assert.equal(await items.findItem(at('a'), ANONYMOUS), undefined, 'it is what is refused again');
      await items.rollback(at('a'), { version: 1 }, id);
      assert.equal((await items.findItem(at('a'), ANONYMOUS))?.title, 'first');
      return undefined;
    });

    check('changes of what is held back do not move what readers see', async ({ store, wait }) => {
      await importRecords(store, 'samples', [makeRecord('a', 'valid')]);
      const stampOf = async () => (await store.harvest.findPage(OAI, {}, ANONYMOUS)).records[0]?.datestampAt;
      const before = await stampOf();
      for (const text of ['one', 'two']) {
        wait(5);
        await importRecords(store, 'samples', [makeRecord('a', text, { format: 'other', held: true })]);
        assert.equal(await stampOf(), before);
      }
      return undefined;
    });

    check('an item that is shown by another record is listed anew', async ({ store, wait, now }) => {
      await importRecords(store, 'samples', [
        makeRecord('a', 'first'),
        makeRecord('a', 'second', { format: 'other' }),
      ]);
      wait(5);
      await importRecords(store, 'samples', [makeRecord('a', 'first', { held: true })]);
      const changedAt = now();
      wait(5);
      const [shown] = (await store.harvest.findPage(OAI, { content: 'fields' }, ANONYMOUS)).records;
      assert.deepEqual([shown?.format, shown?.datestampAt], ['other', changedAt]);
      assert.equal(await statusOf(store, { format: 'plain' }, ANONYMOUS), 'deleted');
      return undefined;
    });

    check('what is deleted while it is held back was never there', async ({ store, wait }) => {
      await importRecords(store, 'samples', [makeRecord('a', 'refused', { held: true })]);
      const { id: runId } = await store.runs.startRun('samples', 'import');
      await store.items.commit({ source: 'samples', runId, deletions: [{ identifier: 'a' }] });
      await store.runs.finishRun(runId, 'complete');
      wait(2);
      for (const range of [{}, { format: 'plain' }]) {
        assert.equal(await statusOf(store, range, ANONYMOUS), 'absent');
        assert.equal(await statusOf(store, range, OPERATOR), 'deleted');
      }
      return undefined;
    });

    check("a source's rule comes back when nothing is held back", async (bench) => {
      await importRecords(bench.store, 'samples', [makeRecord('a', 'refused', { held: true })]);
      const closed = await bench.reopen({ sources: [{ name: 'samples', access: { groups: ['staff'] } }] });
      const staff: Viewer = { role: 'reader', groups: ['staff'] };
      assert.equal(await closed.store.items.findItem(at('a'), staff), undefined);
      await importRecords(closed.store, 'samples', [makeRecord('a', 'valid')]);
      assert.equal((await closed.store.items.findItem(at('a'), staff))?.title, 'valid');
      assert.equal(await closed.store.items.findItem(at('a'), ANONYMOUS), undefined);
      return closed;
    });

    test('lists tell of all that was open, and of nothing else, whatever happens to the records', () =>
      fc.assert(
        fc.asyncProperty(steps, fc.boolean(), async (taken, sameSecond) => {
          const bench = await openBench(open);
          const { store } = bench;
          try {
            const records = Object.fromEntries(
              FORMATS.map((format) => [format, { live: false, held: false, text: '', shown: new Shown() }]),
            );
            const item = new Shown();
            for (const [number, { format, what }] of taken.entries()) {
              const record = records[format];
              assert.ok(record);
              const { id: runId } = await store.runs.startRun('samples', 'import');
              if (what === 'deleted') {
                await store.items.commit({
                  source: 'samples',
                  runId,
                  deletions: [{ identifier: 'a', format }],
                });
                record.live = false;
              } else {
                const held = what.endsWith('held');
                const text = what.startsWith('same') && record.text !== '' ? record.text : `text ${number}`;
                await store.items.commit({
                  source: 'samples',
                  runId,
                  records: [makeRecord('a', text, { format, held })],
                });
                Object.assign(record, { live: true, held, text });
              }
              await store.runs.finishRun(runId, 'complete');
              for (const one of Object.values(records)) one.shown.set(one.live && !one.held);
              item.set(Object.values(records).some(({ live, held }) => live && !held));
              if (!sameSecond) bench.wait(2);
            }
            bench.wait(2);
            for (const [format, { shown }] of Object.entries(records))
              assert.equal(await statusOf(store, { format }, ANONYMOUS), shown.status, format);
            assert.equal(await statusOf(store, {}, ANONYMOUS), item.status, 'the item');
            const readable = (await store.items.findItem(at('a'), ANONYMOUS))?.status === 'live';
            assert.equal(readable, item.status === 'live');
            assert.deepEqual(await store.admin.verify(), []);
          } finally {
            await bench.close();
          }
        }),
        { numRuns: 20 },
      ));
  });
}
