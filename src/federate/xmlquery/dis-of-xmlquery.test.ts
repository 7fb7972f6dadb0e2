import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readXmlQuery } from '../../formats/xmlquery/read-xmlquery.ts';
import { writeXmlQuery } from '../../formats/xmlquery/write-xmlquery.ts';
import type { QueryNode } from '../../query/ast.ts';
import { parseDis } from '../../query/dis/parse-dis.ts';
import { queryOfXmlQuery, xmlQueryOf } from './dis-of-xmlquery.ts';

const EXPRESSIONS = [
  'IDENTIFIER = GO-J/JSA-SSI-2-REDR-V1.0:10I0012',
  'TARGET_NAME = IO AND EXPOSURE_DURATION > 60.0',
  'TARGET_NAME = IO AND NOT FILTER_NAME = RED',
  'a = " x <y> & \\"z\\" " OR b LIKE 1%',
  'a = 1 AND RETURN = LAT AND RETURN = LON AND FROM = server',
  'RETURN = LAT',
];

for (const expression of EXPRESSIONS) {
  test(`${expression} survives the way through XML`, () => {
    const { query, select, from } = parseDis(expression);
    const document = xmlQueryOf({ query, select, from }, { maxResults: 7 });
    const arrived = readXmlQuery(Buffer.from(writeXmlQuery(document)));
    assert.equal(arrived.expression, expression);
    assert.equal(arrived.maxResults, 7);
    assert.deepEqual(queryOfXmlQuery(arrived), { query, select, from });
  });
}

const ask = (inner: string) => queryOfXmlQuery(readXmlQuery(Buffer.from(`<query>${inner}</query>`)));
const token = (role: string, value: string) =>
  `<queryElement><tokenRole>${role}</tokenRole><tokenValue>${value}</tokenValue></queryElement>`;

test('a document with nothing but an expression is asked by it', () => {
  assert.deepEqual(ask('<queryKWQString>a = 1 AND RETURN = b</queryKWQString>'), {
    query: parseDis('a = 1').query,
    select: ['b'],
    from: [],
  });
  assert.deepEqual(ask('').query, { type: 'all' });
});

test('the parsed form counts, not the expression beside it', () => {
  const where = `<queryWhereSet>${token('elemName', 'a')}${token('LITERAL', '2')}${token('RELOP', 'EQ')}</queryWhereSet>`;
  assert.deepEqual(ask(`<queryKWQString>a = 1</queryKWQString>${where}`).query, parseDis('a = 2').query);
});

test('conditions in the select set, as an old manual has them, are conditions', () => {
  const select = `<querySelectSet>${token('LITERAL', '3')}${token('elemName', 'SeverityLevel')}${token('RELOP', 'EQ')}</querySelectSet>`;
  assert.deepEqual(ask(select), { query: parseDis('SeverityLevel = 3').query, select: [], from: [] });
});

test('a bad expression or list is an error, never everything', () => {
  assert.throws(() => ask('<queryKWQString>a = </queryKWQString>'), { code: 'query.syntax' });
  assert.throws(() => ask(`<queryWhereSet>${token('elemName', 'a')}</queryWhereSet>`), {
    code: 'query.syntax',
  });
});

test('ranges of the common query are written as comparisons', () => {
  const query: QueryNode = { type: 'range', field: 'a', from: { value: '1', inclusive: true } };
  assert.equal(xmlQueryOf({ query, select: [], from: [] }).expression, 'a >= 1');
  assert.equal(xmlQueryOf({ query: { type: 'all' }, select: [], from: [] }).expression, '');
});
