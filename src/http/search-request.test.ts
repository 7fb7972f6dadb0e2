import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GarnerError } from '../core/errors.ts';
import { createFormatRegistry } from '../formats/registry.ts';
import { readSearchState } from '../portal/search-state.ts';
import { MATCH_ALL } from '../query/ast.ts';
import { createCatalogue } from '../query/catalogue.ts';
import { readBox, readQuestion, readSort } from './search-request.ts';

const catalogue = createCatalogue(createFormatRegistry().fieldSpecs());
const question = (parameters: string) =>
  readQuestion(readSearchState(new URLSearchParams(parameters)), catalogue);
const hasCode = (code: string) => (error: unknown) => error instanceof GarnerError && error.code === code;

test('nothing asked finds everything', () => {
  assert.deepEqual(question(''), { query: MATCH_ALL });
});

test('words, facet clicks and spans must all fit', () => {
  const { query } = question('q=ice&f.type=Dataset&f.date=1990..1999');
  assert.deepEqual(query, {
    type: 'and',
    of: [
      { type: 'term', text: 'ice' },
      { type: 'value', field: 'type', value: 'Dataset' },
      {
        type: 'range',
        field: 'date',
        from: { value: '1990', inclusive: true },
        to: { value: '1999', inclusive: true },
      },
    ],
  });
});

test('a clicked year is that whole year', () => {
  const year = { value: '2004', inclusive: true };
  assert.deepEqual(question('f.date=2004').query, { type: 'range', field: 'date', from: year, to: year });
});

test('from and to ask dates and covered periods', () => {
  const to = { value: '2004-05', inclusive: true };
  assert.deepEqual(question('to=2004-05').query, {
    type: 'or',
    of: [
      { type: 'range', field: 'date', to },
      { type: 'range', field: 'time', to },
    ],
  });
});

test('a box asks every field of boxes', () => {
  assert.deepEqual(question('bbox=170,-10,-170,10').query, {
    type: 'box',
    field: 'bbox',
    relation: 'intersects',
    box: { west: 170, south: -10, east: -170, north: 10 },
  });
});

test('what is no box or no date is refused by name, not ignored', () => {
  for (const text of ['', '1,2,3', '1,2,3,4,5', 'a,b,c,d', '-181,0,0,1', '0,10,0,-10', '0,0,0,91', ',,,'])
    assert.throws(() => readBox(text), hasCode('request.invalid'), text);
  assert.throws(() => question('from=yesterday'), /from: "yesterday"/);
  assert.throws(() => question('f.colour=red'), hasCode('query.unknown-field'));
  assert.throws(() => question('q=ice+AND'), hasCode('query.syntax'));
});

test('sorting is by a name with an optional minus', () => {
  assert.deepEqual(readSort('-date'), { by: 'date', direction: 'desc' });
  assert.deepEqual(readSort('title'), { by: 'title', direction: 'asc' });
  assert.deepEqual(readSort('relevance'), { by: 'relevance', direction: 'desc' });
  assert.throws(() => readSort('-'), hasCode('request.invalid'));
});
