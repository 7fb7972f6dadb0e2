import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { QueryNode } from './ast.ts';
import { CASE_FIELDS } from './case-documents.ts';
import { createCatalogue } from './catalogue.ts';
import { compileMatcher } from './matcher.ts';
import { resolveQuery } from './resolve.ts';

const catalogue = createCatalogue(CASE_FIELDS);
const year = { value: '2004', inclusive: true };

describe('queries made by programs are fitted to their fields', () => {
  const rows: readonly (readonly [string, QueryNode, QueryNode])[] = [
    [
      'a facet value of a date is a range',
      { type: 'value', field: 'date', value: '2004' },
      { type: 'range', field: 'date', from: year, to: year },
    ],
    [
      'a term on a whole value is that value',
      { type: 'not', of: { type: 'term', field: 'code', text: 'x' } },
      { type: 'not', of: { type: 'value', field: 'code', value: 'x' } },
    ],
    [
      'stars alone ask whether there is a value',
      { type: 'wildcard', field: 'depth', pattern: '**' },
      { type: 'exists', field: 'depth' },
    ],
    ['stars alone without a field are everything', { type: 'wildcard', pattern: '*' }, { type: 'all' }],
    [
      'a range without bounds asks whether there is a value',
      { type: 'range', field: 'date' },
      { type: 'exists', field: 'date' },
    ],
  ];
  for (const [name, before, after] of rows) {
    test(name, () => assert.deepEqual(resolveQuery(before, catalogue), after));
  }
});

describe('what makes no sense is refused before any document is looked at', () => {
  const rows: readonly (readonly [QueryNode, string])[] = [
    [{ type: 'term', field: 'nothing', text: 'x' }, 'query.unknown-field'],
    [{ type: 'exists', field: 'internal' }, 'query.unsupported'],
    [{ type: 'fuzzy', field: 'date', text: 'x', distance: 1 }, 'query.unsupported'],
    [
      { type: 'box', field: 'title', relation: 'within', box: { west: 0, south: 0, east: 1, north: 1 } },
      'query.unsupported',
    ],
    [{ type: 'range', field: 'depth', from: { value: 'x', inclusive: true } }, 'query.unsupported'],
    [{ type: 'term', text: '…' }, 'query.syntax'],
  ];
  for (const [node, code] of rows) {
    test(JSON.stringify(node), () => {
      assert.throws(() => compileMatcher({ type: 'or', of: [{ type: 'all' }, node] }, CASE_FIELDS), { code });
    });
  }
});
