/** What holds for every query: checked with random valid queries over the documents of the semantics cases. */
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { QueryNode } from './ast.ts';
import { CASE_COLLECTIONS, CASE_FIELDS, makeCaseDocuments } from './case-documents.ts';
import { createCatalogue } from './catalogue.ts';
import { explainMatch } from './explain.ts';
import { compileMatcher } from './matcher.ts';
import { parseQuery } from './parse.ts';
import { resolveQuery } from './resolve.ts';
import { writeQuery } from './write.ts';

const word = fc.constantFrom(
  ...'sea level levels ice the draft Café 海氷 anna smith oceanography sea-level'.split(' '),
  'AND\\ x',
  '\\OR',
  'lev\\*el',
  "o'brien",
);
const field = fc.constantFrom('', 'title:', 'abstract:', 'author:');
const quotedValue = fc
  .string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(...'ab "\\*?:()[]{}~^&|-+!<>=é海') })
  .filter((text) => text.trim() !== '')
  .map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`);
const number = fc.constantFrom('-3.5', '0', '5', '10', '1e3');
const date = fc.constantFrom('1999', '2004', '2004-06', '2004-06-15', '2004-06-15T12:00:00Z', '2010-01');
const bound = <T>(value: fc.Arbitrary<T>) => fc.oneof(fc.constant('*'), value);
const degrees = fc.integer({ min: -180, max: 180 });
const latitudes = fc
  .tuple(fc.integer({ min: -90, max: 90 }), fc.integer({ min: -90, max: 90 }))
  .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);

/** The second bound never lies before the first, whatever their kind. */
const ordered = (name: string, values: readonly string[]) =>
  fc
    .tuple(
      bound(fc.nat(values.length - 1)),
      bound(fc.nat(values.length - 1)),
      fc.constantFrom('[', '{'),
      fc.constantFrom(']', '}'),
    )
    .map(([a, b, open, close]) => {
      const [low, high] = typeof a === 'number' && typeof b === 'number' && a > b ? [b, a] : [a, b];
      const show = (at: number | string) => (typeof at === 'number' ? values[at] : at);
      return `${name}:${open}${show(low)} TO ${show(high)}${close}`;
    });

const leaf = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(field, word).map((parts) => parts.join('')) },
  fc.tuple(field, word, word, fc.nat(3)).map(([name, a, b, slop]) => `${name}"${a} ${b}"~${slop}`),
  fc.tuple(field, fc.constantFrom('s*', '*e?', 'le*l', '海*', '*')).map((parts) => parts.join('')),
  fc
    .tuple(field, fc.constantFrom('se', 'leve', 'smth'), fc.constantFrom('~', '~1', '~2'))
    .map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom('code:=', 'code:', 'subject:', 'author:=', 'id:', 'set:'), quotedValue)
    .map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom('depth:', 'depth:>', 'sample:<=', 'depth:..'), number)
    .map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom('date:', 'date:<', 'period:>=', 'period:', 'updated:'), date)
    .map((parts) => parts.join('')),
  ordered('depth', ['-3.5', '0', '5', '1e3']),
  ordered('date', ['1999', '2004-06', '2005', '2010-01-01']),
  ordered('period', ['1950', '1990', '2004-06', '2010']),
  ordered('code', ['a', 'ab-1', '"b c"', 'z']),
  fc
    .tuple(fc.constantFrom('', 'within', 'contains', 'intersects'), degrees, degrees, latitudes)
    .map(([relation, west, east, [south, north]]) => `bbox:${relation}[${west},${south},${east},${north}]`),
  fc.constantFrom('_exists_:title', 'bbox:*', 'source:alpha', 'view:polar', '*:*', 'schema:iso*'),
);

/** Text of a query that parses. */
const queryText: fc.Arbitrary<string> = fc.letrec<{ query: string }>((tie) => ({
  query: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .tuple(tie('query'), fc.constantFrom(' AND ', ' OR ', ' '), tie('query'))
      .map(([a, op, b]) => `(${a})${op}(${b})`),
    fc.tuple(tie('query'), fc.constantFrom(' OR ', ' '), tie('query')).map((parts) => parts.join('')),
    tie('query').map((query) => `NOT (${query})`),
    tie('query').map((query) => `-(${query})`),
    fc
      .tuple(tie('query'), fc.constantFrom('2', '0.5', '1.25'))
      .map(([query, factor]) => `(${query})^${factor}`),
  ),
})).query;

const catalogue = createCatalogue(CASE_FIELDS);
const documents = CASE_COLLECTIONS.flatMap((name) => makeCaseDocuments(name));
const query = queryText.map((text) => parseQuery(text, catalogue));
const found = (node: QueryNode) => documents.map(compileMatcher(node, CASE_FIELDS));
const sameResults = (a: QueryNode, b: QueryNode) => assert.deepEqual(found(a), found(b), writeQuery(a));
const not = (of: QueryNode): QueryNode => ({ type: 'not', of });
const and = (...of: QueryNode[]): QueryNode => ({ type: 'and', of });
const or = (...of: QueryNode[]): QueryNode => ({ type: 'or', of });

test('the generator makes queries that tell documents apart', () => {
  const counts = fc.sample(query, 300).map((node) => found(node).filter(Boolean).length);
  const telling = counts.filter((count) => count > 0 && count < documents.length);
  assert.ok(telling.length > 150, `${telling.length} of ${counts.length}`);
});

test('writing and reading again gives the same query', () => {
  fc.assert(
    fc.property(query, (node) => {
      assert.deepEqual(parseQuery(writeQuery(node), catalogue), node);
    }),
    { numRuns: 2000 },
  );
});

test('fitting a query to its fields twice changes nothing', () => {
  fc.assert(
    fc.property(query, (node) => {
      assert.deepEqual(resolveQuery(node, catalogue), node);
    }),
  );
});

test('De Morgan', () => {
  fc.assert(
    fc.property(query, query, (a, b) => {
      sameResults(not(and(a, b)), or(not(a), not(b)));
      sameResults(not(or(a, b)), and(not(a), not(b)));
    }),
  );
});

test('double negation', () => {
  fc.assert(fc.property(query, (a) => sameResults(not(not(a)), a)));
});

test('AND and OR distribute and absorb', () => {
  fc.assert(
    fc.property(query, query, query, (a, b, c) => {
      sameResults(and(a, or(b, c)), or(and(a, b), and(a, c)));
      sameResults(or(a, and(a, b)), a);
    }),
  );
});

test('a query and its negation share no document and leave none out', () => {
  fc.assert(
    fc.property(query, (a) => {
      const negated = found(not(a));
      for (const [i, matches] of found(a).entries()) assert.notEqual(matches, negated[i]);
    }),
  );
});

test('a boost changes no result', () => {
  fc.assert(fc.property(query, (a) => sameResults({ type: 'boost', of: a, factor: 2 }, a)));
});

test('an explanation agrees with the matcher at every part', () => {
  fc.assert(
    fc.property(query, fc.constantFrom(...documents), (node, doc) => {
      const check = (part: QueryNode): void => {
        const explanation = explainMatch(part, doc, CASE_FIELDS);
        assert.equal(explanation.matches, compileMatcher(part, CASE_FIELDS)(doc));
        const children = 'of' in part ? [part.of].flat() : [];
        assert.equal(explanation.children.length, children.length);
        children.forEach(check);
      };
      check(node);
    }),
  );
});
