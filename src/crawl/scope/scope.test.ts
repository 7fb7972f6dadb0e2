import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crawlSchema } from '../../core/crawl-schema.ts';
import { type CrawlSettings, completeSettings } from '../settings.ts';
import { crawlKey, parseCrawlUrl } from './canonical.ts';
import { createScope, SEED, type UrlPlace } from './scope.ts';
import { findTrap } from './traps.ts';

const settings = (input: object): CrawlSettings =>
  completeSettings(crawlSchema.parse(input), {
    baseUrl: 'https://garner.example',
    adminEmail: 'a@garner.example',
  });

function judge(
  input: object,
  target: string,
  options: { kind?: 'page' | 'image' | 'frame'; place?: UrlPlace; seed?: string; heuristic?: true } = {},
): string {
  const scope = createScope(settings(input));
  const seed = new URL(options.seed ?? 'https://www.example.co.uk/docs/a/index.html');
  scope.addSeed(seed);
  const link = { kind: options.kind ?? 'page', ...(options.heuristic && { heuristic: true as const }) };
  const judgement = scope.judgeLink(link, new URL(target), seed, options.place ?? SEED);
  if (!judgement) return 'nothing';
  return 'reason' in judgement ? judgement.reason : `${judgement.place.role} ${judgement.place.depth}`;
}

test('page takes the page and its requisites from any host, and follows no link', () => {
  assert.equal(judge({ scope: 'page' }, 'https://www.example.co.uk/docs/a/b'), 'depth');
  assert.equal(judge({ scope: 'page' }, 'https://cdn.example.net/x.png', { kind: 'image' }), 'requisite 0');
  assert.equal(judge({ scope: 'host', depth: 0 }, 'https://www.example.co.uk/docs/a/b'), 'depth');
});

test('path, host, domain and any each reach further', () => {
  const reach = (scope: string) =>
    [
      'https://example.co.uk/docs/a/deep/x',
      'https://www.example.co.uk/docs/x',
      'http://www.example.co.uk/',
      'https://sub.example.co.uk/',
      'https://other.co.uk/',
    ].map((url) => judge({ scope }, url) === 'link 1');
  assert.deepEqual(reach('path'), [true, false, false, false, false]);
  assert.deepEqual(reach('host'), [true, true, true, false, false]);
  assert.deepEqual(reach('domain'), [true, true, true, true, false]);
  assert.deepEqual(reach('any'), [true, true, true, true, true]);
});

test('depth counts links, and hopsOff lets some lead out of the scope', () => {
  const at = (depth: number, hopsOff = 0): UrlPlace => ({ ...SEED, role: 'link', depth, hopsOff });
  assert.equal(judge({ depth: 3 }, 'https://www.example.co.uk/x', { place: at(2) }), 'link 3');
  assert.equal(judge({ depth: 3 }, 'https://www.example.co.uk/x', { place: at(3) }), 'depth');
  assert.equal(judge({ hopsOff: 1 }, 'https://other.org/', { place: at(2) }), 'link 3');
  assert.equal(judge({ hopsOff: 1 }, 'https://other.org/', { place: at(2, 1) }), 'scope');
});

test('patterns let in and shut out; what is shut out is no requisite either', () => {
  assert.equal(judge({ include: '/docs/' }, 'https://www.example.co.uk/x'), 'include');
  assert.equal(
    judge({ exclude: ['\\.png$'] }, 'https://www.example.co.uk/x.png', { kind: 'image' }),
    'exclude',
  );
});

test('what only looks like a link is believed on the own host only', () => {
  assert.equal(judge({}, 'https://cdn.example.net/x.png', { kind: 'image', heuristic: true }), 'nothing');
  assert.equal(
    judge({}, 'https://www.example.co.uk/x.png', { kind: 'image', heuristic: true }),
    'requisite 0',
  );
});

test('without requisites, pictures are not taken for pages', () => {
  assert.equal(judge({ requisites: false }, 'https://www.example.co.uk/x.png', { kind: 'image' }), 'nothing');
});

test('requisites of requisites come to an end', () => {
  assert.equal(
    judge({}, 'https://www.example.co.uk/f', {
      kind: 'frame',
      place: { ...SEED, role: 'requisite', chain: 6 },
    }),
    'requisite-chain',
  );
});

test('session numbers, fragments and spellings make no new URL', () => {
  const key = (url: string) => crawlKey(parseCrawlUrl(url) ?? new URL('http://none'));
  const plain = key('http://example.org/a?x=1');
  for (const url of [
    'http://example.org/a;jsessionid=0123456789ABCDEF?x=1',
    'http://example.org/a?x=1&PHPSESSID=0123456789abcdef0123456789abcdef',
    'http://example.org/a?sid=99ffaa00deadbeef&x=1',
    'HTTP://EXAMPLE.org:80/%61?x=1#part',
    'http://user:secret@example.org/a?x=1',
  ])
    assert.equal(key(url), plain, url);
  for (const url of [
    'https://example.org/a?x=1',
    'http://example.org/A?x=1',
    'http://example.org/a?x=2',
    'http://example.org/a%2Fb?x=1',
  ])
    assert.notEqual(key(url), plain, url);
  assert.equal(parseCrawlUrl('mailto:a@example.org'), undefined);
  assert.equal(parseCrawlUrl('javascript:void(0)'), undefined);
});

test('each kind of trap is known by its name, and honest URLs are none', () => {
  const limits = { ...settings({}).traps, queries: 3, similar: 5, calendar: 2, urlLength: 120 };
  const counts = new Map<string, number>();
  const counter = {
    count: (family: string) => {
      counts.set(family, (counts.get(family) ?? 0) + 1);
      return counts.get(family) ?? 0;
    },
  };
  const trap = (path: string) => findTrap(new URL(path, 'http://example.org'), limits, counter);
  assert.equal(trap(`/${'x'.repeat(120)}`), 'trap: url-length');
  assert.equal(trap('/a1/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/w/x/y/z'), 'trap: path-segments');
  assert.equal(trap('/news/en/news/de/news/en/news/x'), 'trap: repeating-path');
  assert.equal(trap('/ab/cd/ab/cd/ab/cd/ab/cd'), 'trap: repeating-path');
  assert.equal(trap('/en/news/2026/news/'), undefined);
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((q) => trap(`/list?sort=${q}`)),
    [undefined, undefined, undefined, 'trap: queries'],
  );
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6].map((n) => trap(`/item/${n}.html`)),
    [undefined, undefined, undefined, undefined, undefined, 'trap: similar'],
  );
  assert.deepEqual(
    ['01', '02', '03'].map((m) => trap(`/calendar/2031/${m}/`)),
    [undefined, undefined, 'trap: calendar'],
  );
  assert.deepEqual(
    [1, 2, 3].map((m) => trap(`/cal.php?month=${m}`)),
    [undefined, undefined, 'trap: calendar'],
  );
});
