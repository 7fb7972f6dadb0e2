import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OPERATOR } from '../../../core/access.ts';
import type { FieldSpec, FieldType, FieldValue } from '../../../core/model.ts';
import type { QueryNode } from '../../../query/ast.ts';
import { makeIndexDocument } from '../../../query/index-document.ts';
import { compileMatcher } from '../../../query/matcher.ts';
import { type FixtureDocument, fixtureDocument, IndexFixture } from './index-fixture.ts';

const field = (name: string, type: FieldType, more: Partial<FieldSpec> = {}): FieldSpec => ({
  name,
  type,
  label: name,
  stored: true,
  indexed: true,
  tokenised: type === 'text',
  stemmed: type === 'text',
  facet: false,
  weight: 1,
  ...more,
});

const FIELDS = [
  field('title', 'text'),
  field('note', 'text', { stemmed: false, stored: false }),
  field('name', 'string', { tokenised: true }),
  field('subject', 'string'),
  field('size', 'number'),
  field('date', 'date'),
  field('period', 'interval'),
  field('area', 'bbox'),
];

/** Few words with shared stems and prefixes, so that random queries find something. */
const word = fc.constantFrom(
  'ice',
  'ices',
  'cloud',
  'clouds',
  'clouding',
  'cloudy',
  'sea',
  'level',
  'levels',
  'Eis',
  'été',
  '海',
  'a1',
);
const text = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '));
const number = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom(0.5, -2.25));
const date = fc.constantFrom(
  '2004',
  '2004-06',
  '2004-06-15',
  '2005',
  '2005-12-31',
  '2006-01-01T00:00:00Z',
  '1999-02',
);
const interval = fc
  .record({ start: fc.option(date, { nil: undefined }), end: fc.option(date, { nil: undefined }) })
  .map(({ start, end }) => ({ ...(start && { start }), ...(end && { end }) }));
const longitude = fc.constantFrom(-180, -170, -10, 0, 10, 170, 180);
const latitude = fc.constantFrom(-90, -45, 0, 45, 90);
const box = fc
  .tuple(longitude, latitude, longitude, latitude)
  .map(([west, a, east, b]) => ({ west, south: Math.min(a, b), east, north: Math.max(a, b) }));
const several = <T>(values: fc.Arbitrary<T>) => fc.array(values, { maxLength: 3 });

const fields = fc
  .record({
    title: fc.array(text, { maxLength: 1 }),
    note: several(text),
    name: several(text),
    subject: several(text),
    size: several(number),
    date: several(date),
    period: several(interval),
    area: several(box),
  })
  .map(
    (record) =>
      Object.fromEntries(Object.entries(record).filter(([, values]) => values.length > 0)) as Record<
        string,
        FieldValue[]
      >,
  );

const document = fc.record({
  fields,
  rest: several(text),
  source: fc.constantFrom('north', 'south'),
  sets: fc.uniqueArray(fc.constantFrom('physics', 'maths:algebra')),
  updatedAt: fc.integer({ min: 1, max: 5 }).map((year) => Date.UTC(2000 + year, 3)),
});

const wordField = fc.constantFrom(undefined, 'title', 'note', 'name');
const valueField = fc.constantFrom('subject', 'name');
const named = <T extends object>(node: T, name: string | undefined) =>
  name === undefined ? node : { ...node, field: name };
const inclusive = fc.boolean();
const bound = (value: fc.Arbitrary<string>) => fc.option(fc.record({ value, inclusive }), { nil: undefined });
const range = (name: fc.Arbitrary<string>, value: fc.Arbitrary<string>): fc.Arbitrary<QueryNode> =>
  fc
    .tuple(name, bound(value), bound(value))
    .map(([field, from, to]) => ({ type: 'range', field, ...(from && { from }), ...(to && { to }) }));

const leaf = fc.oneof<fc.Arbitrary<QueryNode>[]>(
  fc
    .tuple(wordField, fc.array(word, { minLength: 1, maxLength: 2 }))
    .map(([name, words]) => named({ type: 'term' as const, text: words.join('-') }, name)),
  fc
    .tuple(wordField, text, fc.integer({ min: 0, max: 4 }))
    .map(([name, words, slop]) =>
      named({ type: 'phrase' as const, text: words.split(' ').slice(0, 3).join(' '), slop }, name),
    ),
  fc
    .tuple(
      fc.constantFrom(undefined, 'title', 'name', 'subject'),
      fc.constantFrom('clo*', '*s', 'c?oud*', '*', '海*', '?ce', 'x*', '*l*e*'),
    )
    .map(([name, pattern]) => named({ type: 'wildcard' as const, pattern }, name)),
  fc
    .tuple(wordField, word, fc.constantFrom(1 as const, 2 as const))
    .map(([name, text, distance]) => named({ type: 'fuzzy' as const, text, distance }, name)),
  fc.tuple(valueField, text).map(([field, value]) => ({ type: 'value', field, value })),
  fc
    .tuple(valueField, fc.array(text, { maxLength: 3 }), fc.boolean())
    .map(([field, values, parts]) => ({ type: 'oneOf', field, values, parts })),
  fc
    .constantFrom('title', 'note', 'subject', 'size', 'area', 'set')
    .map((field) => ({ type: 'exists', field })),
  range(valueField, word),
  range(fc.constant('size'), number.map(String)),
  range(fc.constantFrom('date', 'period', 'updated'), date),
  fc
    .tuple(fc.constantFrom('intersects' as const, 'within' as const, 'contains' as const), box)
    .map(([relation, box]) => ({ type: 'box', field: 'area', relation, box })),
  fc.constantFrom('north', 'south', 'east').map((value) => ({ type: 'value', field: 'source', value })),
  fc.constantFrom('physics', 'maths:algebra').map((value) => ({ type: 'value', field: 'set', value })),
  fc.constant<QueryNode>({ type: 'all' }),
);

const { query } = fc.letrec<{ query: QueryNode }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    leaf,
    fc
      .tuple(
        fc.constantFrom('and' as const, 'or' as const),
        fc.array(tie('query'), { minLength: 1, maxLength: 4 }),
      )
      .map(([type, of]): QueryNode => ({ type, of })),
    tie('query').map((of): QueryNode => ({ type: 'not', of })),
    fc
      .tuple(tie('query'), fc.constantFrom(0.5, 3))
      .map(([of, factor]): QueryNode => ({ type: 'boost', of, factor })),
  ),
}));

test('any query finds in SQLite what the plain matcher finds, before and after changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(document, { minLength: 1, maxLength: 12 }),
      fc.array(document, { maxLength: 4 }),
      fc.array(query, { minLength: 6, maxLength: 6 }),
      fc.boolean(),
      async (first, later, queries, fold) => {
        const fixture = new IndexFixture(FIELDS);
        try {
          const make = (value: (typeof first)[number], id: number): FixtureDocument => ({
            ...fixtureDocument(`d${id}`, {
              source: value.source,
              sets: value.sets,
              updatedAt: value.updatedAt,
            }),
            ...makeIndexDocument(value.fields, FIELDS, value.rest),
          });
          const documents = new Map(first.map((value, i) => [i, make(value, i)]));
          fixture.commit([...documents.values()]);
          await compare(fixture, documents, queries.slice(0, 3));
          // Documents are replaced and added, one of the first is removed.
          const changed = later.map((value, i) => make(value, i));
          for (const [i, value] of changed.entries()) documents.set(i, value);
          const gone = first.length - 1;
          documents.delete(gone);
          fixture.commit(
            changed.filter(({ id }) => id !== `d${gone}`),
            [`d${gone}`],
          );
          if (fold) fixture.writer.optimise();
          await compare(fixture, documents, queries);
        } finally {
          fixture.close();
        }
      },
    ),
    { numRuns: 60 },
  );
});

async function compare(
  fixture: IndexFixture,
  documents: ReadonlyMap<number, FixtureDocument>,
  queries: readonly QueryNode[],
): Promise<void> {
  for (const query of queries) {
    let matches: (document: FixtureDocument) => boolean;
    try {
      matches = compileMatcher(query, FIELDS);
    } catch {
      // Refused before any document is looked at, and here too.
      await assert.rejects(fixture.search.search({ query, limit: 100 }, OPERATOR));
      continue;
    }
    const expected = [...documents.values()].filter(matches).map(({ id }) => id);
    const { hits, total } = await fixture.search.search({ query, limit: 100 }, OPERATOR);
    assert.deepEqual(hits.map(({ identifier }) => identifier).sort(), expected.sort(), JSON.stringify(query));
    assert.equal(total, expected.length);
  }
}
