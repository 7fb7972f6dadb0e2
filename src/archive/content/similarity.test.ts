import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { textSimilarity } from './similarity.ts';

const words = fc.array(fc.stringMatching(/^[a-z]{2,6}$/), { maxLength: 60 }).map((list) => list.join(' '));

test('similarity is symmetric, between 0 and 1, and 1 for a text and itself', () => {
  fc.assert(
    fc.property(words, words, (one, other) => {
      const similarity = textSimilarity(one, other);
      assert.equal(similarity, textSimilarity(other, one));
      assert.ok(similarity >= 0 && similarity <= 1);
      assert.equal(textSimilarity(one, one), 1);
    }),
  );
});

test('layout and case do not count, the order of words does', () => {
  assert.equal(textSimilarity('Sea  ice\nextent, today', 'sea ice extent today'), 1);
  assert.equal(textSimilarity('one two three four', 'four three two one'), 0);
});

test('a small change of a long text leaves it similar, a new text does not', () => {
  const long = Array.from({ length: 500 }, (_, i) => `word${i}`).join(' ');
  assert.ok(textSimilarity(long, `${long} visited 17 times`) > 0.98);
  assert.ok(textSimilarity(long, 'something else altogether is here now') < 0.01);
  assert.equal(textSimilarity('', 'a text'), 0);
});
