/** The dictionary and the ontology of the demo fit the products of the demo. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { attributeFields } from '../../core/attributes.ts';
import { listAttributes } from '../../formats/oodt-profile/profile-attributes.ts';
import { openDictionaries } from '../dictionary/dictionaries.ts';
import { readDictionaryFile } from '../dictionary/file-forms.ts';
import { namedValuesOfProfile } from '../dictionary/named-values.ts';
import { describeFinding, validateElements } from '../dictionary/validate-elements.ts';
import { listInferenceRules } from '../infer/rules.ts';
import { loadOntology } from '../ontology/load-ontology.ts';
import { createItemMeaning } from '../profile/item-meaning.ts';
import { createVocabulary, type Vocabulary } from '../vocabulary.ts';
import { makePlanetaryProducts } from './planetary.ts';

const demo = (name: string) => fileURLToPath(new URL(`../../../demo/planetary/${name}`, import.meta.url));
const dictionary = readDictionaryFile(demo('dictionary.csv'));
const products = [...makePlanetaryProducts({ products: 500 })];

let folder: string;
let vocabulary: Vocabulary;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'garner-planetary-'));
  const dictionaries = openDictionaries(folder, [dictionary]);
  vocabulary = createVocabulary(dictionaries, await loadOntology([demo('ontology.ttl')]), { hops: 2 });
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('every product keeps to the dictionary', () => {
  const index = vocabulary.dictionaries.index();
  const findings = products.flatMap((product) => validateElements(index, namedValuesOfProfile(product)));
  assert.deepEqual([...new Set(findings.map(describeFinding))], []);
});

test('every element of the dictionary is in some product', () => {
  const used = new Set(
    products.flatMap(({ elements }) => elements.flatMap(({ elemName }) => elemName ?? [])),
  );
  assert.deepEqual(
    dictionary.elements.filter(({ name }) => !used.has(name)),
    [],
  );
});

test('a product of Galileo’s camera gains attributes, each with its path', () => {
  const product = products.find(({ res }) => res.Identifier?.[0]?.endsWith(':24I0131'));
  assert.ok(product);
  const meaning = createItemMeaning({ fields: [], rules: listInferenceRules(vocabulary) });
  const fields = attributeFields(listAttributes(product));
  const gained = meaning.gainedBy({ identifier: 'x', format: 'oodt_profile', fields });
  assert.deepEqual(
    gained.map(({ name, values, path }) => [name, values.map(({ text }) => text), path]),
    [['launch_date', ['1989-10-18'], 'product → produced_by → instrument ← carries ← spacecraft']],
  );
});

test('a group of bodies stands for its members', () => {
  const names = vocabulary.expandTerm('Galilean moon').map(({ text }) => text);
  for (const name of ['Io', 'Europa', 'Ganymede', 'Callisto', 'J1']) assert.ok(names.includes(name), name);
  assert.ok(!names.includes('Amalthea'));
});
