/** Whatever the bytes are, reading ends, does not throw, and gives links whose places lie in the file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SAMPLE_PAGES } from '../../../test/archived-content/pages.ts';
import {
  writeAvif,
  writeBmp,
  writeGif,
  writeIco,
  writeJp2,
  writeJpeg,
  writePng,
  writeTiff,
  writeWebp,
} from '../../../test/archived-content/write-images.ts';
import { LINK_KINDS } from './link.ts';
import { readContent } from './read-content.ts';

const TYPES = [
  'text/html',
  'application/xhtml+xml',
  'image/svg+xml',
  'text/xml',
  'application/rss+xml',
  'text/css',
  'text/javascript',
  'application/ld+json',
  'text/plain',
  'application/octet-stream',
  '',
];
const CHARSETS = [
  '',
  'utf-8',
  'windows-1252',
  'shift_jis',
  'gb18030',
  'big5',
  'euc-jp',
  'iso-2022-jp',
  'utf-16le',
  'utf-16be',
  'nonsense',
];
const KINDS: ReadonlySet<string> = new Set(LINK_KINDS);

async function readAndCheck(bytes: Uint8Array, type: string, charset: string): Promise<void> {
  const reading = await readContent({
    url: 'http://www.example.org/a/b.html',
    bytes,
    headers: [['content-type', charset === '' ? type : `${type};charset=${charset}`]],
  });
  for (const { url, kind, position } of reading.links) {
    assert.match(url, /^(?:https?|ftp):\/\//);
    assert.ok(!url.includes('#'));
    assert.ok(KINDS.has(kind));
    if (!position) continue;
    assert.ok(position.at >= 0 && position.length >= 0, JSON.stringify(position));
    assert.ok(position.at + position.length <= bytes.length, JSON.stringify(position));
  }
  // It must survive the way to another thread and into JSON.
  structuredClone(reading);
  JSON.stringify(reading);
}

/** Pieces that mean something, thrown together. */
const FRAGMENTS = [
  '<a href="',
  '<a href=',
  "'",
  '"',
  '>',
  '/>',
  '</a>',
  '<base href=',
  '<style>',
  '</style>',
  '<script>',
  '</script>',
  '<script type="application/ld+json">',
  'url(',
  ')',
  '@import ',
  '\\',
  '\\75',
  '/*',
  '*/',
  '//',
  '`',
  '${',
  '<!--',
  '-->',
  '<!--[if IE]>',
  '<![CDATA[',
  ']]>',
  '<svg>',
  '<noframes>',
  '<title>',
  '&amp;',
  '&#x',
  '&#0;',
  '&notin',
  'http://x.example/',
  '../y.png',
  '\0',
  '\xff',
  '\x1b$B',
  '\x1b(B',
  '日本',
  '🌍',
  ' ',
  '\n',
  '{"url":"',
  '[[',
  '}',
  '<meta http-equiv=refresh content="0;url=',
  '<img srcset="a 1x,',
  '<iframe srcdoc="',
  '<link>',
  '<loc>',
  '<x xml:base="',
  '<div itemscope itemprop=x>',
  '<p property=y typeof=z>',
  '<h1>',
  '<time datetime=',
] as const;

test('a tag that breaks off at its slash is no text', async () => {
  for (const type of TYPES) await readAndCheck(Buffer.from('<link><a href="<a href="//'), type, '');
});

test('no text made of fragments breaks the reader', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 60 }),
      fc.constantFrom(...TYPES),
      fc.constantFrom(...CHARSETS),
      (fragments, type, charset) => readAndCheck(Buffer.from(fragments.join('')), type, charset),
    ),
    { numRuns: 1500 },
  );
});

test('no bytes at all break the reader', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 400 }),
      fc.constantFrom(...TYPES),
      fc.constantFrom(...CHARSETS),
      readAndCheck,
    ),
    { numRuns: 1000 },
  );
});

const FILES = [
  ...SAMPLE_PAGES.map(({ content, type = '' }) => ({ bytes: Buffer.from(content), type })),
  ...[
    writeAvif(),
    writeBmp(),
    writeGif(),
    writeIco(),
    writeJp2(),
    writeJpeg(),
    writePng(),
    writeTiff(),
    writeWebp(),
  ].map((bytes) => ({ bytes, type: '' })),
];

test('no damage to a good file breaks the reader', async () => {
  const damage = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.nat(255) });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...FILES),
      fc.array(damage, { maxLength: 8 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      ({ bytes, type }, damages, end) => {
        const copy = Buffer.from(bytes);
        for (const { at, byte } of damages) copy[Math.floor(at * (copy.length - 1))] = byte;
        return readAndCheck(end < 0.5 ? copy : copy.subarray(0, Math.ceil(end * copy.length)), type, '');
      },
    ),
    { numRuns: 1500 },
  );
});

/** Each would take hours in a reader that goes back and forth. */
const MONSTERS: readonly (readonly [type: string, start: string, unit: string])[] = [
  ['text/html', '', '<div>'],
  ['text/html', '<b>'.repeat(600), '</i>'],
  ['text/html', '<p>'.repeat(600), '<td>'],
  ['text/html', '<a href="', ' '],
  ['text/html', '<a ', 'x=y '],
  ['text/html', '', '&#'],
  ['text/html', '', '<noframes>'],
  ['text/html', '', '<!--[if '],
  ['text/html', '<img srcset="', 'a ('],
  ['text/html', '<div itemscope>', '<b itemprop=x>y'],
  ['text/html', '<script type="application/ld+json">', '[ '],
  ['text/html', '<script type="application/ld+json">', '\n '],
  ['text/html', '<style>', 'url(ü)'],
  ['text/html', '<meta http-equiv=refresh content="', ';'],
  ['text/css', '', '\\'],
  ['text/css', '', 'a('],
  ['text/css', '', "'\n"],
  ['text/javascript', '', '=/['],
  ['text/javascript', '', '"\\'],
  ['text/javascript', '', '`${'],
  ['application/json', '', '"a" '],
  ['application/rss+xml', '<rss>', '<description>&lt;a href=x>'],
  ['text/xml', '', '<?xml-stylesheet href="'],
  ['text/xml', '', '<!DOCTYPE ['],
];
for (const [type, start, unit] of MONSTERS) {
  test(`${type} of ${JSON.stringify(start.slice(0, 30))} and a hundred thousand ${JSON.stringify(unit)} is read to its end`, () =>
    readAndCheck(Buffer.from(start + unit.repeat(100_000)), type, 'utf-8'));
}
