import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type Attribute,
  attributeFields,
  readAttributeFields,
  readAttributeRange,
  readAttributeValue,
} from '../core/attributes.ts';
import { COMPARE_OPERATORS, type CompareNode } from './ast.ts';
import { ATTRIBUTE_CASE_FIELDS, ATTRIBUTE_CASES, makeAttributeDocuments } from './attribute-cases.ts';
import { compileComparison, matchesAttribute } from './compare.ts';
import { parseDis } from './dis/parse-dis.ts';
import { compileMatcher } from './matcher.ts';

describe('the matcher compares attributes as the cases expect', () => {
  const documents = makeAttributeDocuments();
  for (const [name, dis, ...expected] of ATTRIBUTE_CASES) {
    test(`${name}: ${dis}`, () => {
      const matches = compileMatcher(parseDis(dis).query, ATTRIBUTE_CASE_FIELDS);
      assert.deepEqual(
        documents.filter(matches).map(({ id }) => id),
        expected,
      );
    });
  }
});

const written = fc.constantFrom(
  'IO',
  'io',
  'Io b',
  'GANYMEDE',
  '5',
  '5.0',
  '-3',
  '62.5',
  '2004',
  '2004-06',
  '2004-06-15',
  '2004-06-15T12:00:00Z',
  'UNK',
  'a%b',
  '0131',
);
const kind = fc.constantFrom('text' as const, 'number' as const, 'date' as const, undefined);
const attribute: fc.Arbitrary<Attribute> = fc.oneof(
  fc.array(fc.tuple(written, kind), { maxLength: 3 }).map((values) => ({
    name: 'X',
    values: values.map(([text, declared]) => readAttributeValue(text, declared)),
  })),
  fc.tuple(fc.integer({ min: -5, max: 5 }), fc.nat(60)).map(([min, more]) => {
    const range = readAttributeRange(String(min), String(min + more));
    return { name: 'X', values: [], ...(range && { range }) };
  }),
  fc.constantFrom(['2003', '2004-06'], ['2004-06-15', '2005']).map(([min = '', max = '']) => {
    const range = readAttributeRange(min, max, 'date');
    return { name: 'X', values: [], ...(range && { range }) };
  }),
);
const comparison: fc.Arbitrary<CompareNode> = fc
  .tuple(fc.constantFrom(...COMPARE_OPERATORS), fc.oneof(written, fc.constantFrom('%', 'I_', '%e', '_')))
  .map(([operator, value]) => ({ type: 'compare', field: 'x', operator, value }));

test('a comparison with an attribute and the same one put to the index agree', () => {
  fc.assert(
    fc.property(attribute, comparison, (given, node) => {
      const document = {
        fields: attributeFields([given]),
        words: {},
        source: '',
        id: '',
        sets: [],
        views: [],
        schema: '',
        updatedAt: 0,
      };
      assert.equal(
        compileMatcher(node, [])(document),
        matchesAttribute(compileComparison(node.operator, node.value), given),
      );
    }),
    { numRuns: 2000 },
  );
});

test('attributes come back out of the fields that they became', () => {
  fc.assert(
    fc.property(attribute, comparison, (given, { operator, value }) => {
      const back = readAttributeFields(attributeFields([given])).get('x');
      assert.ok(back);
      const compiled = compileComparison(operator, value);
      assert.equal(matchesAttribute(compiled, back), matchesAttribute(compiled, given));
    }),
  );
});
