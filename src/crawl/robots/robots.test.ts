import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normalisePath, parseRobots } from './parse-robots.ts';
import { rulesFor } from './robots-rules.ts';

const rules = (text: string, robot = 'Garner') => rulesFor(parseRobots(Buffer.from(text)), robot);
const allows = (text: string, path: string, robot?: string) =>
  rules(text, robot).isAllowed(new URL(path, 'https://example.org'));

/** robots.txt, path, whether it is allowed; the first ones are the examples of RFC 9309 §5 and §2.2. */
const CASES: readonly (readonly [what: string, text: string, path: string, allowed: boolean])[] = [
  ['an empty file allows', '', '/a', true],
  [
    'the longest match counts',
    'User-agent: *\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif',
    '/example/page/disallowed.gif',
    false,
  ],
  ['the permission among equals counts', 'User-agent: *\nDisallow: /a\nAllow: /a', '/a', true],
  ['order does not matter', 'User-agent: *\nDisallow: /\nAllow: /p', '/page', true],
  ['paths are case-sensitive', 'User-agent: *\nDisallow: /Dir', '/dir', true],
  ['names of lines and robots are not', 'uSeR-aGeNt: GARNER\ndisALLOW: /x', '/x', false],
  ['an empty rule forbids nothing', 'User-agent: *\nDisallow:', '/x', true],
  [
    'the own group shuts out the one for all',
    'User-agent: *\nDisallow: /\n\nUser-agent: garner\nDisallow: /x',
    '/y',
    true,
  ],
  [
    'several own groups are one',
    'User-agent: garner\nDisallow: /a\nUser-agent: other\nDisallow: /b\nUser-agent: Garner\nDisallow: /c',
    '/c',
    false,
  ],
  [
    'a group may have several names',
    'User-agent: a\nUser-agent: garner\nUser-agent: b\nDisallow: /x',
    '/x',
    false,
  ],
  ['a version behind the name is passed over', 'User-agent: Garner/9.9\nDisallow: /x', '/x', false],
  ['a name that only begins like ours is another', 'User-agent: GarnerPlus\nDisallow: /x', '/x', true],
  ['a star matches anything', 'User-agent: *\nDisallow: /*.gif', '/a/b.gif?x', false],
  ['a dollar ends', 'User-agent: *\nDisallow: /*.gif$', '/a/b.gif?x', true],
  ['a dollar ends at the end', 'User-agent: *\nDisallow: /*.gif$', '/a/b.gif', false],
  ['a star and a dollar may be met twice', 'User-agent: *\nDisallow: /a*b$', '/ab/b', false],
  ['a dollar in the middle is a letter', 'User-agent: *\nDisallow: /a$b', '/a$b', false],
  ['queries are of the path', 'User-agent: *\nDisallow: /*?', '/a?b', false],
  ['escapes of letters are letters', 'User-agent: *\nDisallow: /%61%7e', '/a~x', false],
  ['escapes of the URL are undone as well', 'User-agent: *\nDisallow: /~joe', '/%7Ejoe/i', false],
  ['an escaped slash is no slash', 'User-agent: *\nDisallow: /a%2fb', '/a/b', true],
  ['an escaped slash is an escaped slash', 'User-agent: *\nDisallow: /a%2fb', '/a%2Fb', false],
  ['letters beyond ASCII are their bytes', 'User-agent: *\nDisallow: /ツ', '/%E3%83%84', false],
  ['and the other way round', 'User-agent: *\nDisallow: /%E3%83%84', '/ツ', false],
  ['comments go', 'User-agent: * # all\nDisallow: /x # not this', '/x', false],
  ['old Macintosh line ends', 'User-agent: *\rDisallow: /x\r', '/x', false],
  ['a byte order mark', '\ufeffUser-agent: *\nDisallow: /x', '/x', false],
  [
    'a site map does not end a group',
    'User-agent: garner\nSitemap: https://example.org/s.xml\nDisallow: /x',
    '/x',
    false,
  ],
  ['rules before any robot are nobody’s', 'Disallow: /x\nUser-agent: *\nDisallow: /y', '/x', true],
  ['robots.txt is always allowed', 'User-agent: *\nDisallow: /', '/robots.txt', true],
  ['lines of other kinds between names', 'User-agent: garner\nNoindex: /z\nDisallow: /x', '/x', false],
];

for (const [what, text, path, allowed] of CASES)
  test(`robots.txt: ${what}`, () => assert.equal(allows(text, path), allowed));

test('crawl delays are of the group, site maps of the file, and a delay that is no number is none', () => {
  const text =
    'Sitemap: /a.xml\nUser-agent: *\nCrawl-delay: 2.5\nUser-agent: x\nCrawl-delay: soon\nSitemap: https://example.org/b.xml';
  assert.equal(rules(text).crawlDelayMs, 2500);
  assert.equal(rules(text, 'x').crawlDelayMs, undefined);
  assert.deepEqual(parseRobots(Buffer.from(text)).sitemaps, ['/a.xml', 'https://example.org/b.xml']);
});

test('a pattern of many stars is matched in linear time', () => {
  const text = `User-agent: *\nDisallow: /${'*a'.repeat(3000)}$`;
  assert.equal(allows(text, `/${'a'.repeat(2999)}b`), true);
  assert.equal(allows(text, `/${'a'.repeat(3000)}`), false);
});

test('beyond 500 KiB nothing is read, and binary junk is no error', () => {
  const long = `User-agent: *\n${'# filler\n'.repeat(70_000)}Disallow: /late`;
  assert.equal(allows(long, '/late'), true);
  assert.equal(
    rulesFor(parseRobots(Buffer.alloc(4000, 0xff)), 'garner').isAllowed(new URL('http://a/b')),
    true,
  );
});

test('matching equals a regular expression made from the same pattern', () => {
  const letter = fc.constantFrom('a', 'b', '/', '*', '.');
  fc.assert(
    fc.property(
      fc.array(letter, { maxLength: 8 }),
      fc.boolean(),
      fc.array(fc.constantFrom('a', 'b', '/', '.'), { maxLength: 10 }),
      (pattern, anchored, path) => {
        const rule = `/${pattern.join('')}${anchored ? '$' : ''}`;
        const target = `/${path.join('')}`;
        const expected = new RegExp(
          `^${rule.replace(/\$$/, '').replaceAll('.', '\\.').replaceAll('*', '.*')}${anchored ? '$' : ''}`,
        ).test(target);
        const verdict = rulesFor(
          { groups: [{ agents: ['*'], rules: [{ allow: false, path: rule }] }], sitemaps: [] },
          'g',
        );
        // The URL parser takes dots out of paths; the rule is asked directly.
        const url = { pathname: target, search: '' } as URL;
        assert.equal(!verdict.isAllowed(url), expected, `${rule} ${target}`);
      },
    ),
  );
});

test('normalising a path a second time changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (path) =>
      assert.equal(normalisePath(normalisePath(path)), normalisePath(path)),
    ),
  );
});
