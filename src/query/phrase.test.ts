import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { hasPhrase } from './phrase.ts';
import { WORD_GAP } from './words.ts';

/** Every choice of places in order, tried one by one. */
function slowHasPhrase(words: readonly string[], phrase: readonly string[], slop: number): boolean {
  const place = (at: number, next: number, first: number): boolean => {
    if (next === phrase.length) return at - first - phrase.length + 1 <= slop;
    for (let i = at + 1; i < words.length && words[i] !== WORD_GAP; i++) {
      if (words[i] === phrase[next] && place(i, next + 1, first)) return true;
    }
    return false;
  };
  return words.some((word, i) => word === phrase[0] && place(i, 1, i));
}

test('an empty phrase occurs nowhere', () => {
  assert.equal(hasPhrase(['a'], [], 0), false);
});

test('the same answer as trying all places', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c', WORD_GAP), { maxLength: 12 });
  const phrase = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(words, phrase, fc.nat(4), (line, wanted, slop) => {
      assert.equal(hasPhrase(line, wanted, slop), slowHasPhrase(line, wanted, slop));
    }),
    { numRuns: 2000 },
  );
});
