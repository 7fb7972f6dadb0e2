import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLayoutMistake, fitsLayout } from './layout.ts';

const CASES: readonly (readonly [layout: string, fits: readonly string[], others: readonly string[]])[] = [
  [
    'YYYY-MM-DDThh:mm:ss',
    ['1996-06-27T06:29:01'],
    ['1996-06-27', '1996-06-27T06:29:01Z', 'YYYY-MM-DDThh:mm:ss'],
  ],
  ['A(2)N(3)', ['ab123', 'Öé999'], ['a123', 'abc12', 'ab1234']],
  ['A(1..3)-9', ['a-1', 'abc-9'], ['-1', 'abcd-1', 'a-']],
  ["'A'N", ['A7'], ['B7', 'AA']],
  ["'it''s'X", ["it's!"], ["it''s!"]],
  ['N.N*', ['1.2*'], ['1x2*', '1.2']],
  ['\\N', ['\\1'], ['1', '\\N']],
  ['XX', ['a b'.slice(0, 2), '😀😀'], ['a']],
];

for (const [layout, fits, others] of CASES) {
  test(`the layout ${layout} takes ${fits.join(', ')} and not ${others.join(', ')}`, () => {
    assert.equal(findLayoutMistake(layout), undefined);
    for (const value of fits) assert.ok(fitsLayout(layout, value), value);
    for (const value of others) assert.ok(!fitsLayout(layout, value), value);
  });
}

test('layouts that cannot be, or would be slow to test, are told', () => {
  assert.equal(findLayoutMistake("A'x"), 'a quote is not closed');
  assert.equal(findLayoutMistake('A(3..2)'), 'cannot repeat A(3..2)');
  assert.equal(findLayoutMistake('X(1..999)'), 'cannot repeat X(1..999)');
  assert.equal(findLayoutMistake('X(1..9)X(1..9)X(1..9)'), 'at most 2 pieces may have a varying length');
});
