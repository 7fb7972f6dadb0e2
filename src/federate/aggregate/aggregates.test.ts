import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { PUBLIC } from '../../core/access.ts';
import type { Profile } from '../../formats/oodt-profile/profile.ts';
import { createFormatRegistry } from '../../formats/registry.ts';
import { parseDis } from '../../query/dis/parse-dis.ts';
import { makeIndexDocument } from '../../query/index-document.ts';
import type { IncomingRecord } from '../../store/index.ts';
import { openSqliteStore } from '../../store/sqlite/open.ts';
import { createItemMeaning } from '../profile/item-meaning.ts';
import { compileProfileTest } from '../profile/match-profile.ts';
import { profileRecord } from '../profile/profile-record.ts';
import { Aggregates } from './aggregates.ts';
import { aggregateElements } from './gathered-profile.ts';
import { extentOf, possiblyMatches } from './possibly-matches.ts';
import { randomProducts, randomQuery } from './random-profiles.fixture.ts';

const specs = createFormatRegistry().fieldSpecs();
const meaning = createItemMeaning({ fields: specs });

async function openCase(levels: readonly string[] = ['DATA_SET_ID']) {
  const folder = mkdtempSync(join(tmpdir(), 'garner-aggregate-'));
  let now = Date.UTC(2026, 0, 1);
  const store = openSqliteStore(
    {
      folder,
      fields: specs,
      sources: [
        { name: 'archive', access: PUBLIC },
        { name: 'secret', access: {} },
        { name: 'folder', access: PUBLIC },
        { name: 'later', access: PUBLIC },
      ],
      views: [],
      repositoryIdentifier: 'example.org',
    },
    { clock: () => now },
  );
  const open = () =>
    new Aggregates(store, { dataFolder: folder, meaning, digest: '', levels, valueLimit: 5 });
  let aggregates = open();
  const commit = async (
    records: readonly IncomingRecord[],
    deletions: readonly string[] = [],
    source = 'archive',
  ) => {
    const run = await store.runs.startRun(source, 'test');
    await store.items.commit({
      source,
      runId: run.id,
      records,
      deletions: deletions.map((identifier) => ({ identifier })),
    });
    await store.runs.finishRun(run.id, 'complete');
    now += 5000;
  };
  return {
    commit,
    get aggregates() {
      return aggregates;
    },
    open,
    reopen: () => {
      aggregates.close();
      aggregates = open();
    },
    async [Symbol.asyncDispose]() {
      aggregates.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const product = (id: string, set: string, exposure: string, target = 'IO'): Profile => ({
  prof: { profId: [id] },
  res: { Identifier: [id], resClass: ['data.product'] },
  elements: [
    { elemName: ['DATA_SET_ID'], elemType: ['CHARACTER'], elemValue: [set] },
    { elemName: ['TARGET_NAME'], elemType: ['CHARACTER'], elemValue: [target] },
    { elemName: ['EXPOSURE'], elemType: ['REAL'], elemValue: [exposure] },
  ],
});
const records = (...profiles: Profile[]) => profiles.map((profile) => profileRecord(profile, specs));

describe('aggregates of a store', () => {
  test('follow every commit, over restarts', async () => {
    await using garner = await openCase();
    await garner.commit(records(product('a', 'S1', '5'), product('b', 'S2', '60')));
    assert.equal(await garner.aggregates.catchUp(), 2);
    garner.reopen();
    await garner.commit(records(product('c', 'S1', '10')));
    assert.equal(await garner.aggregates.catchUp(), 1);
    assert.equal(await garner.aggregates.catchUp(), 0);
    const root = garner.aggregates.find([]);
    assert.deepEqual(root?.children, [['S1'], ['S2']]);
    assert.equal(root?.aggregate.products, 3);
    assert.deepEqual(root?.aggregate.attributes.get('exposure')?.numbers, { min: 5, max: 60 });
    const set = garner.aggregates.find(['S1']);
    assert.deepEqual(set?.aggregate.attributes.get('exposure')?.numbers, { min: 5, max: 10 });
    assert.equal(garner.aggregates.find(['S3']), undefined);
  });

  test('take in what comes with a date behind the place that is reached', async () => {
    await using garner = await openCase();
    const stamped = (id: string, modifiedAt: number) =>
      records(product(id, 'S', '5')).map((record) => ({ ...record, modifiedAt }));
    // Such dates count as long as a source was never complete.
    await garner.commit(stamped('a', Date.UTC(2020, 0, 1)));
    assert.equal(await garner.aggregates.catchUp(), 1);
    const old = [...stamped('b', Date.UTC(1999, 0, 1)), ...stamped('c', 0), ...stamped('d', -1e12)];
    await garner.commit(old, [], 'folder');
    assert.equal(await garner.aggregates.catchUp(), 3);
    assert.equal(await garner.aggregates.catchUp(), 0);
    garner.reopen();
    await garner.commit([], ['b'], 'folder');
    await garner.commit(stamped('e', 0), [], 'later');
    assert.equal(await garner.aggregates.catchUp(), 2);
    assert.equal(garner.aggregates.find(['S'])?.aggregate.products, 4);
    assert.equal(await garner.aggregates.catchUp(), 0);
  });

  test('narrow at once when the extreme product is gone, or hidden', async () => {
    await using garner = await openCase();
    await garner.commit(records(product('a', 'S', '5'), product('b', 'S', '60', 'MARS')));
    await garner.aggregates.catchUp();
    await garner.commit([], ['b']);
    await garner.aggregates.catchUp();
    assert.equal(await garner.aggregates.tighten(), 0);
    const { aggregate } = garner.aggregates.find(['S']) ?? {};
    assert.equal(aggregate?.loose, false);
    assert.deepEqual(aggregate?.attributes.get('exposure')?.numbers, { min: 5, max: 5 });
    assert.deepEqual([...(aggregate?.attributes.get('target_name')?.texts?.values() ?? [])], ['IO']);
    await garner.commit([], ['a']);
    await garner.aggregates.catchUp();
    assert.equal(garner.aggregates.find(['S']), undefined);
  });

  test('know in which group a product is now', async () => {
    await using garner = await openCase();
    await garner.commit(records(product('a', 'S1', '5'), product('b', 'S1', '7')));
    await garner.aggregates.catchUp();
    await garner.commit(records(product('a', 'S2', '5')));
    await garner.aggregates.catchUp();
    assert.equal(garner.aggregates.find(['S1'])?.aggregate.products, 1);
    assert.equal(garner.aggregates.find(['S2'])?.aggregate.products, 1);
  });

  test('are kept by two processes at a time without counting twice', async () => {
    await using garner = await openCase();
    await garner.commit(records(product('a', 'S1', '5')));
    const other = garner.open();
    await Promise.all([garner.aggregates.catchUp(), other.catchUp()]);
    await garner.commit(records(product('b', 'S1', '6')));
    await other.catchUp();
    await garner.aggregates.catchUp();
    assert.equal(garner.aggregates.find([])?.aggregate.products, 2);
    other.close();
  });

  test('tell nothing of what the public may not read', async () => {
    await using garner = await openCase();
    await garner.commit(records(product('a', 'S1', '5')), [], 'secret');
    await garner.aggregates.catchUp();
    assert.equal(garner.aggregates.find([])?.aggregate.products, 0);
  });

  test('take in items that are no profiles, by several levels', async () => {
    await using garner = await openCase(['@source', '@format']);
    const fields = { title: ['Sea ice'], subject: ['Ice'], date: ['1996-06'], mediaType: ['text/csv'] };
    const document = makeIndexDocument(fields, specs, []);
    await garner.commit([{ identifier: 'x', format: 'oai_dc', raw: new Uint8Array([60]), document }]);
    await garner.aggregates.catchUp();
    const node = garner.aggregates.find(['archive', 'oai_dc']);
    assert.ok(node);
    assert.deepEqual(garner.aggregates.find(['archive'])?.children, [['archive', 'oai_dc']]);
    const may = (dis: string) => possiblyMatches(node.aggregate, parseDis(dis).query);
    for (const dis of [
      'title = ice',
      'subject = ice',
      'FORMAT = text/csv',
      'date < 1997',
      'IDENTIFIER = x',
      'subject LIKE i%',
    ])
      assert.equal(may(dis), true, dis);
    for (const dis of [
      'subject = water',
      'FORMAT = text/xml',
      'date > 1997',
      'IDENTIFIER = y',
      'platform = x',
    ])
      assert.equal(may(dis), false, dis);
  });
});

const changes = fc.array(fc.tuple(randomProducts, fc.array(fc.nat(11), { maxLength: 4 })), {
  minLength: 1,
  maxLength: 4,
});

test('after any changes an aggregate never loses a product, and gathered anew it is exact', async () => {
  await fc.assert(
    fc.asyncProperty(
      changes,
      fc.array(randomQuery, { minLength: 3, maxLength: 6 }),
      async (rounds, queries) => {
        await using garner = await openCase();
        const present = new Map<string, Profile>();
        for (const [products, removed] of rounds) {
          const deletions = removed.map((i) => `p${i}`).filter((id) => present.has(id));
          for (const one of products) present.set(one.prof.profId?.[0] ?? '', one);
          await garner.commit(records(...products));
          for (const id of deletions) present.delete(id);
          if (deletions.length > 0) await garner.commit([], deletions);
          await garner.aggregates.catchUp();
          checkAll();
        }
        await garner.aggregates.tighten();
        checkAll();
        await using fresh = await openCase();
        await fresh.commit(records(...present.values()));
        await fresh.aggregates.catchUp();
        for (const path of [[], ['set0'], ['set1'], ['set2']])
          assert.deepEqual(elementsOf(garner.aggregates, path), elementsOf(fresh.aggregates, path));

        function checkAll(): void {
          for (const query of queries) {
            const test = compileProfileTest(query);
            for (const path of [[], ['set0'], ['set1'], ['set2']]) {
              const inside = [...present.values()].filter(
                ({ elements }) => path.length === 0 || elements.at(-1)?.elemValue?.[0] === path[0],
              );
              const node = garner.aggregates.find(path);
              assert.equal(node?.aggregate.products ?? 0, inside.length);
              if (!node || inside.length === 0) continue;
              const matches = inside.map(test);
              const { some, all } = extentOf(node.aggregate, query);
              if (matches.includes(true)) assert.ok(some);
              if (all) assert.ok(!matches.includes(false));
            }
          }
        }
      },
    ),
    { numRuns: 12 },
  );
});

/** Which spelling of a text is shown depends on which came first. */
function elementsOf(aggregates: Aggregates, path: readonly string[]) {
  const node = aggregates.find(path);
  return (
    node &&
    aggregateElements(node.aggregate).map(
      ({ elemName, elemMinValue, elemMaxValue, elemValue, elemObligation }) => [
        elemName,
        elemMinValue,
        elemMaxValue,
        elemObligation,
        elemValue?.map((value) => value.toLowerCase()).sort(),
      ],
    )
  );
}
