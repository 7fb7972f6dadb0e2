/** Whatever the profile of an item shows finds the item, however it is asked; and nothing else does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ANONYMOUS } from '../../core/access.ts';
import type { Fields, FieldValue } from '../../core/model.ts';
import { createFormatRegistry } from '../../formats/registry.ts';
import { COMPARE_OPERATORS, type QueryNode } from '../../query/ast.ts';
import { parseDis } from '../../query/dis/parse-dis.ts';
import { compileMatcher } from '../../query/matcher.ts';
import { fixtureDocument, IndexFixture } from '../../store/sqlite/index/index-fixture.ts';
import { Aggregate } from '../aggregate/aggregate.ts';
import { possiblyMatches } from '../aggregate/possibly-matches.ts';
import { buildProfile } from './build-profile.ts';
import { createDublinCoreFields } from './dublin-core-fields.ts';
import { createItemMeaning } from './item-meaning.ts';
import { madeAttributes, madeSections } from './made-attributes.ts';
import { compileProfileTest } from './match-profile.ts';
import { createProfileIds } from './profile-id.ts';

const base = createFormatRegistry();
/** Has its subjects elsewhere than all others. */
const own = { ...base.get('xml'), name: 'own', dublinCore: { subject: [{ field: 'series' }] } };
const formats = createFormatRegistry([own]);
const specs = formats.fieldSpecs();
const byName = new Map(specs.map((spec) => [spec.name, spec]));
const made = madeSections({ context: 'C', resClass: 'data.product' });

interface Item {
  readonly identifier: string;
  readonly format: string;
  readonly fields: Fields;
}

/** What profiles, gathered ones and queries say of some items. */
function describeItems(items: readonly Item[], templates: Readonly<Record<string, string>>) {
  const dublinCore = createDublinCoreFields({ formats: formats.list(), templates, specs: byName });
  const meaning = createItemMeaning({ fields: specs, dublinCore, made: madeAttributes(made) });
  const baseUrl = 'https://example.org';
  const ids = createProfileIds({ ids: 'uri', oidRoot: '1.2' }, baseUrl);
  const settings = { dublinCore, ids, baseUrl, made };
  const aggregate = new Aggregate(2);
  for (const item of items) aggregate.add(meaning.attributesOf(item));
  return {
    aggregate,
    profiles: items.map((item, key) =>
      buildProfile(
        { ...item, key, source: 'test' },
        formats.find(item.format) ?? formats.get('xml'),
        settings,
      ),
    ),
    lower: (query: QueryNode) => meaning.lower(query),
    documents: items.map(({ identifier, format, fields }) =>
      fixtureDocument(identifier, { schema: format, fields }),
    ),
  };
}

const some = <T extends FieldValue>(...choices: readonly T[]) =>
  fc.uniqueArray(fc.constantFrom(...choices), { minLength: 1, maxLength: 2 });
const box = (west: number, south: number, east: number, north: number) => ({ west, south, east, north });
const VALUES: Readonly<Record<string, fc.Arbitrary<readonly FieldValue[]>>> = {
  subject: some('Ice', 'Dust', 'Dust storms'),
  variable: some('Ice', 'Salt'),
  relation: some('r:1', 'r:2'),
  link: some('http://example.org/r', 'r:1'),
  type: some('Image', 'Map', '10'),
  mediaType: some('image/png', 'text/html'),
  extent: some('10', '2000'),
  language: some('en', 'de'),
  identifier: some('doi:1', 'b:1'),
  series: some('S', 's:t', 'S-1'),
  instrument: some('SSI', 'NIMS'),
  place: some('Io', 'Mars'),
  origin: some('Lab'),
  date: some('1999', '2004-06', '2004-06-15'),
  published: some('1999-02', '2004'),
  bbox: some(box(10, -5, 20, 5), box(170, 0, -170, 10), box(10, 10, 10, 10)),
  time: some(
    { start: '1996', end: '1999-02' },
    { start: '2004' },
    { end: '1999' },
    { start: '2004', end: '2004' },
  ),
};
const randomItems = fc
  .array(
    fc.tuple(
      fc.constantFrom('iso19139', 'oai_dc', 'web_file', 'own', 'xml', 'forgotten'),
      fc.record(VALUES, { requiredKeys: [] }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((list) =>
    list.map(([format, given], i): Item => {
      const known = new Set((formats.find(format) ?? formats.get('xml')).fields.map(({ name }) => name));
      const fields = Object.fromEntries(
        Object.entries(given).flatMap(([name, values]) =>
          values && known.has(name) ? [[name, values]] : [],
        ),
      );
      return { identifier: `i:${i}`, format, fields };
    }),
  );

const TEMPLATES: readonly Readonly<Record<string, string>>[] = [
  {},
  { Identifier: '{series}:{type}' },
  { Identifier: '{type}{Identifier}', Type: 'at {westernmost_longitude}, {minimum_latitude}' },
  { Subject: '{Identifier} {subject} ', Date: '{published}', Rights: '{nobody}', Language: 'en' },
  { Identifier: '{date}/{MEDIATYPE}', Relation: '{relation}', Coverage: '{Coverage}-{series}-{Format}' },
];

/** Running text is compared by its words; and so are, by patterns, values that have words. */
const WHOLE = ['TYPE', 'DATE', 'FORMAT', 'LANGUAGE', 'RELATION', 'series', 'extent', 'published', 'time'];
const EDGES = ['westernmost_longitude', 'EASTERNMOST_LONGITUDE', 'minimum_latitude', 'maximum_latitude'];
const SPLIT = ['SUBJECT', 'COVERAGE', 'SOURCE', 'instrument'];
const TEXTS =
  'Ice|ice|Dust|salt|r:1|http://example.org/r|Image|image|Map|10|10.0|20|-5|image/png|2000|en|doi:1|i:1|S:Image|s:t:Map|s:image|S|SSI|Io|Lab|1999|2004-06|1998|2004|at 10, -5|AT 170, 0|Imagei:0|i:0 Ice|i:1 Dust storms|2004-06/image/png|Io-S-image/png|mars-s-1-text/html|-180|170|0|5|profile';
const texts = fc.constantFrom(...TEXTS.split('|'));
const patterns = fc.constantFrom(
  '%',
  'S%',
  's:%',
  's:t%',
  '%:Map',
  'at 1%',
  '_0',
  'i:0%',
  'Image%',
  'r%',
  '2004-06/im%',
);
const comparison = (names: readonly string[], operators: readonly (typeof COMPARE_OPERATORS)[number][]) =>
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(...operators), fc.oneof(texts, patterns))
    .map(([field, operator, value]): QueryNode => ({ type: 'compare', field, operator, value }));
const ordered = COMPARE_OPERATORS.filter((operator) => !operator.endsWith('LIKE'));
const identifiers = fc
  .tuple(fc.constantFrom('=' as const, '!=' as const, 'EXISTS' as const), texts)
  .map(([operator, value]): QueryNode => ({ type: 'compare', field: 'IDENTIFIER', operator, value }));
const randomQuery: fc.Arbitrary<QueryNode> = fc.letrec<{ node: QueryNode }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    comparison([...WHOLE, ...EDGES, 'RESCLASS'], COMPARE_OPERATORS),
    comparison(SPLIT, ordered),
    identifiers,
    fc
      .tuple(
        fc.constantFrom('and' as const, 'or' as const),
        fc.array(tie('node'), { minLength: 2, maxLength: 3 }),
      )
      .map(([type, of]): QueryNode => ({ type, of })),
    tie('node').map((of): QueryNode => ({ type: 'not', of })),
  ),
})).node;

const randomQueries = fc.array(randomQuery, { minLength: 12, maxLength: 20 });

test('for random items of all kinds, templates and queries with NOT', () => {
  fc.assert(
    fc.property(randomItems, fc.constantFrom(...TEMPLATES), randomQueries, (items, templates, queries) => {
      const { aggregate, profiles, documents, lower } = describeItems(items, templates);
      for (const query of queries) {
        const isMeant = compileProfileTest(query);
        const matches = compileMatcher(lower(query), specs);
        const expected = profiles.map(isMeant);
        assert.deepEqual(documents.map(matches), expected, JSON.stringify(query));
        if (expected.includes(true)) assert.ok(possiblyMatches(aggregate, query), JSON.stringify(query));
      }
    }),
    { numRuns: 300 },
  );
});

test('the index finds the same', async () => {
  await fc.assert(
    fc.asyncProperty(
      randomItems,
      fc.constantFrom(...TEMPLATES),
      randomQueries,
      async (items, templates, queries) => {
        const { documents, lower } = describeItems(items, templates);
        const fixture = new IndexFixture(specs);
        try {
          fixture.commit(documents);
          for (const query of queries.map(lower)) {
            const { hits } = await fixture.search.search({ query, limit: 100 }, ANONYMOUS);
            const matches = compileMatcher(query, specs);
            assert.deepEqual(
              hits.map(({ identifier }) => identifier).sort(),
              documents.filter(matches).map(({ id }) => id),
            );
          }
        } finally {
          fixture.close();
        }
      },
    ),
    { numRuns: 15 },
  );
});

test('the identifier that the seed makes of two attributes, in every way to ask for it', () => {
  const image = (identifier: string, series: string, type: string): Item => ({
    identifier,
    format: 'xml',
    fields: { series: [series], type: [type] },
  });
  const { profiles, documents, lower } = describeItems(
    [image('1', 'GO-J:SSI', '24I0131'), image('2', 'GO-J', 'SSI:24I0131'), image('3', 'MGN', 'F%1')],
    { Identifier: '{series}:{type}' },
  );
  const find = (dis: string) =>
    documents.filter(compileMatcher(lower(parseDis(dis).query), specs)).map(({ id }) => id);
  assert.deepEqual(profiles[2]?.res.Identifier, ['MGN:F%1']);
  // Two items make the same text of other parts.
  assert.deepEqual(find('IDENTIFIER = "go-j:ssi:24i0131"'), ['1', '2']);
  assert.deepEqual(find('NOT IDENTIFIER = "GO-J:SSI:24I0131"'), ['3']);
  assert.deepEqual(find('IDENTIFIER LIKE "GO-J:S%"'), ['1', '2']);
  assert.deepEqual(find('IDENTIFIER LIKE "MGN:F\\\\%_"'), ['3']);
  assert.deepEqual(find('IDENTIFIER LIKE "%131"'), ['1', '2']);
  assert.deepEqual(find('IDENTIFIER > H'), ['3']);
  // What an item is called elsewhere is not what its profile shows.
  assert.deepEqual(find('IDENTIFIER = 1'), []);
});
