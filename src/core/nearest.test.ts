import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { editDistance } from './edit-distance.ts';
import { nearestNames } from './nearest.ts';

test('a mistyped name finds the meant one first', () => {
  const known = ['host', 'port', 'description', 'date'];
  assert.equal(nearestNames('hots', known)[0], 'host');
  assert.equal(nearestNames('PORT', known)[0], 'port');
  assert.deepEqual(nearestNames('desc', known, 1), ['description']);
  assert.deepEqual(nearestNames('zzzzzz', known), []);
});

/** The textbook recursion, with swaps of neighbours. */
function slowDistance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const choices = [
    slowDistance(a.slice(1), b) + 1,
    slowDistance(a, b.slice(1)) + 1,
    slowDistance(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1),
  ];
  if (a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0])
    choices.push(slowDistance(a.slice(2), b.slice(2)) + 1);
  return Math.min(...choices);
}

test('the edit distance is that of the textbook, up to its limit', () => {
  const words = fc.stringMatching(/^[abc]{0,5}$/);
  fc.assert(
    fc.property(words, words, fc.integer({ min: 0, max: 5 }), (a, b, limit) => {
      assert.equal(editDistance(a, b, limit), Math.min(slowDistance(a, b), limit + 1));
    }),
  );
});
