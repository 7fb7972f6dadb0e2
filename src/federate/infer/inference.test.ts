import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { ANONYMOUS } from '../../core/access.ts';
import { attributeFields } from '../../core/attributes.ts';
import type { FieldSpec } from '../../core/model.ts';
import type { Profile, ProfileElement } from '../../formats/oodt-profile/profile.ts';
import { listAttributes } from '../../formats/oodt-profile/profile-attributes.ts';
import { COMPARE_OPERATORS, type QueryNode } from '../../query/ast.ts';
import { parseDis } from '../../query/dis/parse-dis.ts';
import { fixtureDocument, IndexFixture } from '../../store/sqlite/index/index-fixture.ts';
import { Aggregate } from '../aggregate/aggregate.ts';
import { possiblyMatches } from '../aggregate/possibly-matches.ts';
import { openDictionaries } from '../dictionary/dictionaries.ts';
import { loadTurtle, SPACE_TURTLE } from '../ontology/ontologies.fixture.ts';
import { createItemMeaning } from '../profile/item-meaning.ts';
import { madeAttributes, madeSections } from '../profile/made-attributes.ts';
import { compileProfileTest } from '../profile/match-profile.ts';
import { createVocabulary } from '../vocabulary.ts';
import { type InferenceRule, listInferenceRules } from './rules.ts';

const INDIVIDUALS = `
:SSI a :camera ; rdfs:label "Solid State Imaging" ; skos:notation "SSI", "4" ; :filter_name "RED", "CLEAR" ; :exposure_duration 195 ; :camera_gain 4 .
:NIMS a :instrument ; :filter_name "NONE" .
:galileo a :spacecraft ; :carries :SSI ; :mission_name "GALILEO" .
:odyssey a :spacecraft ; :mission_name "2001 MARS ODYSSEY" .
:IO a :target ; :target_name "IO" .
`;

let folder: string;
let rules: readonly InferenceRule[];
async function load(turtle: string): Promise<readonly InferenceRule[]> {
  const loaded = await loadTurtle(turtle);
  const vocabulary = createVocabulary(openDictionaries(folder, []), loaded, { hops: 2 });
  return listInferenceRules(vocabulary);
}
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'garner-infer-'));
  rules = await load(SPACE_TURTLE + INDIVIDUALS);
});
after(() => rmSync(folder, { recursive: true, force: true }));

const image = (elements: Record<string, string>, resClass = 'data.image'): Profile => ({
  prof: { profId: ['p'] },
  res: { Identifier: ['x:1'], resClass: [resClass] },
  elements: Object.entries(elements).map(([name, value]) => ({ elemName: [name], elemValue: [value] })),
});
const itemOf = (profile: Profile) => ({
  identifier: profile.prof.profId?.[0] ?? '',
  format: 'oodt_profile',
  fields: attributeFields(listAttributes(profile)),
});
const gainedBy = (profile: Profile, by = rules): string[] =>
  createItemMeaning({ fields: [], rules: by })
    .gainedBy(itemOf(profile))
    .map(({ name, values, path }) => `${name} = ${values.map(({ text }) => text).join(', ')} (${path})`);

test('an image gains the attributes of its instrument and the mission of its spacecraft, each with its path', () => {
  assert.deepEqual(gainedBy(image({ INSTRUMENT_ID: 'SSI', LINES: '800' })), [
    'filter_name = RED, CLEAR (image ← produces ← instrument)',
    'exposure_duration = 195 (image ← produces ← instrument)',
    'mission_name = GALILEO (image ← produces ← instrument ← carries ← spacecraft)',
  ]);
});

test('what the profile says itself stays', () => {
  const gained = gainedBy(image({ INSTRUMENT_ID: 'ssi', FILTER_NAME: 'GREEN' }));
  assert.ok(!gained.some((one) => one.startsWith('filter_name')));
  assert.ok(gained.some((one) => one.startsWith('mission_name')));
});

test('an individual is named by its class, by a relation, or by an attribute that identifies it', () => {
  for (const name of ['instrument', 'Camera_ID', 'INSTRUMENT_NAME', 'produces'])
    assert.equal(gainedBy(image({ [name]: 'solid state imaging' })).length, 3, name);
  assert.deepEqual(gainedBy(image({ COMMENT: 'SSI' })), []);
  assert.deepEqual(gainedBy(image({ LINES: '800' })), []);
});

test('a class that the ontology has not gains nothing; subclasses and Type count', () => {
  const named = { INSTRUMENT_ID: 'SSI' };
  assert.deepEqual(gainedBy(image(named, 'data.granule')), []);
  assert.equal(gainedBy({ ...image(named), res: { Type: ['image'] } }).length, 3);
});

test('facts count also by the inverse of a relation and by what it specialises', async () => {
  const other = await load(`
    :image a owl:Class . :camera a owl:Class . :craft a owl:Class .
    :made_by a owl:ObjectProperty ; rdfs:domain :image ; rdfs:range :camera .
    :on a owl:ObjectProperty ; rdfs:domain :camera ; rdfs:range :craft .
    :bears a owl:ObjectProperty ; owl:inverseOf :on .
    :bears_on_boom a owl:ObjectProperty ; rdfs:subPropertyOf :bears .
    :mission_name a owl:DatatypeProperty ; rdfs:domain :craft .
    :voyager a :craft ; :bears_on_boom :ISS ; :mission_name "VOYAGER" . :ISS a :camera .`);
  assert.deepEqual(gainedBy(image({ MADE_BY: 'ISS' }), other), [
    'mission_name = VOYAGER (image → made_by → camera → on → craft)',
  ]);
});

test('without facts a query stays as it is', async () => {
  assert.deepEqual(await load(SPACE_TURTLE), []);
  const { query } = parseDis('FILTER_NAME = RED');
  assert.equal(createItemMeaning({ fields: [] }).lower(query), query);
});

const element = (name: string, values: readonly string[]): fc.Arbitrary<ProfileElement> =>
  fc
    .oneof(
      { weight: 8, arbitrary: fc.subarray([...values], { minLength: 1, maxLength: 2 }) },
      { weight: 1, arbitrary: fc.constant(undefined) },
    )
    .map((elemValue) => ({ elemName: [name], ...(elemValue && { elemValue }) }));
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
/** As a profile, or as an item of another format that has the fields below. */
const randomImages = fc.array(
  fc.record({
    isProfile: fc.boolean(),
    resClass: fc.constantFrom('data.image', 'image', 'data.granule', 'data.product'),
    type: maybe(fc.constantFrom('image', 'Data Product', 'text')),
    elements: fc
      .tuple(
        maybe(element('INSTRUMENT_ID', ['SSI', 'ssi', 'NIMS', '4', 'OTHER'])),
        maybe(element('INSTRUMENT', ['Solid  State Imaging', 'N/A'])),
        maybe(element('FILTER_NAME', ['RED', 'GREEN'])),
        maybe(element('MISSION_NAME', ['GALILEO', 'CASSINI'])),
      )
      .map((given) => given.filter((one) => one !== undefined)),
  }),
  { minLength: 1, maxLength: 10 },
);
const ORDINARY = ['type', 'instrument', 'filter_name', 'mission_name'].map(
  (name): FieldSpec => ({
    name,
    type: 'string',
    label: name,
    stored: true,
    indexed: true,
    tokenised: false,
    stemmed: false,
    facet: true,
    weight: 1,
  }),
);
const randomQuestion: fc.Arbitrary<QueryNode> = fc.letrec<{ node: QueryNode }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .tuple(
        fc.constantFrom(
          'FILTER_NAME',
          'exposure_duration',
          'MISSION_NAME',
          'INSTRUMENT_ID',
          'RESCLASS',
          'PROFTYPE',
        ),
        fc.constantFrom(...COMPARE_OPERATORS),
        fc.constantFrom(
          'RED',
          'GREEN',
          'NONE',
          'GALILEO',
          '195',
          '60',
          '%E%',
          'SSI',
          'data.image',
          'profile',
        ),
      )
      .map(([field, operator, value]): QueryNode => ({ type: 'compare', field, operator, value })),
    fc
      .tuple(
        fc.constantFrom('and' as const, 'or' as const),
        fc.array(tie('node'), { minLength: 2, maxLength: 3 }),
      )
      .map(([type, of]): QueryNode => ({ type, of })),
    tie('node').map((of): QueryNode => ({ type: 'not', of })),
  ),
})).node;

test('for random profiles and queries with NOT, what is found is what the profiles with all they gain would match', async () => {
  await fc.assert(
    fc.asyncProperty(
      randomImages,
      fc.array(randomQuestion, { minLength: 5, maxLength: 10 }),
      async (images, queries) => {
        const made = madeSections({ context: 'C', resClass: 'data.image' });
        const meaning = createItemMeaning({ fields: ORDINARY, made: madeAttributes(made), rules });
        const fixture = new IndexFixture(ORDINARY);
        try {
          const aggregate = new Aggregate(2);
          const shown = images.map(({ isProfile, resClass, type, elements }, i): Profile => {
            const identifier = `p${i}`;
            const known = ORDINARY.map(({ name }) => name.toUpperCase());
            const own = elements.filter(
              ({ elemName, elemValue }) => isProfile || (elemValue && known.includes(elemName?.[0] ?? '')),
            );
            const profile: Profile = {
              prof: isProfile ? { profId: [identifier] } : { profId: [identifier], ...made.prof },
              res: {
                ...(isProfile ? { resClass: [resClass] } : made.res),
                ...(type !== undefined && { Type: [type] }),
              },
              elements: own,
            };
            const fields = isProfile
              ? attributeFields(listAttributes(profile))
              : Object.fromEntries([
                  ...(type === undefined ? [] : [['type', [type]]]),
                  ...own.map(({ elemName, elemValue }) => [elemName?.[0]?.toLowerCase(), elemValue]),
                ]);
            const item = { identifier, format: 'xml', fields };
            fixture.commit([fixtureDocument(identifier, { source: 's', fields })]);
            aggregate.add(meaning.attributesOf(item));
            const gained = meaning.gainedBy(item).map(({ name, values }) => ({
              elemName: [name],
              elemValue: values.map(({ text }) => text),
            }));
            return { ...profile, elements: [...own, ...gained] };
          });
          for (const query of queries) {
            const expected = shown
              .filter(compileProfileTest(query))
              .map(({ prof }) => prof.profId?.[0] ?? '');
            const found = await fixture.search.search({ query: meaning.lower(query), limit: 100 }, ANONYMOUS);
            assert.deepEqual(found.hits.map(({ identifier }) => identifier).sort(), expected.sort());
            if (expected.length > 0) assert.ok(possiblyMatches(aggregate, query));
          }
        } finally {
          fixture.close();
        }
      },
    ),
    { numRuns: 60 },
  );
});
