import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMediaType, setOfType } from './media-type.ts';
import { sniffType } from './sniff.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const zip = (name: string, body = ''): string =>
  `PK\x03\x04${'\0'.repeat(22)}${String.fromCharCode(name.length)}\0\0\0${name}${body}`;

/** Content, header, address, and what it is. */
const CASES: readonly (readonly [
  what: string,
  content: string,
  header: string | undefined,
  type: string,
  url?: string,
])[] = [
  ['a page without a header', '\n\n<!DOCTYPE html><p>', undefined, 'text/html'],
  ['a page that begins with a comment', '<!-- saved from url -->\n<HTML>', undefined, 'text/html'],
  ['a frameset', '<frameset cols="1,2">', undefined, 'text/html'],
  ['a page in UTF-16', '\xff\xfe<\0h\0t\0m\0l\0>\0', undefined, 'text/html'],
  ['a page of words beginning with a tag-like letter', '<abc', undefined, 'text/plain'],
  ['tags in declared plain text', '<html><p>x', 'text/plain', 'text/plain'],
  ['binary bytes in declared plain text', 'ab\0\x01\x02', 'text/plain', 'application/octet-stream'],
  ['a PDF called a page', '%PDF-1.4\n', 'text/html', 'application/pdf'],
  ['a PDF called a download', '%PDF-1.4\n', 'application/octet-stream', 'application/pdf'],
  ['an error page called an image', '<!doctype html><title>404</title>', 'image/gif', 'text/html'],
  ['an error page called a script', '<html><body>404', 'application/javascript', 'text/html'],
  ['an error page called a style sheet', '<html><body>404', 'text/css', 'text/html'],
  ['a script', 'var a = 1 < 2;', 'text/javascript', 'text/javascript'],
  ['a PNG called a JPEG', '\x89PNG\r\n\x1a\n', 'image/jpeg', 'image/png'],
  ['RSS', '<?xml version="1.0"?><rss version="2.0">', undefined, 'application/rss+xml'],
  [
    'RSS called XML',
    '<?xml version="1.0"?><!-- a --><rss>',
    'text/xml; charset=utf-8',
    'application/rss+xml',
  ],
  [
    'RSS 1.0',
    '<?xml version="1.0"?><rdf:RDF xmlns="http://purl.org/rss/1.0/">',
    'text/xml',
    'application/rss+xml',
  ],
  ['RDF', '<?xml version="1.0"?><rdf:RDF xmlns:a="urn:a">', 'text/xml', 'application/rdf+xml'],
  ['Atom', '<feed xmlns="http://www.w3.org/2005/Atom">', undefined, 'application/atom+xml'],
  [
    'SVG with a doctype',
    '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "a" "b" [<!ENTITY x "y">]><svg>',
    'text/xml',
    'image/svg+xml',
  ],
  ['any XML', '<?xml version="1.0"?><a/>', undefined, 'application/xml'],
  [
    'XML of a kind of its own',
    '<?xml version="1.0"?><a/>',
    'application/vnd.own+xml',
    'application/vnd.own+xml',
  ],
  ['a JPEG', '\xff\xd8\xff\xe0', undefined, 'image/jpeg'],
  ['a GIF', 'GIF89a', 'text/html', 'image/gif'],
  ['WebP', 'RIFF\x10\0\0\0WEBPVP8L', undefined, 'image/webp'],
  ['a bitmap', `BM${'\0'.repeat(12)}\x28\0\0\0`, undefined, 'image/bmp'],
  ['a text that begins with BM', 'BMW and other makers of cars', undefined, 'text/plain'],
  ['an icon', '\0\0\x01\0\x01\0', 'text/plain', 'image/x-icon'],
  ['AVIF', '\0\0\0\x20ftypavif', undefined, 'image/avif'],
  ['MP4', '\0\0\0\x20ftypisom', undefined, 'video/mp4'],
  ['MP4 with sound only', '\0\0\0\x20ftypisom', 'audio/mp4', 'audio/mp4'],
  ['MP3 with ID3', 'ID3\x03', undefined, 'audio/mpeg'],
  ['MP3 without', '\xff\xfb\x90\x00', undefined, 'audio/mpeg'],
  ['WAV', 'RIFF\0\0\0\0WAVEfmt ', undefined, 'audio/wav'],
  ['Ogg with Opus', `OggS\0${'\0'.repeat(23)}OpusHead`, undefined, 'audio/ogg'],
  ['WebM', '\x1aE\xdf\xa3\x01webm', undefined, 'video/webm'],
  ['Matroska', '\x1aE\xdf\xa3\x01matroska', undefined, 'video/x-matroska'],
  ['Flash', 'CWS\x06', 'text/html', 'application/x-shockwave-flash'],
  ['WOFF2', 'wOF2', 'application/octet-stream', 'font/woff2'],
  ['TrueType', '\0\x01\0\0\0', 'application/font-sfnt', 'application/font-sfnt'],
  ['a zip', zip('a.txt'), undefined, 'application/zip'],
  [
    'a zip of a known kind',
    zip('a.txt'),
    'application/vnd.google-earth.kmz',
    'application/vnd.google-earth.kmz',
  ],
  ['EPUB', zip('mimetype', 'application/epub+zipPK'), 'application/zip', 'application/epub+zip'],
  [
    'Word',
    zip('[Content_Types].xml', `${zip('word/document.xml')}`),
    undefined,
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ],
  ['old Word', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'application/msword', 'application/msword'],
  ['gzip', '\x1f\x8b\x08', 'text/html', 'application/gzip'],
  ['tar', `${'a'.repeat(257)}ustar`, undefined, 'application/x-tar'],
  ['a style sheet by its name', 'a { b: c }', undefined, 'text/css', 'http://a.example/x.css?v=1'],
  ['JSON by its name', '{}', 'application/octet-stream', 'application/json', 'http://a.example/x.json'],
  ['binary of no kind', '\x01\x02\x03', undefined, 'application/octet-stream', 'http://a.example/x.css'],
  ['netCDF', 'CDF\x01\0\0', undefined, 'application/netcdf'],
  ['netCDF in HDF5', '\x89HDF\r\n\x1a\n', 'application/netcdf', 'application/netcdf'],
  ['nothing', '', undefined, 'text/plain'],
  ['nothing, declared', '', 'text/html', 'text/html'],
  ['a header that is no type', 'hello', 'nonsense', 'text/plain'],
];

for (const [what, content, header, type, url] of CASES) {
  test(`${what} is ${type}`, () => {
    assert.equal(sniffType(bytes(content), header, url).type, type);
  });
}

test('what the header said is kept beside what the bytes say', () => {
  assert.deepEqual(sniffType(bytes('%PDF-1.7'), 'text/html; charset=x'), {
    type: 'application/pdf',
    by: 'content',
    declared: 'text/html',
  });
});

test('parameters of a media type are read with and without quotes', () => {
  const parsed = parseMediaType('Text/HTML ; Charset="utf-8\\"x" ;boundary=a;charset=b; junk');
  assert.equal(parsed?.essence, 'text/html');
  assert.deepEqual(
    [...(parsed?.parameters ?? [])],
    [
      ['charset', 'utf-8"x'],
      ['boundary', 'a'],
    ],
  );
});

test('the set of a type is a legal set spec', () => {
  assert.equal(setOfType('image/jpeg'), 'mime:image:jpeg');
  assert.equal(setOfType('image/svg+xml'), 'mime:image:svg.xml');
});
