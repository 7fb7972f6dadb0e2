import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { OPERATOR } from '../../../core/access.ts';
import {
  CASE_COLLECTIONS,
  CASE_FIELDS,
  type CaseCollection,
  makeCaseDocuments,
} from '../../../query/case-documents.ts';
import { SEMANTICS_CASES } from '../../../query/cases.ts';
import { createCatalogue } from '../../../query/catalogue.ts';
import { parseQuery } from '../../../query/parse.ts';
import { IndexFixture } from './index-fixture.ts';

describe('the SQLite index finds what the semantics cases expect', () => {
  const catalogue = createCatalogue(CASE_FIELDS);
  const fixtures = new Map<CaseCollection, IndexFixture>();
  before(() => {
    for (const name of CASE_COLLECTIONS) {
      const fixture = new IndexFixture(CASE_FIELDS);
      fixture.commit(makeCaseDocuments(name));
      fixtures.set(name, fixture);
    }
  });
  after(() => {
    for (const fixture of fixtures.values()) fixture.close();
  });

  for (const { name, collection, query, expected } of SEMANTICS_CASES) {
    test(`${collection}: ${name}: ${query}`, async () => {
      const fixture = fixtures.get(collection);
      const node = parseQuery(query, catalogue);
      const answer = await fixture?.search.search({ query: node, limit: 1000 }, OPERATOR);
      assert.deepEqual(answer?.hits.map((hit) => hit.identifier).sort(), [...expected].sort());
      assert.equal(answer?.total, expected.length);
    });
  }
});
