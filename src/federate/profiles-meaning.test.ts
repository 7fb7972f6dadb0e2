/** Profiles of an installation that has a dictionary and an ontology. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ANONYMOUS, PUBLIC } from '../core/access.ts';
import { federateSchema } from '../core/federate-schema.ts';
import { createFormatRegistry } from '../formats/registry.ts';
import { MATCH_ALL } from '../query/ast.ts';
import { parseDis } from '../query/dis/parse-dis.ts';
import type { SqliteStore } from '../store/sqlite/assemble.ts';
import { openSqliteStore } from '../store/sqlite/open.ts';
import { possiblyMatches } from './aggregate/possibly-matches.ts';
import { PLANETARY } from './dictionary/dictionaries.fixture.ts';
import { openDictionaries } from './dictionary/dictionaries.ts';
import { localForm } from './guided/local-form.ts';
import { loadTurtle, SPACE_TURTLE, SYSTEMS_TURTLE } from './ontology/ontologies.fixture.ts';
import { profileRecord } from './profile/profile-record.ts';
import { createProfiles, type Profiles } from './profiles.ts';
import { createVocabulary } from './vocabulary.ts';

const folder = mkdtempSync(join(tmpdir(), 'garner-meaning-'));
const formats = createFormatRegistry();
let store: SqliteStore;
let profiles: Profiles;

const product = (id: string, elements: Readonly<Record<string, string>>) =>
  profileRecord(
    {
      prof: { profId: [id], profType: ['profile'], profStatusId: ['active'] },
      res: { Identifier: [id], resContext: ['C'], resClass: ['data.image'] },
      elements: Object.entries(elements).map(([name, value]) => ({ elemName: [name], elemValue: [value] })),
    },
    formats.fieldSpecs(),
  );

before(async () => {
  let now = Date.UTC(2026, 0, 1);
  // Lists show closed seconds only: every look at the clock is one later.
  const clock = () => (now += 1000);
  store = openSqliteStore(
    {
      folder,
      fields: formats.fieldSpecs(),
      sources: [{ name: 'images', access: PUBLIC }],
      views: [],
      repositoryIdentifier: 'example.org',
    },
    { clock },
  );
  const run = await store.runs.startRun('images', 'test');
  await store.items.commit({
    source: 'images',
    runId: run.id,
    records: [
      product('a', { OS: 'Linux', EXPOSURE_DURATION: '70', INSTRUMENT_ID: 'SSI' }),
      product('b', { OS: 'Solaris', INTEGRATION_TIME: '80' }),
      product('c', { OS: 'Windows', EXPOSURE_DURATION: '5' }),
    ],
  });
  await store.runs.finishRun(run.id, 'complete');
  const individuals = ':SSI a :camera ; :filter_name "RED" .';
  profiles = createProfiles({
    store,
    formats,
    config: federateSchema.parse({}).profiles,
    repository: { name: 'X', identifier: 'example.org', baseUrl: 'https://example.org' },
    dataFolder: folder,
    vocabulary: createVocabulary(
      openDictionaries(folder, [PLANETARY]),
      await loadTurtle(SPACE_TURTLE + SYSTEMS_TURTLE + individuals),
      { hops: 2 },
    ),
  });
});
after(async () => {
  profiles.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function find(dis: string, exact = false): Promise<string[]> {
  const { profiles: found } = await profiles.find(
    { query: parseDis(dis).query, limit: 10, exact },
    ANONYMOUS,
  );
  return found.map(({ res }) => res.Identifier?.[0] ?? '').sort();
}

test('“UNIX compatible” finds Linux and Solaris, and NOT of it the rest', async () => {
  assert.deepEqual(await find('OS = "UNIX compatible"'), ['a', 'b']);
  assert.deepEqual(await find('NOT OS = "UNIX compatible"'), ['c']);
  assert.deepEqual(await find('OS = "UNIX compatible"', true), []);
});

test('a synonym of the dictionary finds both names', async () => {
  assert.deepEqual(await find('EXPOSURE_DURATION > 60'), ['a', 'b']);
  assert.deepEqual(await find('integration_time > 60'), ['a', 'b']);
  assert.deepEqual(await find('EXPOSURE_DURATION > 60', true), ['a']);
});

test('a profile comes with what is inferred for its class', async () => {
  const { profiles: found } = await profiles.find(
    { query: parseDis('OS = Linux').query, limit: 1 },
    ANONYMOUS,
  );
  const filter = found[0]?.elements.find(({ elemName }) => elemName?.[0] === 'filter_name');
  assert.deepEqual(filter?.elemValue, ['RED']);
  assert.deepEqual(filter.elemComment, ['inferred: image ← produces ← instrument']);
});

test('what is inferred is found, by NOT as well, and whatever expansions are wanted', async () => {
  assert.deepEqual(await find('FILTER_NAME = RED'), ['a']);
  assert.deepEqual(await find('FILTER_NAME = RED', true), ['a']);
  assert.deepEqual(await find('NOT FILTER_NAME = RED'), ['b', 'c']);
  assert.deepEqual(await find('FILTER_NAME = GREEN'), []);
});

test('gathered profiles tell what is inferred, so that nobody is left out', async () => {
  await profiles.aggregates.catchUp();
  const root = profiles.aggregates.find([])?.aggregate;
  assert.ok(root);
  assert.equal(root.products, 3);
  assert.deepEqual([...(root.attributes.get('filter_name')?.texts?.values() ?? [])], ['RED']);
  assert.equal(possiblyMatches(root, parseDis('FILTER_NAME = RED').query), true);
  assert.equal(possiblyMatches(root, parseDis('FILTER_NAME = GREEN').query), false);
});

test('forms of the guided search count what is inferred', async () => {
  const { aggregates, meaning } = profiles;
  const deps = { store, aggregates, meaning, fields: formats.fieldSpecs(), valueLimit: 200 };
  const form = await localForm(deps, MATCH_ALL, ANONYMOUS);
  assert.deepEqual(form.attributes.find(({ name }) => name === 'FILTER_NAME')?.values, [
    { value: 'RED', count: 1 },
  ]);
});
