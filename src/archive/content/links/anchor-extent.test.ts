import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readContent } from '../index.ts';

const PAGE =
  '<html><head><title>Ä€</title></head><body>Über <A HREF="/a?x=1&amp;y=2">näch<b>ste</b> Seite</A >, <a href="b.html">offen' +
  '<p><a href=c.html>drei</a></p><map><area href="d.html" alt="vier"></map></body></html>';

const encoders: Readonly<Record<string, (text: string) => Buffer>> = {
  'utf-8': (text) => Buffer.from(text),
  'iso-8859-1': (text) => Buffer.from(text.replace('€', 'E'), 'latin1'),
  'utf-16le': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16be': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
};

for (const [charset, encode] of Object.entries(encoders))
  test(`the bytes of an anchor are found in a page in ${charset}`, async () => {
    const bytes = encode(PAGE);
    const { links } = await readContent({
      url: 'http://example.org/x/',
      bytes,
      headers: [['Content-Type', `text/html; charset=${charset}`]],
    });
    const decoder = new TextDecoder(charset, { ignoreBOM: true });
    const texts = links
      .filter(({ kind }) => kind === 'page')
      .map(({ extent: { at, length } = { at: 0, length: 0 } }) =>
        decoder.decode(bytes.subarray(at, at + length)),
      );
    assert.deepEqual(texts, [
      '<A HREF="/a?x=1&amp;y=2">näch<b>ste</b> Seite</A >',
      '<a href="b.html">offen<p>',
      '<a href=c.html>drei</a>',
      '<area href="d.html" alt="vier">',
    ]);
  });
