import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { hasPhrase } from '../../../query/phrase.ts';
import { WORD_GAP } from '../../../query/words.ts';
import type { WordQuery } from '../index/word-index.ts';
import { beginMerge } from './merge.ts';
import { SegmentStore } from './segment-store.ts';
import { type Lines, WordsFixture } from './words.fixture.ts';

const word = fc.constantFrom('ice', 'ices', 'icy', 'sea', 'level', 'x', 'été', '海', 'zebra');
const line = fc.array(word, { maxLength: 7 }).map((words) => words.join(' '));
const lines = fc.tuple(line, line, line);
const key = fc.integer({ min: 1, max: 40 });
const change = fc.record({
  put: fc.array(fc.tuple(key, lines), { maxLength: 6 }).map((entries) => new Map<number, Lines>(entries)),
  removed: fc.uniqueArray(key, { maxLength: 2 }),
  next: fc.constantFrom('go on', 'go on', 'go on', 'optimise', 'another process', 'roll back', 'look'),
});

const column = fc.constantFrom(undefined, 0, 1);
const quote = (text: string) => `"${text}"`;
const inColumn = (number: number | undefined, match: string) =>
  number === undefined ? match : `c${number} : (${match})`;

/** A question, how FTS5 is asked the same, and by how much its scores are larger. */
interface Question {
  readonly query: WordQuery;
  readonly match: string;
  readonly scale?: number;
}

const question = fc.oneof(
  fc.tuple(column, fc.uniqueArray(word, { minLength: 1, maxLength: 3 }), fc.boolean()).map(
    ([column, words, exact]): Question => ({
      // FTS5 counts a word twice that is named twice, which is the same but for the scale.
      query: { type: 'any', column, words, ...(exact && { exact: words[0]! }) },
      scale: exact ? 0.5 : 1,
      match: inColumn(column, [...(exact ? [words[0]!] : []), ...words].map(quote).join(' OR ')),
    }),
  ),
  fc.tuple(column, fc.constantFrom('i', 'ice', 'le', 'z', 'q')).map(
    ([column, prefix]): Question => ({
      query: { type: 'prefix', column, prefix },
      match: inColumn(column, `${quote(prefix)} *`),
    }),
  ),
  fc.tuple(column, fc.array(word, { minLength: 2, maxLength: 3 })).map(
    ([column, words]): Question => ({
      query: { type: 'phrase', column, steps: words.map((name) => ({ name, words: [name] })), slop: 0 },
      match: inColumn(column, quote(words.join(' '))),
    }),
  ),
);

function withWords(work: (fixture: WordsFixture) => void): void {
  const fixture = new WordsFixture();
  try {
    work(fixture);
  } finally {
    fixture.close();
  }
}

test('documents and scores are those of FTS5, whatever was changed, removed, merged and undone before', () => {
  fc.assert(
    fc.property(
      fc.array(change, { minLength: 1, maxLength: 24 }),
      fc.array(question, { minLength: 5, maxLength: 5 }),
      (changes, questions) =>
        withWords((fixture) => {
          for (const { put, removed, next } of changes) {
            const gone = removed.filter((key) => !put.has(key));
            if (next === 'roll back') {
              fixture.rollBack(put, gone);
              continue;
            }
            fixture.commit(put, gone);
            if (next === 'optimise') fixture.writer.optimise();
            if (next === 'another process') fixture.takeOver();
            if (next === 'look') fixture.reader.refresh();
          }
          const ask = fixture.createOracle();
          for (const { query, match, scale = 1 } of questions) {
            const expected = ask(match);
            const found = fixture.rank(query);
            assert.deepEqual([...found.keys()], [...expected.keys()], match);
            assert.deepEqual(fixture.keys(query), [...expected.keys()]);
            for (const [key, unscaled] of expected) {
              const score = unscaled * scale;
              assert.ok(
                Math.abs(found.get(key)! - score) <= 1e-7 + Math.abs(score) * 1e-5,
                `${match}: ${found.get(key)} and ${score}`,
              );
            }
          }
        }),
    ),
    { numRuns: 120 },
  );
});

test('phrases stand in order and inside one value, as in a plain list of words', () => {
  const value = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
  const values = fc.array(value, { maxLength: 3 }).map((list) => list.join(` ${WORD_GAP} `));
  const forms = ['ice', 'ices', 'icy'];
  fc.assert(
    fc.property(
      fc.array(fc.tuple(values, values, values), { minLength: 1, maxLength: 8 }),
      fc.array(word, { minLength: 2, maxLength: 3 }),
      fc.integer({ min: 0, max: 4 }),
      column,
      fc.boolean(),
      (documents, phrase, slop, column, stemmed) =>
        withWords((fixture) => {
          for (const [i, lines] of documents.entries()) fixture.commit(new Map([[i + 1, lines]]));
          const nameOf = (word: string) => (stemmed && forms.includes(word) ? 'ic' : word);
          const steps = phrase.map((word) => ({
            name: nameOf(word),
            words: stemmed && forms.includes(word) ? forms : [word],
          }));
          const expected = [...fixture.documents]
            .filter(([, lines]) =>
              lines.some(
                (line, i) =>
                  (column === undefined || column === i) &&
                  hasPhrase(line.split(' ').map(nameOf), phrase.map(nameOf), slop),
              ),
            )
            .map(([key]) => key);
          assert.deepEqual(fixture.keys({ type: 'phrase', column, steps, slop }), expected);
        }),
    ),
    { numRuns: 300 },
  );
});

describe('merging', () => {
  const lines = (text: string): Lines => [text, '', ''];
  const any = (...words: string[]): WordQuery => ({ type: 'any', column: undefined, words });

  test('keeps the number of segments low, and their bytes near what one segment takes', () =>
    withWords((fixture) => {
      for (let key = 1; key <= 1000; key++)
        fixture.commit(new Map([[key, lines(`all w${key} m${key % 10}`)]]));
      assert.ok(fixture.countSegments() < 40, `${fixture.countSegments()} segments`);
      assert.equal(fixture.keys(any('all')).length, 1000);
      assert.deepEqual(fixture.keys(any('w777')), [777]);
      assert.equal(fixture.keys(any('m3')).length, 100);
      const bytes = () =>
        Number(fixture.db.prepare('SELECT sum(length(data)) AS n FROM word_chunk').get()?.n);
      const before = bytes();
      fixture.writer.optimise();
      fixture.commit(new Map(), [1]);
      assert.equal(fixture.countSegments(), 2);
      assert.ok(before < bytes() * 3, `${before} and ${bytes()} bytes`);
    }));

  test('drops what was replaced and removed', () =>
    withWords((fixture) => {
      for (let round = 0; round < 30; round++) {
        fixture.commit(
          new Map([1, 2, 3].map((key) => [key, lines(`round${round} old`)])),
          round % 2 ? [4] : [],
        );
        fixture.commit(new Map([[4, lines('fourth')]]));
      }
      fixture.commit(new Map([[1, lines('new')]]), [2, 3]);
      fixture.writer.optimise();
      assert.deepEqual(fixture.keys(any('old')), []);
      assert.deepEqual(fixture.keys(any('new', 'fourth')), [1, 4]);
      const counts = fixture.index.documentCounts(['old', 'new', 'round3']);
      assert.deepEqual(
        ['old', 'new', 'round3'].map((word) => counts.get(word)),
        [0, 1, 0],
      );
    }));

  test('of large segments goes on commit by commit, whoever commits, and its chunks go away afterwards', () =>
    withWords((fixture) => {
      // About 150 KB each, so that eight of them are more than one commit merges.
      const text = (seed: number) =>
        Array.from({ length: 30_000 }, (_, i) => `t${((i * 7919 + seed) % 20_000).toString(36)}`).join(' ');
      const large = [0, 1, 2].map((seed) => lines(text(seed * 4000)));
      const merging = fixture.db.prepare('SELECT count(*) AS n FROM word_segment WHERE resume IS NOT NULL');
      let paused = 0;
      for (let key = 1; key <= 14; key++) {
        fixture.commit(new Map([[key, large[key % 3]!]]));
        paused += Number(merging.get()?.n);
        fixture.takeOver();
        fixture.commit(new Map([[100 + key, lines('small')]]));
        if (key % 3 === 0) fixture.commit(new Map([[key - 1, lines('changed')]]));
      }
      assert.ok(paused > 0, 'no merge took more than one commit');
      const check = () => {
        for (const word of ['t1', 'small', 'changed', 't9w']) {
          assert.deepEqual(fixture.keys(any(word)), fixture.keysWith(word), word);
        }
      };
      check();
      fixture.writer.optimise();
      for (let key = 200; key < 205; key++) fixture.commit(new Map([[key, lines('small')]]));
      check();
      const orphans = fixture.db
        .prepare(
          'SELECT count(*) AS n FROM word_chunk WHERE key / (4 * 524288) NOT IN (SELECT id FROM word_segment)',
        )
        .get();
      assert.equal(Number(orphans?.n), 0);
    }));
});

test('a reader that missed commits and merges sees what one that saw all of them sees', () =>
  withWords((fixture) => {
    for (let round = 0; round < 50; round++) {
      const key = ((round * 7) % 20) + 1;
      fixture.commit(new Map([[key, [`w${round}`, 'common', '']]]), round % 4 === 0 ? [(key % 20) + 1] : []);
      if (round === 10) fixture.reader.refresh();
      if (round === 40) fixture.writer.optimise();
    }
    const seen = fixture.keys({ type: 'any', column: undefined, words: ['common'] });
    fixture.reader.forget();
    assert.deepEqual(fixture.keys({ type: 'any', column: undefined, words: ['common'] }), seen);
    assert.deepEqual(
      seen,
      [...fixture.documents.keys()].sort((a, b) => a - b),
    );
  }));

test('hundreds of words are asked together, and weigh as one', () =>
  withWords((fixture) => {
    const words = Array.from({ length: 300 }, (_, i) => `n${i}`);
    fixture.commit(new Map(words.map((word, i) => [i + 1, [`${word} pad`, '', '']])));
    fixture.commit(new Map([[500, ['n1 n2 n3 pad', '', '']]]));
    const found = fixture.rank({ type: 'any', column: undefined, words: words.slice(0, 200) });
    assert.equal(found.size, 201);
    assert.ok(found.get(500)! > found.get(1)!);
  }));

test('optimising gives up a merge that is under way, and takes nothing of it for its own', () =>
  withWords((fixture) => {
    for (let key = 1; key <= 4; key++) fixture.commit(new Map([[key, ['ice', '', `sea ${key}`]]]));
    const store = new SegmentStore(fixture.db);
    beginMerge(store, store.list().slice(0, 3));
    assert.equal(store.listMerges().length, 1);
    fixture.writer.optimise();
    assert.equal(store.list().length, 1);
    const query: WordQuery = { type: 'any', column: undefined, words: ['ice'] };
    assert.deepEqual(fixture.keys(query), [1, 2, 3, 4]);
    assert.equal(store.listMerges().length, 0);
  }));
