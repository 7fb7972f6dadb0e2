import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ANONYMOUS, PUBLIC } from '../core/access.ts';
import { federateSchema } from '../core/federate-schema.ts';
import { createFormatRegistry } from '../formats/registry.ts';
import { parseDis } from '../query/dis/parse-dis.ts';
import { makeIndexDocument } from '../query/index-document.ts';
import type { IncomingRecord } from '../store/index.ts';
import type { SqliteStore } from '../store/sqlite/assemble.ts';
import { openSqliteStore } from '../store/sqlite/open.ts';
import { possiblyMatches } from './aggregate/possibly-matches.ts';
import { makePlanetaryProducts } from './demo/planetary.ts';
import { localForm } from './guided/local-form.ts';
import { compileProfileTest } from './profile/match-profile.ts';
import { profileRecord } from './profile/profile-record.ts';
import { createProfiles, type Profiles } from './profiles.ts';

const formats = createFormatRegistry();
const specs = formats.fieldSpecs();
const products = [...makePlanetaryProducts({ products: 600 })];
const SSI = 'GO-J/JSA-SSI-2-REDR-V1.0';

describe('profiles of an installation', () => {
  const folder = mkdtempSync(join(tmpdir(), 'garner-profiles-'));
  let now = Date.UTC(2026, 0, 1);
  let store: SqliteStore;
  let profiles: Profiles;

  const commit = async (source: string, records: readonly IncomingRecord[]) => {
    const run = await store.runs.startRun(source, 'test');
    await store.items.commit({ source, runId: run.id, records });
    await store.runs.finishRun(run.id, 'complete');
    now += 5000;
  };
  const idsOf = async (dis: string) => {
    const ids: string[] = [];
    for await (const { res } of profiles.list({ query: parseDis(dis).query }, ANONYMOUS))
      ids.push(res.Identifier?.[0] ?? '');
    return ids.sort();
  };

  before(async () => {
    store = openSqliteStore(
      {
        folder,
        fields: specs,
        sources: ['planets', 'papers'].map((name) => ({ name, access: PUBLIC })),
        views: [],
        repositoryIdentifier: 'example.org',
      },
      { clock: () => now },
    );
    const { profiles: config } = federateSchema.parse({
      profiles: {
        ids: 'oid',
        oidRoot: '1.3.6.1.4.1.99999.9',
        levels: ['mission_name', 'data_set_id'],
        templates: { Title: '{instrument}: {Identifier}', Rights: '{nobody}' },
      },
    });
    profiles = createProfiles({
      store,
      formats,
      config,
      repository: { name: 'Planets', identifier: 'example.org', baseUrl: 'https://example.org' },
      dataFolder: folder,
    });
    await commit(
      'planets',
      products.map((product) => profileRecord(product, specs)),
    );
    const fields = {
      title: ['Plumes of Io'],
      instrument: ['SSI'],
      date: ['1999'],
      bbox: [{ west: 10, south: -5, east: 20, north: 5 }],
      time: [{ start: '1996', end: '1999-02' }],
    };
    const document = makeIndexDocument(fields, specs, []);
    await commit('papers', [
      { identifier: 'paper:1', format: 'iso19139', raw: Buffer.from('<a/>'), document },
    ]);
    await profiles.aggregates.catchUp();
  });
  after(async () => {
    profiles.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const dis of [
    'IDENTIFIER=GO-J/JSA-SSI-2-REDR-V1.0:10I0012',
    'TARGET_NAME=IO AND EXPOSURE_DURATION > 60.0',
    'DATA_SET_ID=ODY-M-THM-2-IREDR-V1.0 AND CENTER_LONGITUDE > 359.25',
    'DATA_SET_ID=MGN-V-RDRS-5-DIM-V1.0 AND IMAGE_ID=FO43S181',
    'START_TIME > 2008-06 AND NOT TARGET_NAME LIKE M%',
    'ORBIT_NUMBER <= 3 OR MISSION_NAME = Magellan AND CENTER_LATITUDE > 70',
  ])
    test(`are found as a scan would find them: ${dis}`, async () => {
      const expected = products.filter(compileProfileTest(parseDis(dis).query));
      assert.deepEqual(await idsOf(dis), expected.map(({ res }) => res.Identifier?.[0] ?? '').sort());
    });

  test('of products name the data set that they are in', async () => {
    const { query } = parseDis('IMAGE_ID = 24I0131');
    const { profiles: found } = await profiles.find({ query, limit: 10 }, ANONYMOUS);
    const set = await profiles.findGathered(['GALILEO', SSI], ANONYMOUS);
    assert.deepEqual(found[0]?.prof.profParentId, set?.prof.profId);
    assert.deepEqual(found[0]?.elements.at(1)?.elemName, ['MISSION_NAME']);
  });

  test('that are made are found by what is said in them alone', async () => {
    const find = async (dis: string) =>
      (await profiles.find({ query: parseDis(dis).query, limit: 1000 }, ANONYMOUS)).profiles;
    const [made] = await find('IDENTIFIER = paper:1');
    assert.ok(made);
    const papers = [made.prof.profId];
    const foundBy = async (dis: string) => (await find(dis)).map(({ prof }) => prof.profId);
    assert.deepEqual(await foundBy(`PROFID = ${made.prof.profId?.[0]}`), papers);
    assert.deepEqual(await foundBy(`RESLOCATION = "${made.res.resLocation?.[0]}"`), papers);
    assert.deepEqual(await foundBy(`RESCONTEXT = example.org AND RESAGGREGATION = granule`), papers);
    assert.deepEqual(await foundBy('PROFID = 1.3.6.1.4.1.99999.9.1.9999999'), []);
    assert.deepEqual(await foundBy('RESLOCATION = "https://example.org/items/papers/none"'), []);
    assert.equal((await find('NOT PROFID IS NULL')).length, products.length + 1);
    const root = profiles.aggregates.find([])?.aggregate;
    assert.ok(root && possiblyMatches(root, parseDis(`PROFID = ${made.prof.profId?.[0]}`).query));
  });

  test('that are made are found by the edges of areas and by what templates make', async () => {
    assert.deepEqual(await idsOf('WESTERNMOST_LONGITUDE > 9 AND TITLE = "ssi: paper:1"'), ['paper:1']);
    assert.deepEqual(await idsOf('MAXIMUM_LATITUDE <= 5 AND IDENTIFIER = paper:1'), ['paper:1']);
    assert.deepEqual(await idsOf('MAXIMUM_LATITUDE <= 4.9 AND IDENTIFIER = paper:1'), []);
    const path = profiles.aggregates.list().find(({ path: [mission] }) => mission === '')?.path ?? [];
    const papers = profiles.aggregates.find(path)?.aggregate;
    assert.ok(papers && possiblyMatches(papers, parseDis('EASTERNMOST_LONGITUDE = 20').query));
    assert.ok(!possiblyMatches(papers, parseDis('EASTERNMOST_LONGITUDE = 21').query));
  });

  test('that are made have the edges of their areas in forms, too', async () => {
    const { aggregates, meaning } = profiles;
    const deps = { store, aggregates, meaning, fields: specs, valueLimit: 200 };
    const { attributes } = await localForm(deps, parseDis('IDENTIFIER = paper:1').query, ANONYMOUS);
    const longitude = attributes.find(({ name }) => name === 'EASTERNMOST_LONGITUDE');
    assert.deepEqual(longitude?.numbers, { min: 20, max: 20, width: 1, steps: [{ from: 20, count: 1 }] });
  });

  test('are made of any item: Dublin Core, the fields of its format, where it is served', async () => {
    const { profiles: found } = await profiles.find(
      { query: parseDis('IDENTIFIER = paper:1').query, limit: 10 },
      ANONYMOUS,
    );
    assert.equal(found.length, 1);
    const [{ prof, res, elements }] = found as [(typeof found)[number]];
    assert.match(prof.profId?.[0] ?? '', /^1\.3\.6\.1\.4\.1\.99999\.9\.1\.\d+$/);
    assert.deepEqual(res.Title, ['SSI: paper:1']);
    assert.equal(res.Rights, undefined);
    assert.deepEqual(res.resContext, ['example.org']);
    assert.deepEqual(res.resLocation, ['https://example.org/items/papers/paper:1']);
    assert.deepEqual(
      elements.map(({ elemName, elemValue, elemMinValue, elemMaxValue }) => [
        elemName?.[0],
        elemValue?.[0] ?? [elemMinValue?.[0], elemMaxValue?.[0]],
      ]),
      [
        ['instrument', 'SSI'],
        ['time', ['1996', '1999-02']],
        ['westernmost_longitude', '10'],
        ['easternmost_longitude', '20'],
        ['minimum_latitude', '-5'],
        ['maximum_latitude', '5'],
      ].sort((a, b) => order(a) - order(b)),
    );
    function order([name]: readonly unknown[]): number {
      return elements.findIndex(({ elemName }) => elemName?.[0] === name);
    }
  });

  test('of a data set list its values and ranges', async () => {
    const set = await profiles.findGathered(['GALILEO', SSI], ANONYMOUS);
    assert.ok(set);
    assert.deepEqual(set.res.Identifier, [SSI]);
    assert.deepEqual(set.res.resClass, ['system.profileServer.dataSet']);
    assert.deepEqual(set.res.Format, ['image/pds']);
    const element = (name: string) => set.elements.find(({ elemName }) => elemName?.[0] === name);
    assert.deepEqual(element('INSTRUMENT_ID')?.elemValue, ['SSI']);
    assert.ok(element('FILTER_NAME')?.elemValue?.includes('RED'));
    assert.deepEqual(element('EXPOSURE_DURATION')?.elemEnumFlag, ['F']);
    assert.deepEqual(element('EXPOSURE_DURATION')?.elemMaxValue, ['51195.83']);
  });

  test('of the root lead down to every data set and back', async () => {
    const gathered = [];
    for await (const profile of profiles.listGathered(ANONYMOUS)) gathered.push(profile);
    const byId = new Map(gathered.map((profile) => [profile.prof.profId?.[0], profile]));
    const [root] = gathered;
    assert.deepEqual(root?.res.resClass, ['system.profileServer.all']);
    assert.deepEqual(root?.prof.profId, ['1.3.6.1.4.1.99999.9.2.0']);
    assert.equal(root?.prof.profParentId, undefined);
    // Three missions, papers without one, and the data sets of each.
    assert.equal(gathered.length, 1 + 4 + 5);
    for (const { prof, res } of gathered) {
      if (res.resClass?.[0] === 'system.profileServer.dataSet') continue;
      for (const child of prof.profChildId ?? [])
        assert.deepEqual(byId.get(child)?.prof.profParentId, prof.profId);
    }
    const paperSet = gathered.find(
      ({ res }) => res.Identifier?.[0] === 'NONE' && res.resAggregation?.[0] === 'dataSet',
    );
    assert.match(paperSet?.prof.profChildId?.[0] ?? '', /\.9\.1\.\d+$/);
  });
});
