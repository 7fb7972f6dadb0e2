/** /prof as an old client asks it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openTestCollection, type TestCollection } from '../../test/portal-collection.ts';
import { makePlanetaryProducts } from '../federate/demo/planetary.ts';
import { profileRecord } from '../federate/profile/profile-record.ts';
import { createProfiles, type Profiles } from '../federate/profiles.ts';
import { xmlQueryOf } from '../federate/xmlquery/dis-of-xmlquery.ts';
import type { Profile } from '../formats/oodt-profile/profile.ts';
import { readProfiles } from '../formats/oodt-profile/read-xml.ts';
import { writeXmlQuery } from '../formats/xmlquery/write-xmlquery.ts';
import { parseDis } from '../query/dis/parse-dis.ts';
import { createHttpApp } from './server.ts';

const products = [...makePlanetaryProducts({ products: 60 })];
let collection: TestCollection;
let profiles: Profiles;
let app: ReturnType<typeof createHttpApp>;

before(async () => {
  collection = await openTestCollection();
  const { store, deps } = collection;
  const run = await store.runs.startRun('polar', 'test');
  const specs = deps.formats.fieldSpecs();
  await store.items.commit({
    source: 'polar',
    runId: run.id,
    records: products.map((product) => profileRecord(product, specs)),
  });
  await store.runs.finishRun(run.id, 'complete');
  profiles = createProfiles({
    store,
    formats: deps.formats,
    config: {
      ids: 'uri',
      oidRoot: '2.25.0',
      resClass: 'data.product',
      templates: {},
      levels: ['DATA_SET_ID'],
      valueLimit: 200,
    },
    repository: deps.repository,
    dataFolder: collection.folder,
  });
  // Lists show closed seconds only.
  for (let taken = 0; taken < products.length; ) {
    taken += await profiles.aggregates.catchUp();
    await setTimeout(100);
  }
  app = createHttpApp({ ...deps, federation: { profiles } });
});
after(async () => {
  profiles.close();
  await collection.close();
});

const attributeOf = ({ elements }: Profile, name: string) =>
  elements.find(({ elemName }) => elemName?.[0] === name)?.elemValue;
const ids = (found: readonly Profile[]) => found.map(({ res }) => res.Identifier?.[0] ?? '').sort();
const red = products.filter((product) => attributeOf(product, 'FILTER_NAME')?.includes('RED'));
const EXPRESSION = 'FILTER_NAME = RED';

async function ask(path: string, init: RequestInit = {}): Promise<Profile[]> {
  const answer = await app.request(path, init);
  assert.equal(answer.status, 200, path);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/xml/);
  return readProfiles(Buffer.from(await answer.arrayBuffer()));
}

test('a DIS expression gives the profiles that match it, by GET and POST', async () => {
  assert.ok(red.length > 0 && red.length < products.length);
  assert.deepEqual(ids(await ask(`/prof?q=${encodeURIComponent(EXPRESSION)}`)), ids(red));
  const body = new URLSearchParams({ q: EXPRESSION });
  assert.deepEqual(ids(await ask('/prof', { method: 'POST', body })), ids(red));
});

test('an XMLQuery document wins over an expression, and its limit holds', async () => {
  const { query } = parseDis(EXPRESSION);
  const document = (maxResults: number) =>
    encodeURIComponent(writeXmlQuery(xmlQueryOf({ query, select: [], from: [] }, { maxResults })));
  assert.deepEqual(ids(await ask(`/prof?q=FILTER_NAME%3DBLUE&xmlq=${document(1000)}`)), ids(red));
  assert.equal((await ask(`/prof?xmlq=${document(1)}`)).length, 1);
});

test('gathered profiles are those of groups that may hold a match, the root first', async () => {
  const sets = new Set(red.flatMap((product) => attributeOf(product, 'DATA_SET_ID') ?? []));
  const found = await ask(`/prof?q=${encodeURIComponent(EXPRESSION)}&gathered=true`);
  const [root, ...groups] = found;
  assert.deepEqual(root?.res.resClass, ['system.profileServer.all']);
  const named = new Set(groups.flatMap(({ res }) => res.Identifier ?? []));
  for (const set of sets) assert.ok(named.has(set), `${set} is not left out`);
  assert.deepEqual(await ask('/prof?q=FILTER_NAME%3DNOSUCH&gathered=true'), []);
});

test('groups are found as profiles of their own, by what they are and by what is in them', async () => {
  const dataSets = await ask(
    `/prof?q=${encodeURIComponent(`RESCLASS = system.profileServer.dataSet AND ${EXPRESSION}`)}`,
  );
  const sets = new Set(red.flatMap((product) => attributeOf(product, 'DATA_SET_ID') ?? []));
  assert.deepEqual(new Set(ids(dataSets)), sets);
  const [product] = await ask(`/prof?q=${encodeURIComponent(EXPRESSION)}&limit=1`);
  const parent = product?.prof.profParentId?.[0] ?? '';
  const [set, ...others] = await ask(`/prof?q=${encodeURIComponent(`PROFID = "${parent}"`)}`);
  assert.deepEqual(set?.res.resAggregation, ['dataSet']);
  assert.deepEqual(others, []);
  const [root] = await ask(`/prof?q=${encodeURIComponent(`PROFID = "${set.prof.profParentId?.[0]}"`)}`);
  assert.deepEqual(root?.res.resClass, ['system.profileServer.all']);
  assert.equal((await ask('/prof?q=RESCLASS%3Dsystem.profileServer.dataSet&limit=1')).length, 1);
});

test('a name that nobody knows finds nothing, and is told with the nearest ones', async () => {
  const answer = await app.request('/prof?q=FILTR_NAME%3DRED');
  assert.equal(answer.status, 200);
  const text = await answer.text();
  assert.match(text, /<!-- .*FILTR_NAME.*filter_name.*-->/i);
  assert.deepEqual(readProfiles(Buffer.from(text)), []);
  const hostile = await (await app.request(`/prof?q=${encodeURIComponent('"a--><b" = 1')}`)).text();
  assert.deepEqual(readProfiles(Buffer.from(hostile)), []);
  assert.doesNotMatch(await (await app.request('/prof?q=FILTER_NAME%3DNONE')).text(), /<!--/);
});

test('what cannot be asked is refused with the place of the mistake', async () => {
  const refuse = async (path: string, init: RequestInit = {}) => {
    const headers = { accept: 'application/json', ...init.headers };
    const answer = await app.request(path, { ...init, headers });
    assert.equal(answer.status, 400, path);
    return (await answer.json()) as { code: string; position?: number };
  };
  assert.equal((await refuse('/prof')).code, 'request.invalid');
  const { code, position } = await refuse(`/prof?q=${encodeURIComponent('A = 1 AND')}`);
  assert.equal(code, 'query.syntax');
  assert.equal(position, 9);
  assert.equal((await refuse('/prof?q=A%3D1&gathered=maybe')).code, 'request.invalid');
  await refuse('/prof', { method: 'POST', body: 'q', headers: { 'content-type': 'text/plain' } });
  const bomb = '<!DOCTYPE query [<!ENTITY a "b">]><query>&a;</query>';
  await refuse(`/prof?xmlq=${encodeURIComponent(bomb)}`);
});

test('a question wakes the gathering, other pages do not', async () => {
  let woken = 0;
  const gathering = {
    wake: async () => {
      woken++;
    },
  };
  const sleepy = createHttpApp({ ...collection.deps, federation: { profiles, gathering } });
  for (const path of ['/', '/search?q=ice', '/oai?verb=Identify']) await sleepy.request(path);
  assert.equal(woken, 0);
  await sleepy.request('/prof?q=FILTER_NAME=RED');
  assert.equal(woken, 1);
});
