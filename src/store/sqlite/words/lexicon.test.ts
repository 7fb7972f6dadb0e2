import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { WORD_GAP } from '../../../query/words.ts';
import { GAP_ID, Lexicon } from './lexicon.ts';
import { compareBytes, encodeWord } from './word-bytes.ts';

const word = fc.oneof(
  fc.constantFrom('a', 'ab', 'abc', 'b', 'é', 'été', '海', '𝒜', WORD_GAP, 'zz'),
  fc.stringMatching(/^[a-z0-9]{1,12}$/),
);

function read(lexicon: Lexicon, line: string): number[] {
  const ids: number[] = [];
  lexicon.readLine(line, (id) => ids.push(id));
  return ids;
}

test('a line gives the same ids for the same words, and the words back', () => {
  fc.assert(
    fc.property(fc.array(fc.array(word, { maxLength: 30 }), { maxLength: 8 }), (lines) => {
      const lexicon = new Lexicon();
      const known = new Map<string, number>();
      for (const words of lines) {
        const ids = read(lexicon, words.join(' '));
        assert.deepEqual(
          ids.map((id) => lexicon.wordOf(id)),
          words,
        );
        for (const [i, word] of words.entries()) {
          assert.equal(ids[i], known.get(word) ?? ids[i]);
          known.set(word, ids[i]!);
        }
      }
      assert.equal(new Set(known.values()).size, known.size);
    }),
  );
});

test('the order is that of bytes, however words are added', () => {
  fc.assert(
    fc.property(fc.array(fc.array(word, { maxLength: 20 }), { maxLength: 6 }), (lines) => {
      const lexicon = new Lexicon();
      for (const words of lines) {
        read(lexicon, words.join(' '));
        const ordered = [...lexicon.settleOrder()].map((id) => encodeWord(lexicon.wordOf(id)));
        assert.equal(ordered.length, lexicon.size);
        for (let i = 1; i < ordered.length; i++) {
          const [a, b] = [ordered[i - 1]!, ordered[i]!];
          assert.ok(compareBytes(a, 0, a.length, b, 0, b.length) < 0);
        }
      }
    }),
  );
});

test('tens of thousands of words stay apart, and all are forgotten at once', () => {
  const lexicon = new Lexicon();
  const words = Array.from({ length: 30_000 }, (_, i) => `w${i.toString(36)}`);
  const ids = read(lexicon, words.join(' '));
  assert.equal(new Set(ids).size, words.length);
  assert.deepEqual(read(lexicon, words.join(' ')), ids);
  lexicon.clear();
  assert.deepEqual(read(lexicon, `${WORD_GAP} new`), [GAP_ID, 1]);
  assert.deepEqual([...lexicon.settleOrder()], [1, GAP_ID]);
});
