import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { joinWords } from './join-words.ts';
import { foldValue, placeWords, splitWords, stemWord, WORD_GAP } from './words.ts';

test('words are runs of letters, marks and digits, folded', () => {
  assert.deepEqual(splitWords("L'Œuvre: 12,5 % d’Été — ΣΊΣΥΦΟΣ"), [
    'l',
    'oeuvre',
    '12',
    '5',
    'd',
    'ete',
    'σισυφοσ',
  ]);
  assert.deepEqual(splitWords('e\u0301te\u0301 ﬁne ２００４'), ['ete', 'fine', '2004']);
});

test('scripts without spaces give a word per character, others beside them stay whole', () => {
  assert.deepEqual(splitWords('北極ice海'), ['北', '極', 'ice', '海']);
  assert.deepEqual(splitWords('빙하 코어'), ['빙하', '코어']);
  assert.deepEqual(splitWords('㌀'), ['ア', 'パ', 'ー', 'ト']);
});

test('very long words are cut, in both ways of splitting', () => {
  for (const text of ['x'.repeat(500), 'é'.repeat(500)]) {
    assert.deepEqual(
      splitWords(text).map((word) => word.length),
      [64],
    );
  }
});

test('values are kept apart by a gap, empty ones leave none', () => {
  assert.equal(joinWords(['Sea level', '—', 'Ice']), `sea level ${WORD_GAP} ice`);
  assert.equal(joinWords([]), '');
});

test('a line has the words of its texts, whatever their letters and lengths', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary-ascii', maxLength: 30 }),
    fc.string({ unit: 'grapheme', maxLength: 10 }),
    fc.constantFrom('Z'.repeat(70), `a ${'b1'.repeat(40)}`, `${'long text '.repeat(9000)}end`, '\x7f', ''),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
      const parts = texts.map((one) => splitWords(one).join(' ')).filter((words) => words !== '');
      assert.equal(joinWords(texts), parts.join(` ${WORD_GAP} `));
    }),
    { numRuns: 1000 },
  );
});

test('no word holds a space or the gap', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      for (const word of splitWords(text)) assert.doesNotMatch(word, /[\s\x7f]/);
    }),
    { numRuns: 2000 },
  );
});

/** Letters of many scripts, and forms that fold to other or to several characters. */
const letters = fc.string({
  unit: fc.constantFrom(
    ...'a É ß ﬁ ½ ⅐ ⑴ ㌀ ㊀ 海 ー か ก ำ 한 Ж σ ς ١ ２ ㎏ İ ꀀ \u0301 - 😀'.split(' '),
    ' ',
  ),
  maxLength: 12,
});

test('words and their places agree', () => {
  fc.assert(
    fc.property(letters, (text) => {
      const placed = [...placeWords(text)];
      assert.deepEqual(
        placed.map(({ word }) => word),
        splitWords(text),
      );
      for (const { word, start, end } of placed) assert.ok(splitWords(text.slice(start, end)).includes(word));
    }),
  );
});

test('folding a word again changes nothing', () => {
  fc.assert(
    fc.property(letters, (text) => {
      const words = splitWords(text);
      assert.deepEqual(words.flatMap(splitWords), words);
    }),
    { numRuns: 1000 },
  );
});

test('a whole value keeps its signs and loses case, accents and extra space', () => {
  assert.equal(foldValue('  Zürich,\n  CH '), 'zurich, ch');
});

test('only plain English letters are stemmed', () => {
  assert.equal(stemWord('levels'), 'level');
  assert.equal(stemWord('is'), 'is');
  assert.equal(stemWord('co2s'), 'co2s');
  assert.equal(stemWord('海'), '海');
});
