import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalKey } from '../fusion/canonical.ts';
import { tellingWords } from '../words/word-counts.ts';
import { type AssessedList, assess } from './assess.ts';
import { chooseCutOff, type MarkedScore, precisionRecall, rateDepths, suggestDepth } from './curve.ts';
import { type Judgement, type Mark, openTopicMarks } from './marks.ts';
import { scoreCandidates } from './score.ts';
import { compareTexts } from './similarity.ts';

const words = (text: string) => tellingWords([text], 100);

test('texts of one subject are more alike than texts of two, and say by which words', () => {
  const similar = compareTexts(
    new Map([
      ['a', words('Cloud cover of the satellites: cloud optical depth, cloud top pressure')],
      ['b', words('Satellite clouds and their optical depth')],
      ['c', words('How to grow tomatoes in a small garden')],
    ]),
  );
  const near = similar.to(['a'])('b');
  const far = similar.to(['a'])('c');
  assert.ok(near && far && near.cosine > 0.3 && far.cosine < 0.05, `${near?.cosine} ${far?.cosine}`);
  assert.ok(near.because.some(({ word }) => word === 'cloud'));
});

test('a text is never held against itself', () => {
  const similar = compareTexts(
    new Map([
      ['a', words('clouds')],
      ['b', words('tomatoes')],
    ]),
  );
  assert.equal(similar.to(['a'])('a'), undefined);
  assert.equal(similar.to(['a', 'b'])('a')?.cosine, 0);
});

test('similarity lies between 0 and 1 and is the same both ways', () => {
  const text = fc.array(fc.constantFrom('cloud', 'ice', 'ocean', 'data', 'rain'), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      const similar = compareTexts(new Map([a, b, c].map((list, i) => [`${i}`, words(list.join(' '))])));
      const there = similar.to(['0'])('1')?.cosine ?? Number.NaN;
      const back = similar.to(['1'])('0')?.cosine ?? Number.NaN;
      assert.ok(there >= 0 && there <= 1);
      assert.ok(Math.abs(there - back) < 1e-9);
    }),
  );
});

const TOPIC = { acronym: 'ISCCP', title: 'International Satellite Cloud Climatology Project' };
const candidate = (url: string, more: object = {}) => ({
  key: canonicalKey(url),
  url,
  position: 1,
  weight: 0,
  ranks: {},
  ...more,
});
const NO_MARKS = { marks: new Map(), texts: new Map(), mostWeight: 75, engines: 3 };

test('the parts of a score say what they are by: title, links, agreement, and text once there is an example', () => {
  const home = candidate('https://isccp.giss.nasa.gov/', {
    title: 'ISCCP Home Page',
    weight: 50,
    ranks: { north: 1, south: 1 },
    linkedFrom: ['other.example/a', 'bad.example'],
    words: words('satellite cloud climatology data'),
  });
  const other = candidate('https://other.example/a', {
    title: 'Cloud climatology',
    weight: 25,
    ranks: { west: 1 },
    words: words('satellite cloud data'),
  });
  const scores = scoreCandidates([home, other], { ...TOPIC, ...NO_MARKS });
  const parts = scores.get(home.key)?.parts ?? [];
  assert.deepEqual(
    parts.map(({ name, value }) => [name, Number(value.toFixed(2))]),
    [
      ['title', 1],
      ['links', 0.75],
      ['agreement', 0.67],
    ],
  );
  assert.match(parts[0]?.reason ?? '', /the acronym ISCCP stands in its title/);
  assert.match(parts[1]?.reason ?? '', /2 other candidates link to it, such as https:\/\/other\.example\/a/);
  assert.match(parts[2]?.reason ?? '', /2 of 3 engines gave it \(north at 1, south at 1\), 67 %/);
  // Two of the five words: cloud and climatology.
  assert.equal(scores.get(other.key)?.parts[0]?.value, 0.4);

  const marked = scoreCandidates([home, other], {
    ...TOPIC,
    ...NO_MARKS,
    marks: new Map([
      [home.key, { mark: 'good' as const }],
      ['bad.example', { mark: 'bad' as const }],
    ]),
  });
  assert.equal(
    marked
      .get(other.key)
      ?.parts.find(({ name }) => name === 'text')
      ?.reason.includes('cloud'),
    true,
  );
  // The only good example has none to be compared with, and links of bad ones do not count.
  assert.deepEqual(
    marked.get(home.key)?.parts.map(({ name, value }) => [name, Number(value.toFixed(2))]),
    [
      ['title', 1],
      ['links', 0.5],
      ['agreement', 0.67],
    ],
  );
});

test('the curve of a small example has its precision, recall and cut-off', () => {
  const marked: MarkedScore[] = [
    { score: 0.9, good: true },
    { score: 0.8, good: true },
    { score: 0.6, good: false },
    { score: 0.5, good: true },
    { score: 0.1, good: false },
  ];
  const curve = precisionRecall(marked);
  assert.deepEqual(
    curve.map(({ threshold, precision, recall }) => [
      threshold,
      Number(precision.toFixed(2)),
      Number(recall.toFixed(2)),
    ]),
    [
      [0.9, 1, 0.33],
      [0.8, 1, 0.67],
      [0.6, 0.67, 0.67],
      [0.5, 0.75, 1],
      [0.1, 0.6, 1],
    ],
  );
  // F1: 0.5, 0.8, 0.67, 0.857, 0.75; the line is drawn between 0.5 and 0.1.
  assert.equal(chooseCutOff(curve)?.point.threshold, 0.5);
  assert.equal(chooseCutOff(curve)?.threshold, 0.3);
});

test('of two cut-offs that are equally good the lower one takes more', () => {
  const curve = precisionRecall([
    { score: 0.9, good: true },
    { score: 0.8, good: false },
    { score: 0.7, good: false },
    { score: 0.6, good: true },
  ]);
  assert.equal(curve[0]?.f1, curve[3]?.f1);
  assert.equal(chooseCutOff(curve)?.threshold, 0.6);
});

test('the curve is what counting above each threshold gives, and recall never falls', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ score: fc.integer({ min: 0, max: 10 }).map((n) => n / 10), good: fc.boolean() }), {
        minLength: 1,
      }),
      (marked) => {
        const curve = precisionRecall(marked);
        const allGood = marked.filter(({ good }) => good).length;
        let before = 0;
        for (const { threshold, precision, recall } of curve) {
          const above = marked.filter(({ score }) => score >= threshold);
          const good = above.filter((one) => one.good).length;
          assert.equal(precision, good / above.length);
          assert.equal(recall, allGood === 0 ? 0 : good / allGood);
          assert.ok(recall >= before);
          before = recall;
        }
      },
    ),
  );
});

test('the suggested depth is the one with the best mean of precision and recall, the shallowest of equal ones', () => {
  const at = (position: number, good: boolean) => ({ position, good });
  const deep = rateDepths([
    at(2, true),
    at(8, true),
    at(20, true),
    at(24, true),
    at(30, false),
    at(45, false),
  ]);
  assert.equal(suggestDepth(deep), 25);
  assert.equal(suggestDepth(rateDepths([at(1, true), at(3, true)])), 10);
  assert.equal(suggestDepth(rateDepths([at(3, false)])), undefined);
});

const list = (urls: readonly string[]): AssessedList => ({
  ...TOPIC,
  depth: 10,
  method: 'weights',
  engines: [{ status: 'done', lists: [urls] }],
  candidates: urls.map((url, i) =>
    candidate(url, {
      position: i + 1,
      weight: 10 - i,
      ranks: { north: i + 1 },
      title: url.includes('cloud') ? 'ISCCP clouds' : 'Something else',
    }),
  ),
});
const judged = (marks: Readonly<Record<string, Mark>>) =>
  new Map(
    Object.entries(marks).map(([url, mark]): [string, Judgement & { mark: Mark }] => [
      canonicalKey(url),
      { key: canonicalKey(url), url, mark, by: 'curator', at: 0 },
    ]),
  );

test('without marks the heaviest are taken, and the assessment says so', () => {
  const urls = ['https://a.example/cloud', 'https://b.example/', 'https://c.example/cloud'];
  const { verdicts, rule, cutOff } = assess(list(urls), { marks: new Map(), texts: new Map(), top: 2 });
  assert.deepEqual(
    [...verdicts.values()].map(({ accepted }) => accepted),
    [true, true, false],
  );
  assert.equal(rule, 'the 2 heaviest, since no candidate is marked');
  assert.equal(cutOff, undefined);
});

test('with marks of both kinds the cut-off decides, and a mark is stronger than any score', () => {
  const urls = [
    'https://a.example/cloud',
    'https://b.example/x',
    'https://c.example/cloud',
    'https://d.example/x',
    'https://e.example/cloud',
    'https://f.example/x',
  ];
  const marks = judged({
    'https://a.example/cloud': 'good',
    'https://c.example/cloud': 'good',
    'https://b.example/x': 'bad',
    'https://d.example/x': 'bad',
  });
  const assessment = assess(list(urls), { marks, texts: new Map(), top: 2 });
  const accepted = urls.filter((url) => assessment.verdicts.get(canonicalKey(url))?.accepted);
  assert.deepEqual(accepted, [
    'https://a.example/cloud',
    'https://c.example/cloud',
    'https://e.example/cloud',
  ]);
  assert.match(assessment.rule, /a cut-off by 2 good and 2 bad marks/);
  assert.equal(assessment.verdicts.get('a.example/cloud')?.because, 'it is marked good');

  const few = assess(list(urls), {
    marks: judged({ 'https://f.example/x': 'good', 'https://a.example/cloud': 'bad' }),
    texts: new Map(),
    top: 2,
  });
  assert.deepEqual(
    urls.filter((url) => few.verdicts.get(canonicalKey(url))?.accepted),
    ['https://b.example/x', 'https://f.example/x'],
  );
  assert.match(few.rule, /1 good and 1 bad marks are too few/);
});

test('marks are kept with who and when; the last of an address counts, and half a line spoils nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'garner-marks-'));
  try {
    const marks = openTopicMarks(folder);
    assert.equal(marks.read('T').size, 0);
    marks.add('T', [{ url: 'https://a.example/x', mark: 'good', by: 'ann', at: 1 }]);
    appendFileSync(join(folder, 'topics', 'T', 'marks.ndjson'), '\n{"key":"b.exam');
    marks.add('T', [
      { url: 'http://www.a.example/x/', mark: 'bad', by: 'ben', at: 2 },
      { url: 'https://c.example/', mark: 'good', by: 'ben', at: 2 },
    ]);
    marks.add('T', [{ url: 'https://c.example/', mark: 'none', by: 'ann', at: 3 }]);
    const read = openTopicMarks(folder).read('T');
    assert.deepEqual(
      [...read.values()].map(({ key, mark, by, at }) => [key, mark, by, at]),
      [['a.example/x', 'bad', 'ben', 2]],
    );
    assert.equal(marks.list('T').length, 4);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
