import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Profile } from '../formats/oodt-profile/profile.ts';
import { openDictionaries } from './dictionary/dictionaries.ts';
import { findProfileClass, inferProfile } from './infer-profile.ts';
import { loadTurtle, SPACE_TURTLE } from './ontology/ontologies.fixture.ts';
import { createVocabulary, type Vocabulary } from './vocabulary.ts';

const INDIVIDUALS = `
:SSI a :camera ; rdfs:label "Solid State Imaging" ; skos:notation "SSI" ; :filter_name "RED", "CLEAR" ; :camera_gain 4 .
:NIMS a :instrument ; :filter_name "NONE" .
:galileo a :spacecraft ; :carries :SSI ; :mission_name "GALILEO" .
:odyssey a :spacecraft ; :mission_name "2001 MARS ODYSSEY" .
:IO a :target ; :target_name "IO" .
`;

let folder: string;
let vocabulary: Vocabulary;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'garner-infer-'));
  vocabulary = createVocabulary(openDictionaries(folder, []), await loadTurtle(SPACE_TURTLE + INDIVIDUALS), {
    hops: 2,
  });
});
after(() => rmSync(folder, { recursive: true, force: true }));

const image = (elements: Record<string, string>, resClass = 'data.image'): Profile => ({
  prof: { profId: ['p'] },
  res: { Identifier: ['x:1'], resClass: [resClass] },
  elements: Object.entries(elements).map(([name, value]) => ({ elemName: [name], elemValue: [value] })),
});
const told = (profile: Profile): string[] =>
  profile.elements.map(
    ({ elemName, elemValue, elemComment }) =>
      `${elemName?.[0]} = ${elemValue?.join(', ')}${elemComment ? ` (${elemComment[0]})` : ''}`,
  );

test('an image gains the filters of its instrument and the mission of its spacecraft, each with its path', () => {
  assert.deepEqual(told(inferProfile(vocabulary, image({ INSTRUMENT_ID: 'SSI', LINES: '800' }))), [
    'INSTRUMENT_ID = SSI',
    'LINES = 800',
    'filter_name = RED, CLEAR (inferred: image ← produces ← instrument)',
    'mission_name = GALILEO (inferred: image ← produces ← instrument ← carries ← spacecraft)',
  ]);
});

test('what the profile says itself stays, and is marked with where it belongs', () => {
  assert.deepEqual(
    told(inferProfile(vocabulary, image({ INSTRUMENT_ID: 'ssi', FILTER_NAME: 'RED' }))).slice(0, 2),
    ['INSTRUMENT_ID = ssi', 'FILTER_NAME = RED (inferred: image ← produces ← instrument)'],
  );
});

test('a comment that is there is kept', () => {
  const profile = image({});
  const own = { elemName: ['filter_name'], elemValue: ['RED'], elemComment: ['as on the label'] };
  assert.deepEqual(inferProfile(vocabulary, { ...profile, elements: [own] }).elements[0], own);
});

test('without a name that leads to an individual nothing is added', () => {
  assert.deepEqual(told(inferProfile(vocabulary, image({ LINES: '800' }))), ['LINES = 800']);
});

test('a class that the ontology has not leaves the profile as it is', () => {
  const profile = image({ INSTRUMENT_ID: 'SSI' }, 'data.granule');
  assert.equal(inferProfile(vocabulary, profile), profile);
});

test('the class is known by Type before resClass, and by the last part of that', () => {
  assert.equal(findProfileClass(vocabulary, image({}))?.name, 'image');
  const typed = { ...image({}), res: { Type: ['Data Product'], resClass: ['data.image'] } };
  assert.equal(findProfileClass(vocabulary, typed)?.name, 'product');
});

test('facts count also by the inverse of a relation and by what it specialises', async () => {
  const loaded = await loadTurtle(`
    :image a owl:Class . :camera a owl:Class . :craft a owl:Class .
    :made_by a owl:ObjectProperty ; rdfs:domain :image ; rdfs:range :camera .
    :on a owl:ObjectProperty ; rdfs:domain :camera ; rdfs:range :craft .
    :bears a owl:ObjectProperty ; owl:inverseOf :on .
    :bears_on_boom a owl:ObjectProperty ; rdfs:subPropertyOf :bears .
    :mission_name a owl:DatatypeProperty ; rdfs:domain :craft .
    :voyager a :craft ; :bears_on_boom :ISS ; :mission_name "VOYAGER" . :ISS a :camera .`);
  const other = createVocabulary(openDictionaries(folder, []), loaded, { hops: 2 });
  assert.deepEqual(told(inferProfile(other, image({ INSTRUMENT_ID: 'ISS' }))).slice(1), [
    'mission_name = VOYAGER (inferred: image → made_by → camera → on → craft)',
  ]);
});
