import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { GarnerError } from '../../core/errors.ts';
import { COMPARE_OPERATORS, type CompareNode, type CompareOperator, type QueryNode } from '../ast.ts';
import { checkDisNames, parseDis } from './parse-dis.ts';
import { writeDis } from './write-dis.ts';

const compare = (field: string, operator: CompareOperator, value: string): CompareNode => ({
  type: 'compare',
  field,
  operator,
  value,
});
const a = compare('a', '=', '1');
const b = compare('b', '=', '2');
const c = compare('c', '=', '3');

const PARSED: readonly (readonly [dis: string, query: QueryNode])[] = [
  [
    'IDENTIFIER=GO-J/JSA-SSI-2-REDR-V1.0:10I0012',
    compare('IDENTIFIER', '=', 'GO-J/JSA-SSI-2-REDR-V1.0:10I0012'),
  ],
  [
    'TARGET_NAME=IO AND EXPOSURE_DURATION > 60.0',
    { type: 'and', of: [compare('TARGET_NAME', '=', 'IO'), compare('EXPOSURE_DURATION', '>', '60.0')] },
  ],
  [
    'TARGET_NAME=IO AND NOT FILTER_NAME=RED',
    {
      type: 'and',
      of: [compare('TARGET_NAME', '=', 'IO'), { type: 'not', of: compare('FILTER_NAME', '=', 'RED') }],
    },
  ],
  ['a = 1 | b = 2 & c = 3', { type: 'or', of: [a, { type: 'and', of: [b, c] }] }],
  ['a EQ 1 or b eq 2 AND c Eq 3', { type: 'or', of: [a, { type: 'and', of: [b, c] }] }],
  ['a=1 && b=2 && c=3', { type: 'and', of: [a, b, c] }],
  ['a=1 || b=2', { type: 'or', of: [a, b] }],
  ['(a=1|b=2)&c=3', { type: 'and', of: [{ type: 'or', of: [a, b] }, c] }],
  ['NOT a=1 AND b=2', { type: 'and', of: [{ type: 'not', of: a }, b] }],
  ['!!a=1', { type: 'not', of: { type: 'not', of: a } }],
  ['NOT (a=1 OR b=2)', { type: 'not', of: { type: 'or', of: [a, b] } }],
  ['x NE 1', compare('x', '!=', '1')],
  ['x <> 1', compare('x', '!=', '1')],
  ['x LT -1.5e+3', compare('x', '<', '-1.5e+3')],
  ['x<=1', compare('x', '<=', '1')],
  ['x GE 1', compare('x', '>=', '1')],
  ['x == 1', compare('x', '=', '1')],
  ['x LIKE %y_', compare('x', 'LIKE', '%y_')],
  ['x NOTLIKE y', compare('x', 'NOTLIKE', 'y')],
  ['x NOT LIKE y', compare('x', 'NOTLIKE', 'y')],
  ['x IS y', compare('x', '=', 'y')],
  ['x ISNOT y', compare('x', '!=', 'y')],
  ['x IS NULL', { type: 'not', of: compare('x', 'EXISTS', '') }],
  ['x IS NOT null', compare('x', 'EXISTS', '')],
  ['x IS "NULL"', compare('x', '=', 'NULL')],
  [`x = "a \\"b\\" \\\\ c"`, compare('x', '=', 'a "b" \\ c')],
  [`x = 'it\\'s'`, compare('x', '=', "it's")],
  [`"an odd (name)" = ''`, compare('an odd (name)', '=', '')],
  ['名前 = 木星', compare('名前', '=', '木星')],
  ['x[1]#y = a', compare('x[1]#y', '=', 'a')],
  ['x = LIKE', compare('x', '=', 'LIKE')],
];

describe('DIS expressions', () => {
  for (const [dis, query] of PARSED)
    test(dis, () => {
      assert.deepEqual(parseDis(dis).query, query);
    });

  test('RETURN and FROM are no conditions', () => {
    const { query, select, from, names } = parseDis('a = 1 AND RETURN = LAT AND return = LON and FROM = srv');
    assert.deepEqual({ query, select, from }, { query: a, select: ['LAT', 'LON'], from: ['srv'] });
    assert.deepEqual(names, [{ name: 'a', position: 0 }]);
    assert.deepEqual(parseDis('RETURN = x').query, { type: 'all' });
    assert.deepEqual(parseDis('"RETURN" = x').query, compare('RETURN', '=', 'x'));
  });
});

const FAULTS: readonly (readonly [dis: string, position: number, expected: RegExp])[] = [
  ['', 0, /name of an attribute/],
  ['   ', 3, /name of an attribute/],
  ['a', 1, /relation/],
  ['a b', 2, /relation/],
  ['a =', 3, /value/],
  ['a = AND', 4, /value/],
  ['a = 1 b = 2', 6, /AND, OR or the end/],
  ['a = Sea ice', 8, /blanks needs quotes/],
  ['a = 1 AND', 9, /name of an attribute/],
  ['(a = 1', 6, /closing parenthesis/],
  ['a = 1)', 5, /AND, OR or the end/],
  ['a = "open', 4, /closing "/],
  ['a = 1 ; b = 2', 6, /in quotes/],
  ['a = 1 OR RETURN = b', 9, /between ANDs/],
  ['NOT RETURN = b', 4, /between ANDs/],
  ['a > > 1', 4, /value/],
  ['NOT', 3, /name of an attribute/],
  ['AND a = 1', 0, /name of an attribute/],
];

describe('a bad expression is told with its place', () => {
  for (const [dis, position, expected] of FAULTS)
    test(JSON.stringify(dis), () => {
      assert.throws(
        () => parseDis(dis),
        (error: unknown) => {
          assert.ok(error instanceof GarnerError);
          assert.equal(error.code, 'query.syntax');
          assert.equal(error.details.position, position);
          assert.match(String(error.details.expected), expected);
          return true;
        },
      );
    });

  test('deep nesting is refused, not a crash', () => {
    assert.throws(() => parseDis(`${'('.repeat(50_000)}a=1`), { code: 'query.too-broad' });
    assert.throws(() => parseDis(`${'NOT '.repeat(50_000)}a=1`), { code: 'query.too-broad' });
  });

  test('a name that nobody knows is told with the nearest', () => {
    const dis = 'TARGET_NAME = IO AND TARGT_NAME = x';
    const { names } = parseDis(dis);
    assert.throws(
      () => checkDisNames(dis, names, ['target_name', 'FILTER_NAME']),
      (error: unknown) => {
        assert.ok(error instanceof GarnerError);
        assert.equal(error.code, 'query.unknown-field');
        assert.equal(error.details.position, 21);
        assert.deepEqual(error.details.nearest, ['target_name']);
        return true;
      },
    );
  });
});

const word = fc.oneof(
  fc.constantFrom(
    'AND',
    'or',
    'Not',
    'RETURN',
    'FROM',
    'NULL',
    'LIKE',
    'TARGET_NAME',
    '1.5',
    'a b',
    '"',
    '\\',
    "it's",
    '木星',
    '%',
  ),
  fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' }),
);
const name = word.filter((text) => text.trim() !== '');
const node: fc.Arbitrary<QueryNode> = fc.letrec<{ node: QueryNode }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .tuple(name, fc.constantFrom(...COMPARE_OPERATORS), word)
      .map(([field, operator, value]) => compare(field, operator, operator === 'EXISTS' ? '' : value)),
    fc
      .tuple(
        fc.constantFrom('and' as const, 'or' as const),
        fc.array(tie('node'), { minLength: 2, maxLength: 3 }),
      )
      .map(([type, of]) => ({ type, of })),
    tie('node').map((of): QueryNode => ({ type: 'not', of })),
  ),
})).node;

test('reading what was written gives the same query', () => {
  fc.assert(
    fc.property(node, fc.array(name, { maxLength: 2 }), (query, select) => {
      const parsed = parseDis(writeDis(query, { select }));
      assert.deepEqual(parsed.query, query);
      assert.deepEqual(parsed.select, select);
    }),
    { numRuns: 1000 },
  );
});

test('what DIS cannot say is refused', () => {
  assert.throws(() => writeDis({ type: 'term', text: 'ice' }), { code: 'query.unsupported' });
});

test('no text makes the parser fail otherwise than by an error with a place', () => {
  const pieces = fc.array(
    fc.constantFrom(...'a b = < > ! & | ( ) " \' \\ AND OR NOT IS NULL LIKE RETURN 1 ;'.split(' ')),
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = parts.join(' ');
      try {
        parseDis(text);
      } catch (error) {
        assert.ok(error instanceof GarnerError);
        const { position } = error.details;
        assert.ok(typeof position === 'number' && position >= 0 && position <= text.length);
      }
    }),
  );
});
