import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeText } from '../../../../test/archived-content/encode-text.ts';
import { SAMPLE_PAGES } from '../../../../test/archived-content/pages.ts';
import type { Link } from '../link.ts';
import type { Span } from '../markup/page-text.ts';
import { readContent } from '../read-content.ts';
import { parseRefresh } from './meta-refresh.ts';
import { listCandidates } from './srcset.ts';

const marksOf = (link: Link): string => `${link.heuristic ? '?' : ''}${link.position ? '' : '-'}`;
const shown = (links: readonly Link[]) =>
  links.map((link) => `${link.kind} ${link.url} ${marksOf(link)}`.trim());

for (const { what, url, type, content, links } of SAMPLE_PAGES) {
  const headers = type === undefined ? [] : ([['content-type', `${type}; charset=utf-8`]] as const);

  test(`the links of ${what} are found, in order`, async () => {
    const reading = await readContent({ url, bytes: Buffer.from(content), headers });
    assert.deepEqual(
      shown(reading.links),
      links.map(([kind, address, marks = '']) => `${kind} ${address} ${marks}`.trim()),
    );
    assert.deepEqual(reading.problems, []);
  });

  test(`the bytes at the place of each link of ${what} say what is written there`, async () => {
    const bytes = Buffer.from(content);
    const reading = await readContent({ url, bytes, headers });
    for (const { position, written } of reading.links) {
      if (!position) continue;
      const there = bytes.toString('utf8', position.at, position.at + position.length);
      assert.equal(unescaped(there), unescaped(written));
    }
  });

  test(`${what} in UTF-16 has the same links at places twice as far`, async () => {
    const plain = await readContent({ url, bytes: Buffer.from(content), headers });
    const wide = await readContent({
      url,
      bytes: encodeText(`\ufeff${content}`, 'utf-16le'),
      headers: [['content-type', type ?? 'text/html']],
    });
    const doubled = ({ at, length }: Span): Span => ({ at: at * 2 + 2, length: length * 2 });
    const twice = plain.links.map(({ position, extent, ...link }) => ({
      ...link,
      ...(position && { position: doubled(position) }),
      ...(extent && { extent: doubled(extent) }),
    }));
    assert.deepEqual(wide.links, twice);
  });
}

/** What entities and escapes leave of a text that has them in one form and not in the other. */
const unescaped = (text: string): string =>
  text
    .replace(/&#118;/g, 'v')
    .replace(/&amp;/g, '&')
    .replace(/\\([/)])/g, '$1')
    .replace(/^org\/example\/Clock\.class$/, 'org.example.Clock.class');

const linksOf = async (html: string, headers: readonly (readonly [string, string])[] = []) =>
  (
    await readContent({
      url: 'http://a.example/d/p',
      bytes: Buffer.from(html),
      headers: [['content-type', 'text/html'], ...headers],
    })
  ).links;

test('what a link says to the reader is its anchor, with the words of its images', async () => {
  const links = await linksOf(`<a href=1>One <b>bold</b>
    <img src=i.gif alt="picture"></a><a href=2><script>no()</script> </a><area href=3 alt=Three><a href=4>four<a href=5>five`);
  assert.deepEqual(
    links.map(({ url, anchor }) => [url.slice(-1), anchor]),
    [
      ['1', 'One bold picture'],
      ['f', 'picture'],
      ['2', undefined],
      ['3', 'Three'],
      ['4', 'four'],
      ['5', 'five'],
    ],
  );
});

test('rel is kept, and decides what a link element is', async () => {
  const links = await linksOf(
    '<a rel="nofollow noopener" href=x>x</a><link rel="Shortcut Icon" href=i><link rel=schema.DC href=http://dc.example/><link href=y>',
  );
  assert.deepEqual(
    links.map(({ kind, rel }) => [kind, rel]),
    [
      ['page', 'nofollow noopener'],
      ['image', 'Shortcut Icon'],
      ['data', 'schema.DC'],
      ['page', undefined],
    ],
  );
});

test('addresses of other schemes, of nothing and of no host are no links', async () => {
  const links = await linksOf(
    '<a href="mailto:a@b"></a><a href="tel:1"></a><a href=" JavaScript:void(0)"></a><a href="data:text/html,x"></a><a href="http://"></a><a href="about:blank"></a><img src="blob:http://x/y"><a href="http://[bad"></a><a href=ftp://f.example/x></a>',
  );
  assert.deepEqual(shown(links), ['page ftp://f.example/x']);
});

test('headers of the response are links, too', async () => {
  const links = await linksOf('', [
    ['Location', '/moved#x'],
    ['refresh', '3;url=soon'],
    [
      'Link',
      '</s.css>; rel=preload; as="style", <https://c.example/>; rel="canonical", </feed>; rel=alternate; type="application/atom+xml"',
    ],
    ['Link', '<broken'],
  ]);
  assert.deepEqual(shown(links), [
    'redirect http://a.example/moved -',
    'redirect http://a.example/d/soon -',
    'style http://a.example/s.css -',
    'canonical https://c.example/ -',
    'feed http://a.example/feed -',
  ]);
});

test('a srcset may have commas in its addresses, and no spaces after commas', () => {
  const urls = (value: string) => listCandidates(value).map(({ from, to }) => value.slice(from, to));
  assert.deepEqual(urls('a,b.png 1x,c.png 2x'), ['a,b.png', 'c.png']);
  assert.deepEqual(urls(' ,, a.png, b.png (x,y) 2x , c.png,'), ['a.png', 'b.png', 'c.png']);
  assert.deepEqual(urls(''), []);
});

const REFRESHES: readonly (readonly [value: string, target: string | undefined])[] = [
  ['5', ''],
  ['0; url=a.html', 'a.html'],
  ['0;URL="a b.html"; x', 'a b.html'],
  ["1.5, url = 'a.html", 'a.html'],
  ['0 a.html', 'a.html'],
  [';url=a', 'a'],
  ['url=a', 'a'],
  ['soon', undefined],
];
for (const [value, target] of REFRESHES) {
  test(`a refresh of ${JSON.stringify(value)} leads ${target ? `to ${target}` : 'nowhere'}`, () => {
    const parsed = parseRefresh(value);
    const found = parsed && value.slice(parsed.from ?? 0, parsed.to ?? 0);
    assert.equal(found, target);
  });
}
