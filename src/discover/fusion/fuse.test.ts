import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { EngineResult } from '../engines/engine.ts';
import { APPENDIX, APPENDIX_DEPTH } from './appendix.fixture.ts';
import { canonicalKey, plainKey } from './canonical.ts';
import { type FusedCandidate, fuse, type RankedList } from './fuse.ts';
import { refuse } from './refuse.ts';

const list = (engine: string, ...urls: readonly string[]): RankedList => ({
  engine,
  results: urls.map((url) => ({ url })),
});
const filler = (engine: string, count: number) =>
  Array.from({ length: count }, (_, i) => `https://filler.example/${engine}/${i}`);
/** An engine that ranks the address there. */
const ranking = (engine: string, rank: number, url: string): RankedList =>
  list(engine, ...filler(engine, rank - 1), url);
const find = (candidates: readonly FusedCandidate[], url: string) =>
  candidates.find((candidate) => candidate.url === url);

test('ranks 2, 3 and 5 of the best ten weigh 23; three firsts weigh 30', () => {
  const url = 'https://isccp.example/';
  const some = [ranking('a', 2, url), ranking('b', 3, url), ranking('c', 5, url)];
  assert.equal(find(fuse(some, { depth: 10 }).candidates, url)?.weight, 23);
  const firsts = [ranking('a', 1, url), ranking('b', 1, url), ranking('c', 1, url)];
  assert.equal(fuse(firsts, { depth: 10 }).candidates[0]?.weight, 30);
});

/** Ranks whose rows did not survive are filled with addresses of our own. */
function appendixLists(): RankedList[] {
  return ['Google', 'Yahoo', 'MSN'].map((engine, column) => {
    const results: EngineResult[] = filler(engine, APPENDIX_DEPTH).map((url) => ({ url }));
    for (const row of APPENDIX) {
      const rank = [row[1], row[2], row[3]][column] ?? 0;
      if (rank > 0) results[rank - 1] = { url: row[4] };
    }
    return { engine, results };
  });
}

test('the published table comes out with its weights, in its order', () => {
  const { candidates, refused } = fuse(appendixLists(), { depth: APPENDIX_DEPTH });
  assert.deepEqual(refused, []);
  const published = candidates.filter(({ url }) => !url.startsWith('https://filler.example/'));
  assert.equal(published.length, 47);
  assert.deepEqual(
    published.map(({ weight }) => weight),
    APPENDIX.map(([weight]) => weight),
  );
  for (const [weight, google, yahoo, msn, url] of APPENDIX) {
    const found = find(published, url);
    assert.equal(found?.weight, weight, url);
    const ranks = { Google: google, Yahoo: yahoo, MSN: msn };
    assert.deepEqual(found?.ranks, Object.fromEntries(Object.entries(ranks).filter(([, rank]) => rank > 0)));
  }
});

test('the published table has no rank twice', () => {
  for (const column of [1, 2, 3] as const) {
    const ranks = APPENDIX.map((row) => row[column]).filter((rank) => rank > 0);
    assert.equal(new Set(ranks).size, ranks.length);
  }
});

const SPELLINGS: readonly (readonly [string, string])[] = [
  ['http://example.org', 'https://www.example.org/'],
  ['http://example.org:80/a', 'https://example.org:443/a/'],
  ['http://EXAMPLE.org/a#top', 'http://example.org/a'],
  ['http://example.org/%7Esrb/', 'http://example.org/~srb'],
  ['http://example.org/a?utm_source=x&id=7', 'http://example.org/a?id=7'],
  ['http://example.org/a?b=2&a=1', 'http://example.org/a?a=1&b=2&fbclid=zzz'],
  ['http://example.org/a//b/../c', 'http://example.org/a/c'],
  ['http://example.org./a', 'http://example.org/a'],
];

for (const [one, other] of SPELLINGS)
  test(`${one} and ${other} are one address`, () => assert.equal(canonicalKey(one), canonicalKey(other)));

test('addresses that may differ are kept apart', () => {
  const apart = [
    'http://example.org/A',
    'http://example.org/a',
    'http://example.org/a?id=1',
    'http://example.org/a?id=2',
    'http://example.org:8080/a',
    'http://www2.example.org/a',
    'http://example.org/a%2Fb',
    'http://example.org/a/b',
  ];
  assert.equal(new Set(apart.map(canonicalKey)).size, apart.length);
});

test('the quick way and the parser make the same key, and refuse the same', () => {
  const label = fc.constantFrom(
    'www',
    'example',
    'a-b',
    '-',
    'xn--a',
    'org',
    'local',
    'arpa',
    'test',
    '0x7f',
    '1',
    'EX',
    '',
  );
  const segment = fc.oneof(
    fc.constantFrom(
      'a',
      'B.html',
      '~x',
      '1-2',
      '',
      '.',
      '..',
      '...',
      '%7e',
      'a%2fb',
      'x;y=1',
      "it's(1)",
      'a:b@c',
      'ü',
      '\\\\',
    ),
    fc.string({ maxLength: 4 }),
  );
  const address = fc
    .tuple(
      fc.constantFrom('http://', 'https://', 'HTTP://', 'ftp://', '//', ''),
      fc.array(label, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('', '', ':80', ':8080'),
      fc.array(segment, { maxLength: 4 }),
      fc.constantFrom('', '', '/', '?a=1'),
    )
    .map(
      ([scheme, labels, port, segments, end]) =>
        `${scheme}${labels.join('.')}${port}${segments.map((part) => `/${part}`).join('')}${end}`,
    );
  let plain = 0;
  fc.assert(
    fc.property(fc.oneof(address, fc.webUrl({ withQueryParameters: true })), (text) => {
      const key = plainKey(text);
      if (key === undefined) return;
      plain++;
      // A fragment takes the quick way from an address and changes nothing else.
      assert.equal(refuse(`${text}#part`), undefined, text);
      assert.equal(key, canonicalKey(`${text}#part`), text);
    }),
    { numRuns: 5000 },
  );
  assert.ok(plain > 200, `only ${plain} addresses were plain`);
});

test('engines in any number give what a plain sum over all lists gives', () => {
  const url = fc.constantFrom(
    'https://a.example/x',
    'http://www.a.example/x/',
    'https://b.example/?q=1',
    'https://c.example/',
  );
  fc.assert(
    fc.property(fc.array(fc.array(url, { maxLength: 6 }), { maxLength: 4 }), (answers) => {
      const lists = answers.map((urls, i) => list(`e${i}`, ...urls));
      const wanted = new Map<string, number>();
      for (const { results } of lists) {
        const best = new Map<string, number>();
        results.forEach((result, i) => {
          const key = canonicalKey(result.url);
          best.set(key, Math.min(best.get(key) ?? Infinity, i + 1));
        });
        for (const [key, rank] of best) if (rank <= 5) wanted.set(key, (wanted.get(key) ?? 0) + 6 - rank);
      }
      const { candidates } = fuse(lists, { depth: 5 });
      assert.deepEqual(new Map(candidates.map(({ key, weight }) => [key, weight])), wanted);
    }),
  );
});

test('duplicates of one engine count once, at their best rank; spellings are kept', () => {
  const { candidates } = fuse(
    [
      list('a', 'https://x.example/', 'https://y.example/', 'http://www.x.example'),
      list('b', 'http://x.example/#p'),
    ],
    { depth: 10 },
  );
  assert.equal(candidates[0]?.weight, 20);
  assert.deepEqual(candidates[0]?.ranks, { a: 1, b: 1 });
  assert.deepEqual(candidates[0]?.originals, [
    'https://x.example/',
    'http://www.x.example',
    'http://x.example/#p',
  ]);
});

test('what lies deeper than the depth does not count', () => {
  assert.equal(fuse([list('a', ...filler('a', 30))], { depth: 10 }).candidates.length, 10);
});

test('what any engine knows of an address is kept, the best ranked first', () => {
  const { candidates } = fuse(
    [
      {
        engine: 'a',
        results: [
          { url: 'https://z.example/' },
          { url: 'https://x.example/', title: 'From a', doi: '10.1/x' },
        ],
      },
      { engine: 'b', results: [{ url: 'https://x.example', title: 'From b', mediaType: 'text/html' }] },
    ],
    { depth: 5 },
  );
  const { title, doi, mediaType, url } = candidates[0] ?? assert.fail();
  assert.deepEqual(
    { title, doi, mediaType, url },
    { title: 'From b', doi: '10.1/x', mediaType: 'text/html', url: 'https://x.example' },
  );
});

test('reciprocal rank fusion sums 1 / (60 + rank)', () => {
  const url = 'https://x.example/';
  const { candidates } = fuse([ranking('a', 2, url), ranking('b', 3, url)], {
    depth: 10,
    method: 'reciprocal',
  });
  assert.equal(candidates[0]?.url, url);
  assert.ok(Math.abs((candidates[0]?.weight ?? 0) - (1 / 62 + 1 / 63)) < 1e-12);
});

test('the order of the engines changes neither weights nor order', () => {
  const url = fc.integer({ min: 0, max: 30 }).map((n) => `https://h${n}.example/`);
  const lists = fc.array(fc.uniqueArray(url, { maxLength: 12 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(lists, fc.constantFrom('weights', 'reciprocal'), (urls, method) => {
      const ranked = urls.map((found, i) => list(`e${i}`, ...found));
      const told = (answers: readonly RankedList[]) =>
        fuse(answers, { depth: 10, method }).candidates.map(({ key, weight }) => [key, weight]);
      assert.deepEqual(told(ranked), told(ranked.toReversed()));
    }),
  );
});

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ['ftp://example.org/data', /scheme ftp/],
  ['javascript:alert(1)', /scheme javascript/],
  ['http://user:word@example.org/', /user name or password/],
  ['http://127.0.0.1/', /private/],
  ['http://[::1]/', /private/],
  ['http://0x7f.1/', /private/],
  ['http://192.168.4.4:8080/a', /private/],
  ['http://localhost/', /private/],
  ['https://printer.local/', /private/],
  ['https://wiki/', /private/],
  ['https://router.home.arpa/', /private/],
  ['not an address', /no web address/],
];

for (const [url, reason] of REFUSED)
  test(`${url} is refused and listed`, () => {
    const { candidates, refused } = fuse([list('a', url)], { depth: 10 });
    assert.deepEqual(candidates, []);
    assert.equal(refused[0]?.url, url);
    assert.match(refused[0]?.reason ?? '', reason);
  });

test('private addresses pass where they are allowed, other schemes never', () => {
  assert.equal(refuse('http://127.0.0.1:8080/', true), undefined);
  assert.match(refuse('ftp://127.0.0.1/', true) ?? '', /scheme/);
});
