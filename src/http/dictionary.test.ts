import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openTestCollection, type TestCollection } from '../../test/portal-collection.ts';
import { PUBLIC } from '../core/access.ts';
import { openDictionaries } from '../federate/dictionary/dictionaries.ts';
import { readDictionary } from '../federate/dictionary/dictionary.ts';
import { DICTIONARY_FORMS } from '../federate/dictionary/file-forms.ts';
import { collectFacts } from '../federate/ontology/facts.ts';
import { buildOntology } from '../federate/ontology/ontology.ts';
import { createVocabulary, type Vocabulary } from '../federate/vocabulary.ts';
import { readRdf } from '../formats/rdf/read-rdf.ts';
import { createHttpApp } from './server.ts';

const PLANETARY = readDictionary({
  identifier: 'planetary',
  title: 'Planetary <images>',
  elements: [
    { name: 'FILTER_NAME', version: '1', definition: 'An older one.', registrationStatus: 'superseded' },
    {
      name: 'FILTER_NAME',
      version: '2',
      definition: 'The filter <of glass>.',
      synonyms: [{ name: 'colour filter' }],
      permissibleValues: [{ value: 'RED', meaning: '671 nm' }, { value: 'CLEAR' }],
      related: [{ reference: 'title', relationship: 'near' }, { reference: 'nowhere' }],
    },
    ...Array.from({ length: 120 }, (_, i) => ({ name: `band ${i}`, definition: 'A band of the spectrum.' })),
  ],
});
const ONTOLOGY = `
@prefix : <http://example.org/#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:image a owl:Class . :camera a owl:Class . :produces a owl:ObjectProperty ; rdfs:domain :camera ; rdfs:range :image .
:filter_name a owl:DatatypeProperty ; rdfs:domain :camera .`;

let collection: TestCollection;
let folder: string;
let vocabulary: Vocabulary;
let app: ReturnType<typeof createHttpApp>;

before(async () => {
  collection = await openTestCollection();
  folder = mkdtempSync(join(tmpdir(), 'garner-dictionary-'));
  const triples = await readRdf(Buffer.from(ONTOLOGY), { syntax: 'turtle', baseIri: 'http://example.org/' });
  const ontology = buildOntology(triples);
  vocabulary = createVocabulary(
    openDictionaries(folder, []),
    { ontology, facts: collectFacts(triples, ontology) },
    { hops: 1 },
  );
  vocabulary.dictionaries.take(PLANETARY, 'merge');
  app = createHttpApp({ ...collection.deps, elements: { vocabulary, access: PUBLIC } });
});
after(async () => {
  await collection.close();
  rmSync(folder, { recursive: true, force: true });
});

const page = async (path: string): Promise<string> => {
  const response = await app.request(path);
  assert.equal(response.status, 200, path);
  assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
  return response.text();
};
const json = async (path: string) => (await (await app.request(path)).json()) as Record<string, unknown>;

test('elements are listed in pages, searched, and narrowed to one dictionary', async () => {
  const all = await page('/dictionary');
  assert.match(all, /136 elements/);
  assert.match(all, /Planetary &lt;images&gt;/);
  assert.match(all, /href="\/dictionary\?from=100">More/);
  assert.doesNotMatch(await page('/dictionary?from=100'), /More elements/);
  const found = await page('/dictionary?q=glass');
  assert.match(found, /1 element\b/);
  assert.match(found, /<a href="\/dictionary\/filter_name">FILTER_NAME<\/a>/);
  assert.match(await page('/dictionary?dictionary=dublin-core'), /15 elements/);
  assert.match(await page('/dictionary?q=zzzz'), /No element has these words/);
  assert.match(await page('/dictionary?from=-5&q=%3Cscript%3E'), /value="&lt;script&gt;"/);
});

test('the page of an element has its attributes, versions and place in the ontology', async () => {
  const text = await page('/dictionary/FILTER_NAME');
  assert.match(text, /The filter &lt;of glass&gt;\./);
  assert.match(text, /RED <span class="muted">671 nm<\/span>/);
  assert.match(text, /<summary>Version 1, superseded<\/summary>/);
  assert.match(text, /<a href="\/dictionary\/title">title<\/a> <span class="muted">near<\/span>/);
  assert.match(text, /<li>camera<\/li>/);
  assert.match(text, /<li>image <span class="muted">inferred: image ← produces ← camera<\/span><\/li>/);
});

test('a synonym leads on, an unknown name is told with the nearest', async () => {
  assert.match(
    await page('/dictionary/colour%20filter'),
    /is a synonym of <a href="\/dictionary\/filter_name">/,
  );
  const response = await app.request('/dictionary/filtr_name', { headers: { accept: 'text/html' } });
  assert.equal(response.status, 404);
  assert.match(await response.text(), /did you mean FILTER_NAME/);
});

test('the API gives elements, one element, and whole dictionaries that can be read again', async () => {
  const found = await json('/api/dictionary?q=filter&limit=1');
  assert.equal(found.total, 1);
  const one = (await json('/api/dictionary/colour_filter')) as {
    found: { bySynonym: boolean; versions: unknown[]; element: { version: string } }[];
  };
  assert.deepEqual(
    one.found.map(({ bySynonym, versions, element }) => [bySynonym, versions.length, element.version]),
    [[true, 2, '2']],
  );
  assert.deepEqual(
    ((await json('/api/dictionaries')).dictionaries as { identifier: string; revisions: number[] }[]).map(
      ({ identifier, revisions }) => [identifier, revisions],
    ),
    [
      ['planetary', [1]],
      ['dublin-core', []],
    ],
  );
  for (const [name, form] of Object.entries(DICTIONARY_FORMS)) {
    const response = await app.request(`/api/dictionaries/planetary?format=${name}&revision=1`);
    assert.equal(response.headers.get('content-type'), form.mediaType);
    assert.deepEqual(form.read(new Uint8Array(await response.arrayBuffer())), PLANETARY);
  }
});

test('what is wrong is told as a problem', async () => {
  for (const [path, status, code] of [
    ['/api/dictionary/none', 404, 'dictionary.unknown'],
    ['/api/dictionaries/none', 404, 'dictionary.unknown'],
    ['/api/dictionaries/planetary?revision=9', 404, 'dictionary.unknown'],
    ['/api/dictionaries/planetary?format=doc', 400, 'request.invalid'],
    ['/api/dictionary?limit=0', 400, 'request.invalid'],
  ] as const) {
    const response = await app.request(path);
    assert.equal(response.status, status, path);
    assert.equal(((await response.json()) as { code: string }).code, code);
  }
});

test('where reading needs a right, there is nothing for others', async () => {
  const closed = createHttpApp({
    ...collection.deps,
    elements: { vocabulary, access: { groups: ['staff'] } },
  });
  for (const path of ['/dictionary', '/dictionary/title', '/api/dictionary', '/api/dictionaries/dublin-core'])
    assert.equal((await closed.request(path)).status, 404, path);
  assert.doesNotMatch(await (await closed.request('/')).text(), /href="\/dictionary"/);
  assert.match(await (await app.request('/')).text(), /href="\/dictionary"/);
});
