import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { join, u8, u16le, u32le } from '../../../../test/archived-content/write-images.ts';
import { readContent } from '../read-content.ts';

const tag = (code: number, body: Buffer): Buffer =>
  body.length < 0x3f
    ? join(u16le((code << 6) | body.length), body)
    : join(u16le((code << 6) | 0x3f), u32le(body.length), body);
const getUrl = (url: string, target: string): Buffer => {
  const strings = join(url, u8(0), target, u8(0));
  return join(u8(0x83), u16le(strings.length), strings);
};

/** A frame of 15-bit sizes, 12 frames a second, then: actions, a constant pool, an import, the end. */
const BODY = join(
  u8(0x78, 0, 0, 0, 0, 0, 0, 0, 0),
  u16le(0x0c00, 1),
  tag(
    12,
    join(getUrl('officers.htm', '_self'), getUrl('FSCommand:quit', ''), getUrl('javascript:x()', ''), u8(0)),
  ),
  tag(
    12,
    join(
      u8(0x88),
      u16le(60),
      u16le(3),
      'onRelease\0/movies/next.swf\0http://www.example.com/buy?x=1\0',
      'plain words\0',
    ),
  ),
  tag(57, join('shared/library.swf\0', u16le(0))),
  u16le(0),
);
const LINKS = [
  ['page', 'http://www.example.org/flash/officers.htm', 'getURL'],
  ['object', 'http://www.example.org/flash/shared/library.swf', 'import'],
  ['object', 'http://www.example.org/movies/next.swf', undefined],
  ['page', 'http://www.example.com/buy?x=1', undefined],
];
const read = (bytes: Buffer) => readContent({ url: 'http://www.example.org/flash/a.swf', bytes });

for (const [what, file] of [
  ['plain', join('FWS\x06', u32le(BODY.length + 8), BODY)],
  ['packed', join('CWS\x06', u32le(BODY.length + 8), deflateSync(BODY))],
] as const) {
  test(`a ${what} Flash film gives its addresses, all as guesses and without a place`, async () => {
    const { links, problems } = await read(file);
    assert.deepEqual(
      links.map(({ kind, url, rel }) => [kind, url, rel]),
      LINKS,
    );
    assert.ok(links.every((link) => link.heuristic && link.position === undefined));
    assert.deepEqual(problems, []);
  });
}

test('a film that cannot be unpacked is a problem', async () => {
  for (const film of ['CWS\x06\0\0\0\0garbage', 'ZWS\x0d\0\0\0\0']) {
    const { links, problems } = await read(Buffer.from(film, 'latin1'));
    assert.deepEqual(links, []);
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['content.unreadable'],
    );
  }
});

test('a film that is cut gives what it has', async () => {
  const packed = deflateSync(join(BODY, Buffer.alloc(50_000, 'x')), { level: 0 });
  const { links } = await read(join('CWS\x06', u32le(0), packed.subarray(0, 2000)));
  assert.ok(links.some(({ url }) => url.endsWith('/officers.htm')));
});
