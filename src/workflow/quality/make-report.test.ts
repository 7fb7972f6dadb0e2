import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Fields } from '../../core/model.ts';
import { createFormatRegistry } from '../../formats/registry.ts';
import { makeIndexDocument } from '../../query/index-document.ts';
import type { GarnerStore, IncomingRecord } from '../../store/index.ts';
import { openStore } from '../../store/open.ts';
import { DuplicateFinder } from './duplicate-finder.ts';
import { duplicateKeys } from './duplicate-keys.ts';
import { createQualityReports } from './kept-report.ts';
import { makeQualityReport } from './make-report.ts';
import { groupByRule } from './problem-rules.ts';

const specs = createFormatRegistry().fieldSpecs();
let folder: string;
let store: GarnerStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'garner-quality-'));
  const access = { public: true };
  store = await openStore(
    {
      folder,
      fields: specs,
      sources: [
        { name: 'north', access },
        { name: 'south', access },
        { name: 'empty', access },
      ],
      views: [],
      repositoryIdentifier: 'example.org',
    },
    { threads: 0 },
  );
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const record = (identifier: string, fields: Fields): IncomingRecord => ({
  identifier,
  format: 'json',
  raw: Buffer.from(JSON.stringify([identifier, fields])),
  document: makeIndexDocument(fields, specs, []),
});

async function take(
  source: string,
  records: readonly IncomingRecord[],
  problems: { identifier: string; code: string; message: string }[] = [],
) {
  const { id } = await store.runs.startRun(source, 'harvest');
  await store.items.commit({ source, runId: id, records, problems });
  await store.runs.finishRun(id, 'complete');
  return id;
}

describe('a quality report', () => {
  test('tells coverage, rules, duplicates and the trend of each source', async () => {
    await take(
      'north',
      [
        record('n-1', {
          title: ['Ice drift in the Fram Strait'],
          date: ['2004-05-01'],
          identifier: ['https://doi.org/10.1234/ABC.1'],
        }),
        record('n-2', { title: ['Another thing altogether'], date: ['1999'] }),
        record('shared-identifier', { title: ['Third'] }),
      ],
      [
        { identifier: 'n-1', code: 'value.date', message: 'field "date": "soon" is no date' },
        { identifier: 'n-2', code: 'value.date', message: 'field "date": "later" is no date' },
        {
          identifier: 'n-2',
          code: 'value.box',
          message: 'field "bbox": the latitudes 91 and 95 are not within -90 and 90',
        },
      ],
    );
    const run = await take('south', [
      record('s-1', {
        title: ['ICE DRIFT in the Fram  Strait!'],
        date: ['2004'],
        link: ['https://example.org/see/10.1234/abc.1'],
      }),
      record('shared-identifier', { title: ['Fourth'], bbox: [{ west: 0, south: 0, east: 1, north: 1 }] }),
    ]);
    const report = await makeQualityReport(store, specs, 77);
    const { north, south, empty } = report.sources;
    assert.equal(report.madeAt, 77);
    assert.equal(north?.items, 3);
    const present = (name: string) => north?.fields.find((field) => field.name === name)?.present;
    assert.deepEqual([present('title'), present('date'), present('bbox')], [3, 2, 0]);
    assert.deepEqual(
      north?.problems.map(({ code, rule, items }) => [code, rule, items]),
      [
        ['value.date', 'field "date": “…” is no date', 2],
        ['value.box', 'field "bbox": the latitudes N and N are not within N and N', 1],
      ],
    );
    assert.deepEqual(south?.duplicates, [
      { kind: 'doi', groups: 1, acrossSources: 1 },
      { kind: 'identifier', groups: 1, acrossSources: 1 },
      { kind: 'title', groups: 1, acrossSources: 1 },
    ]);
    assert.deepEqual(
      south?.duplicateGroups.map(({ kind, key, members }) => [
        kind,
        key,
        members.map(({ source, identifier }) => `${source}/${identifier}`),
      ]),
      [
        ['doi', '10.1234/abc.1', ['north/n-1', 'south/s-1']],
        ['identifier', 'shared-identifier', ['north/shared-identifier', 'south/shared-identifier']],
        ['title', 'ice drift in the fram strait 2004', ['north/n-1', 'south/s-1']],
      ],
    );
    assert.deepEqual(
      south?.trend.map(({ runId, counts }) => [runId, counts.added]),
      [[run, 2]],
    );
    assert.equal(empty?.items, 0);
  });

  test('is kept until something is committed or runs, also for the next process', async () => {
    let now = 1;
    const open = () => createQualityReports({ store, fields: specs, dataFolder: folder, clock: () => now++ });
    const reports = open();
    await take('north', [record('n-1', { title: ['One'] })]);
    assert.deepEqual(await reports.find(), { report: undefined, fresh: false });
    const [first, same] = await Promise.all([reports.make(), reports.make()]);
    assert.equal(first, same, 'made once for two who ask');
    const other = open();
    assert.deepEqual(await other.find(), { report: first, fresh: true });
    assert.equal((await other.make()).madeAt, first.madeAt);
    await take('north', [record('n-2', { title: ['Two'] })]);
    assert.equal((await other.find()).fresh, false);
    assert.equal((await other.make()).sources.north?.items, 2);
    assert.equal((await reports.find()).report?.sources.north?.items, 2);
    const { id } = await store.runs.startRun('north', 'harvest');
    await store.runs.finishRun(id, 'failed', 'nobody there');
    assert.equal((await reports.find()).fresh, false, 'a run that commits nothing is news as well');
    assert.equal((await reports.make()).sources.north?.trend.at(-1)?.message, 'nobody there');
  });
});

test('equal keys are found as a plain map finds them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.string({ maxLength: 3 }), fc.integer({ min: 1, max: 50 }))),
      async (keys) => {
        const finder = new DuplicateFinder();
        const expected = new Map<string, Set<number>>();
        for (const [item, [key]] of keys.entries()) {
          finder.add(key, item);
          expected.set(key, (expected.get(key) ?? new Set()).add(item));
        }
        const found: string[] = [];
        for await (const { items } of finder.groups()) found.push(items.join());
        const wanted = [...expected.values()]
          .filter(({ size }) => size > 1)
          .map((items) => [...items].join());
        assert.deepEqual(found.sort(), wanted.sort());
      },
    ),
    { numRuns: 50 },
  );
});

test('keys: DOIs in any dress, no short identifiers, titles only with a year', () => {
  const keys = duplicateKeys('42', {
    identifier: ['doi:10.5555/X(1)', '(see 10.5555/x(1)).'],
    title: ['Łódź: Wolken & Wind'],
    date: ['2001-02'],
  });
  assert.deepEqual(keys, {
    doi: ['10.5555/x(1)'],
    identifier: [],
    title: ['łodz wolken wind 2001'],
  });
  assert.deepEqual(duplicateKeys('a-long-identifier', { title: ['A title without a date'] }), {
    doi: [],
    identifier: ['a-long-identifier'],
    title: [],
  });
});

test('rules: messages that differ in values only are one', () => {
  const rules = groupByRule([
    { code: 'value.uri', message: 'field "link": "x y" is no usable address', items: 2, identifier: 'a' },
    { code: 'value.uri', message: 'field "link": "z" is no usable address', items: 3 },
    { code: 'xml.invalid', message: "element 'title' is not expected", items: 4 },
  ]);
  assert.deepEqual(
    rules.map(({ rule, items, identifier }) => [rule, items, identifier]),
    [
      ['field "link": “…” is no usable address', 5, 'a'],
      ["element 'title' is not expected", 4, undefined],
    ],
  );
});
