import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  EMPTY_STATE,
  hasFilter,
  readSearchState,
  type SearchState,
  searchHref,
  withFilter,
  withoutFilter,
  writeSearchState,
} from './search-state.ts';

const text = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 12 })
  .map((raw) => raw.toWellFormed().trim())
  .filter((raw) => raw !== '');
const filter = fc.record(
  { field: fc.stringMatching(/^[a-z]{1,8}$/), value: text },
  { noNullPrototype: true },
);

const state: fc.Arbitrary<SearchState> = fc.record(
  {
    q: fc.oneof(fc.constant(''), text),
    sources: fc.uniqueArray(text, { maxLength: 3 }),
    filters: fc.uniqueArray(filter, { maxLength: 4, selector: ({ field, value }) => `${field}\n${value}` }),
    page: fc.integer({ min: 1, max: 1000 }),
    view: text,
    sort: text,
    from: text,
    to: text,
    bbox: text,
  },
  { requiredKeys: ['q', 'sources', 'filters', 'page'], noNullPrototype: true },
);

test('a state written into an address is read back unchanged', () => {
  fc.assert(
    fc.property(state, (given) => {
      const address = new URL(searchHref(given), 'http://host');
      assert.deepEqual(readSearchState(address.searchParams), given);
    }),
  );
});

test('adding a filter and taking it away gives the first page of the state before', () => {
  fc.assert(
    fc.property(state, filter, (given, added) => {
      fc.pre(!hasFilter(given, added));
      assert.deepEqual(withoutFilter(withFilter(given, added), added), { ...given, page: 1 });
    }),
  );
});

test('sides of the form become a box, and an empty side reaches the edge of the world', () => {
  assert.equal(readSearchState(new URLSearchParams('west=-5&south=&east=20&north=55')).bbox, '-5,-90,20,55');
  assert.equal(readSearchState(new URLSearchParams('west=&south=&east=&north=')).bbox, undefined);
});

test('foreign parameters and senseless pages are ignored', () => {
  assert.deepEqual(readSearchState(new URLSearchParams('utm_source=x&page=-3')), EMPTY_STATE);
});

test('an empty state is the bare address', () => {
  assert.equal(writeSearchState(EMPTY_STATE).toString(), '');
  assert.equal(searchHref(EMPTY_STATE), '/search');
});
