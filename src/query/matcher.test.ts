import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CASE_COLLECTIONS, CASE_FIELDS, makeCaseDocuments } from './case-documents.ts';
import { SEMANTICS_CASES } from './cases.ts';
import { createCatalogue } from './catalogue.ts';
import { compileMatcher, createMatcher } from './matcher.ts';
import { parseQuery } from './parse.ts';

const catalogue = createCatalogue(CASE_FIELDS);
const collections = new Map(CASE_COLLECTIONS.map((name) => [name, makeCaseDocuments(name)]));

describe('the matcher finds what the semantics cases expect', () => {
  const matches = createMatcher(CASE_FIELDS);
  for (const { name, collection, query, expected } of SEMANTICS_CASES) {
    test(`${collection}: ${name}: ${query}`, () => {
      const node = parseQuery(query, catalogue);
      const documents = collections.get(collection) ?? [];
      const found = documents.filter((doc) => matches(node, doc)).map((doc) => doc.id);
      assert.deepEqual(
        found,
        documents.map((doc) => doc.id).filter((id) => expected.includes(id)),
      );
      assert.equal(found.length, expected.length);
      const compiled = compileMatcher(node, CASE_FIELDS);
      assert.deepEqual(
        documents.filter(compiled).map((doc) => doc.id),
        found,
      );
    });
  }
});
