import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ANONYMOUS, OPERATOR } from '../../../core/access.ts';
import { attributeField } from '../../../core/attributes.ts';
import {
  ATTRIBUTE_CASE_FIELDS,
  ATTRIBUTE_CASES,
  makeAttributeDocuments,
} from '../../../query/attribute-cases.ts';
import { parseDis } from '../../../query/dis/parse-dis.ts';
import { fixtureDocument, IndexFixture } from './index-fixture.ts';

describe('the SQLite index compares attributes as the cases expect', () => {
  let fixture: IndexFixture;
  before(() => {
    fixture = new IndexFixture(ATTRIBUTE_CASE_FIELDS);
    fixture.commit(makeAttributeDocuments());
  });
  after(() => fixture.close());
  for (const [name, dis, ...expected] of ATTRIBUTE_CASES) {
    test(`${name}: ${dis}`, async () => {
      const { hits } = await fixture.search.search({ query: parseDis(dis).query, limit: 100 }, OPERATOR);
      assert.deepEqual(hits.map(({ identifier }) => identifier).sort(), expected.toSorted());
    });
  }
});

describe('attributes that nobody declared', () => {
  let fixture: IndexFixture;
  before(() => {
    fixture = new IndexFixture([]);
  });
  after(() => fixture.close());
  const field = attributeField('TARGET_NAME', 'text');
  const find = async (name: string, search = fixture.search) =>
    (await search.search({ query: parseDis(`TARGET_NAME = ${name}`).query, limit: 10 }, ANONYMOUS)).total;

  test('are found by readers that were open before they came', async () => {
    assert.equal(await find('IO'), 0);
    fixture.commit([fixtureDocument('1', { fields: { [field]: ['IO'] } })]);
    assert.equal(await find('IO'), 1);
  });

  test('are registered again when the commit that brought them was undone', async () => {
    const other = attributeField('FILTER_NAME', 'text');
    fixture.db.exec('BEGIN IMMEDIATE');
    fixture.apply([fixtureDocument('2', { fields: { [other]: ['RED'] } })]);
    fixture.db.exec('ROLLBACK');
    fixture.writer.reset();
    fixture.commit([fixtureDocument('3', { fields: { [attributeField('ORBIT', 'number')]: [3] } })]);
    fixture.commit([fixtureDocument('4', { fields: { [other]: ['RED'] } })]);
    const count = async (dis: string) =>
      (await fixture.search.search({ query: parseDis(dis).query, limit: 10 }, ANONYMOUS)).total;
    assert.equal(await count('FILTER_NAME = RED'), 1);
    assert.equal(await count('ORBIT = 3'), 1);
  });

  test('numbers are counted in steps where a width is given', async () => {
    const exposure = attributeField('EXPOSURE', 'number');
    fixture.commit(
      [-1, 0, 3.9, 4, 7].map((number, i) => fixtureDocument(`e${i}`, { fields: { [exposure]: [number] } })),
    );
    const { facets } = await fixture.search.search(
      { query: { type: 'all' }, limit: 0, facets: [{ field: exposure, limit: 10, width: 4 }] },
      ANONYMOUS,
    );
    assert.deepEqual(facets[exposure], [
      { value: '0', count: 2 },
      { value: '4', count: 2 },
      { value: '-4', count: 1 },
    ]);
  });

  test('are counted as facets', async () => {
    fixture.commit([fixtureDocument('5', { fields: { [field]: ['io', 'EUROPA'] } })]);
    const { facets } = await fixture.search.search(
      { query: { type: 'all' }, limit: 0, facets: [{ field, limit: 5 }] },
      ANONYMOUS,
    );
    assert.deepEqual(facets[field], [
      { value: 'IO', count: 2 },
      { value: 'EUROPA', count: 1 },
    ]);
  });
});
