import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GarnerError } from '../core/errors.ts';
import { COMPARE_OPERATORS, type QueryNode } from './ast.ts';
import { parseDis } from './dis/parse-dis.ts';
import { fromPostfix, type PostfixToken, toPostfix } from './postfix.ts';

const text = (tokens: readonly PostfixToken[]): string => tokens.map(({ value }) => value).join(' ');

/** `a 1 EQ`: names are letters, relations and connectors upper-case words. */
function tokens(written: string): PostfixToken[] {
  return written
    .split(' ')
    .filter((word) => word !== '')
    .map((value): PostfixToken => {
      if (/^(?:AND|OR|NOT|XOR)$/i.test(value)) return { role: 'LOGOP', value };
      if (/^(?:EQ|NE|LT|LE|GT|GE|LIKE|NOTLIKE|IS|ISNOT|IN)$/i.test(value)) return { role: 'RELOP', value };
      return { role: /^[a-z]/.test(value) ? 'elemName' : 'LITERAL', value };
    });
}

const WRITTEN: readonly (readonly [dis: string, postfix: string])[] = [
  ['a = 1 | b = 2 & c = 3', 'a 1 EQ b 2 EQ c 3 EQ AND OR'],
  ['NOT a = 1', 'a 1 EQ NOT'],
  ['a=1 AND b=2 AND c=3', 'a 1 EQ b 2 EQ AND c 3 EQ AND'],
  ['(a=1 OR b=2) AND NOT (c=3 OR c>4)', 'a 1 EQ b 2 EQ OR c 3 EQ c 4 GT OR NOT AND'],
  ['a != 1 OR a < 2 OR a <= 3 OR a >= 4', 'a 1 NE a 2 LT OR a 3 LE OR a 4 GE OR'],
  ['a LIKE 1% AND b NOTLIKE 2_', 'a 1% LIKE b 2_ NOTLIKE AND'],
  ['a ISNOT NULL', 'a NULL ISNOT'],
  ['a = "NULL"', 'a NULL EQ'],
  ['RETURN = x', ''],
];

for (const [dis, postfix] of WRITTEN) {
  test(`${dis} travels as ${postfix || 'nothing'}`, () => {
    const { query } = parseDis(dis);
    assert.equal(text(toPostfix(query)), postfix);
    assert.deepEqual(fromPostfix(tokens(postfix)), query);
  });
}

test('words of old clients are understood in any case, and the value first where that is clear', () => {
  assert.deepEqual(fromPostfix(tokens('a 1 eq b 2 ISNOT And')), parseDis('a = 1 AND b != 2').query);
  assert.deepEqual(fromPostfix(tokens('a NULL IS')), parseDis('a IS NULL').query);
  assert.deepEqual(fromPostfix(tokens('3 a EQ')), parseDis('a = 3').query);
});

test('other comparisons of the common query travel as well', () => {
  const cases: readonly (readonly [QueryNode, string])[] = [
    [{ type: 'value', field: 'a', value: 'X y' }, 'a X y EQ'],
    [{ type: 'exists', field: 'a' }, 'a NULL ISNOT'],
    [
      {
        type: 'range',
        field: 'a',
        from: { value: '1', inclusive: false },
        to: { value: '2', inclusive: true },
      },
      'a 1 GT a 2 LE AND',
    ],
    [{ type: 'range', field: 'a', to: { value: '2', inclusive: false } }, 'a 2 LT'],
    [{ type: 'boost', factor: 2, of: { type: 'exists', field: 'a' } }, 'a NULL ISNOT'],
  ];
  for (const [query, postfix] of cases) assert.equal(text(toPostfix(query)), postfix);
});

test('what comparisons cannot say is refused', () => {
  for (const query of [
    { type: 'term', text: 'ice' },
    { type: 'and', of: [] },
    { type: 'not', of: { type: 'all' } },
  ] as const satisfies QueryNode[])
    assert.throws(() => toPostfix(query), { code: 'query.unsupported' });
});

const FAULTS: readonly (readonly [postfix: string, token: number, expected: RegExp])[] = [
  ['a', 1, /relation/],
  ['a 1', 2, /AND or OR/],
  ['a 1 EQ b 2 EQ', 6, /AND or OR/],
  ['1 EQ', 1, /name of an attribute/],
  ['a b EQ', 2, /name of an attribute/],
  ['3 a GT', 2, /name of an attribute/],
  ['a 1 IN', 2, /one of EQ/],
  ['a 1 EQ AND', 3, /two conditions/],
  ['NOT', 0, /condition/],
  ['a NOT', 1, /condition/],
  ['a 1 EQ b 2 EQ XOR', 6, /AND, OR or NOT/],
];

for (const [postfix, token, expected] of FAULTS) {
  test(`"${postfix}" is refused at token ${token + 1}`, () => {
    assert.throws(
      () => fromPostfix(tokens(postfix)),
      (error: unknown) => {
        assert.ok(error instanceof GarnerError);
        assert.equal(error.code, 'query.syntax');
        assert.equal(error.details.token, token);
        assert.match(String(error.details.expected), expected);
        return true;
      },
    );
  });
}

test('nesting without end is refused; a long chain is not', () => {
  assert.throws(() => fromPostfix(tokens(`a 1 EQ ${'NOT '.repeat(5000)}`)), { code: 'query.syntax' });
  const chain = fromPostfix(tokens(`a 1 EQ ${'a 1 EQ AND '.repeat(5000)}`));
  assert.equal(chain.type === 'and' && chain.of.length, 5001);
});

const node: fc.Arbitrary<QueryNode> = fc.letrec<{ node: QueryNode }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    fc.tuple(fc.string(), fc.constantFrom(...COMPARE_OPERATORS), fc.string()).map(
      ([field, operator, value]): QueryNode => ({
        type: 'compare',
        field,
        operator,
        value: operator === 'EXISTS' ? '' : value,
      }),
    ),
    fc
      .tuple(
        fc.constantFrom('and' as const, 'or' as const),
        fc.array(tie('node'), { minLength: 2, maxLength: 3 }),
      )
      .map(([type, of]): QueryNode => ({ type, of })),
    tie('node').map((of): QueryNode => ({ type: 'not', of })),
  ),
})).node;

function flatten(query: QueryNode): QueryNode {
  if (query.type === 'not') return { type: 'not', of: flatten(query.of) };
  if (query.type !== 'and' && query.type !== 'or') return query;
  const { type } = query;
  return { type, of: query.of.map(flatten).flatMap((child) => (child.type === type ? child.of : [child])) };
}

test('reading what was written gives the same query, with chains flattened', () => {
  fc.assert(fc.property(node, (query) => assert.deepEqual(fromPostfix(toPostfix(query)), flatten(query))));
});
