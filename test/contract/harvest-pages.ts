/** The contract of lists for harvesters: pages with content, counts, formats, sets. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ANONYMOUS, OPERATOR } from '../../src/core/access.ts';
import type { HarvestRange, HarvestRecord, HarvestRequest } from '../../src/store/index.ts';
import { checks, listAll } from './item-checks.ts';
import {
  importRecords,
  makeRecord,
  type OpenStore,
  openBench,
  type StoreUnderTest,
} from './store-fixture.ts';

async function listPages(
  { harvest }: StoreUnderTest,
  request: HarvestRange & Pick<HarvestRequest, 'content' | 'prefer'> = {},
  limit = 1000,
): Promise<(HarvestRecord & { text: string })[]> {
  const all: (HarvestRecord & { text: string })[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await harvest.listPage({ ...request, limit, ...(last && { after: last }) }, ANONYMOUS);
    for (const record of page.records)
      all.push({
        ...record,
        text: Buffer.from(page.bytes.subarray(record.start, record.start + record.size)).toString(),
      });
    if (!page.more) return all;
  }
}

const names = (records: readonly { readonly identifier: string; readonly status: string }[]): string[] =>
  records.map(({ identifier, status }) => (status === 'live' ? identifier : `-${identifier}`));

export function harvestPagesContract(name: string, open: OpenStore): void {
  const check = checks(open);

  void describe(`${name}: lists for harvesters`, () => {
    check(
      'an item is listed once, by its preferred record, else by the first that is live',
      async (bench) => {
        const { store, wait } = bench;
        await importRecords(store, 'samples', [
          makeRecord('a', 'one', { format: 'first' }),
          makeRecord('a', 'two', { format: 'best' }),
          makeRecord('b', 'three', { format: 'first' }),
        ]);
        wait(2);
        const listed = await listPages(store, { content: 'fields', prefer: 'best' });
        assert.deepEqual(
          listed.map(({ identifier, format }) => [identifier, format]),
          [
            ['a', 'best'],
            ['b', 'first'],
          ],
        );
        const raw = makeRecord('a', 'two', { format: 'best' }).raw;
        assert.equal(listed[0]?.text, Buffer.from(raw).toString(), 'the preferred one with its bytes');
        assert.deepEqual(JSON.parse(listed[1]?.text ?? ''), makeRecord('b', 'three').document.fields);
        const { id } = await store.runs.startRun('samples', 'import');
        await store.items.commit({
          source: 'samples',
          runId: id,
          deletions: [{ identifier: 'a', format: 'best' }],
        });
        wait(2);
        const after = await listPages(store, { content: 'fields', prefer: 'best' });
        assert.deepEqual(
          after.map(({ identifier, format }) => [identifier, format]),
          [
            ['b', 'first'],
            ['a', 'first'],
          ],
          'and it moved, since what shows it changed',
        );
        return undefined;
      },
    );

    check('pages end by bytes, and the rest follows', async ({ store, wait }) => {
      await importRecords(store, 'samples', [
        makeRecord('a', 'x'),
        makeRecord('b', 'y'),
        makeRecord('c', 'z'),
      ]);
      wait(2);
      const page = await store.harvest.listPage({ content: 'raw', limit: 10, maxBytes: 1 }, ANONYMOUS);
      assert.deepEqual(names(page.records), ['a']);
      assert.equal(page.more, true);
      return undefined;
    });

    check('sets know those above them, and count what may be read', async ({ store, wait }) => {
      await importRecords(store, 'samples', [
        makeRecord('a', 'x', { sets: ['ice:sea:deep'] }),
        makeRecord('b', 'y', { sets: ['ice:land'], access: {} }),
      ]);
      wait(2);
      const sets = (viewer = ANONYMOUS) => store.harvest.listSets({ limit: 10, counted: true }, viewer);
      assert.deepEqual(await sets(), [
        { spec: 'ice', items: 1 },
        { spec: 'ice:sea', items: 1 },
        { spec: 'ice:sea:deep', items: 1 },
      ]);
      assert.deepEqual((await sets(OPERATOR))[0], { spec: 'ice', items: 2 });
      assert.deepEqual(await store.harvest.listSets({ after: 'ice', limit: 1 }, ANONYMOUS), [
        { spec: 'ice:sea' },
      ]);
      const [record] = await listPages(store, { set: 'ice' });
      assert.deepEqual(record?.sets, ['ice:sea:deep']);
      return undefined;
    });

    void test('lists of items follow from lists of records, whatever happened; counts and single reads agree', async () => {
      const operation = fc.record({
        id: fc.integer({ min: 0, max: 3 }),
        text: fc.integer({ min: 0, max: 2 }),
        format: fc.constantFrom('plain', 'other'),
        sets: fc.subarray(['s', 's:u', 't']),
        hidden: fc.boolean(),
        remove: fc.boolean(),
        pause: fc.integer({ min: 0, max: 2 }),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(operation, { minLength: 3, maxLength: 20 }),
          fc.integer({ min: 1, max: 3 }),
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
              for (const { id, text, format, sets, hidden, remove, pause } of operations) {
                bench.wait(pause);
                await store.items.commit({
                  source: 'samples',
                  runId,
                  ...(remove
                    ? { deletions: [{ identifier: `i${id}`, format }] }
                    : {
                        records: [
                          makeRecord(`i${id}`, `w${text}`, {
                            format,
                            sets,
                            access: hidden ? { groups: ['staff'] } : 'source',
                          }),
                        ],
                      }),
                });
              }
              bench.wait(2);
              for (const scope of [
                {},
                { source: 'samples' },
                { set: 's' },
                { view: 'ones' },
                { set: 't', view: 'ones' },
              ]) {
                const whole = await listPages(store, scope);
                assert.deepEqual(await listPages(store, scope, size), whole);
                assert.equal(await store.harvest.countRecords(scope, ANONYMOUS), whole.length);
                const records = await listAll(store, scope);
                const all = await listAll(store, scope, OPERATOR);
                assert.deepEqual(
                  new Set(whole.map(({ identifier }) => identifier)),
                  new Set(records.map(({ identifier }) => identifier)),
                );
                for (const item of whole) {
                  const own = records.filter(({ identifier }) => identifier === item.identifier);
                  // Also of records that were never for the reader: a later date costs a harvester one look.
                  const stamps = all.filter(({ identifier }) => identifier === item.identifier);
                  assert.equal(item.datestampAt, Math.max(...stamps.map(({ datestampAt }) => datestampAt)));
                  assert.equal(
                    item.status === 'live',
                    own.some(({ status }) => status === 'live'),
                  );
                }
                for (const format of ['plain', 'other']) {
                  const ofFormat = await listPages(store, { ...scope, format }, size);
                  assert.deepEqual(names(ofFormat), names(records.filter((one) => one.format === format)));
                  assert.equal(
                    await store.harvest.countRecords({ ...scope, format }, ANONYMOUS),
                    ofFormat.length,
                  );
                }
                if ('set' in scope) continue;
                for (const item of whole) {
                  const { records: found } = await store.harvest.findPage(
                    item.oaiIdentifier,
                    scope,
                    ANONYMOUS,
                  );
                  const { text: _, format: __, ...header } = item;
                  assert.deepEqual(
                    found.map(({ format: _format, origin: _origin, ...rest }) => rest),
                    [header],
                  );
                }
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
  });
}
