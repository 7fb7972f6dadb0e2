import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeText } from '../../../test/archived-content/encode-text.ts';
import { detectCharset, encodingOf } from './charset.ts';
import { readContent } from './read-content.ts';

/** A word in each encoding that the web has. */
const WORDS: Readonly<Record<string, string>> = {
  'utf-8': 'Größe 東京 🌍',
  'utf-16le': 'Größe 東京 🌍',
  'utf-16be': 'Größe 東京 🌍',
  ibm866: 'Погода',
  'iso-8859-2': 'Łódź',
  'iso-8859-3': 'Ħamrun',
  'iso-8859-4': 'Ļaudona',
  'iso-8859-5': 'Погода',
  'iso-8859-6': 'مدينة',
  'iso-8859-7': 'Αθήνα',
  'iso-8859-8': 'שלום',
  'iso-8859-8-i': 'שלום',
  'iso-8859-10': 'Þórshöfn',
  'iso-8859-13': 'Šiauliai',
  'iso-8859-14': 'Ŵyth',
  'iso-8859-15': 'œuvre €',
  'iso-8859-16': 'Știri',
  'koi8-r': 'Погода',
  'koi8-u': 'Київ',
  macintosh: 'Crème ¥',
  'windows-874': 'กรุงเทพ',
  'windows-1250': 'Řeka',
  'windows-1251': 'Погода',
  'windows-1252': '“Café”',
  'windows-1253': 'Αθήνα',
  'windows-1254': 'İstanbul ğ',
  'windows-1255': 'שלום',
  'windows-1256': 'مدينة',
  'windows-1257': 'Šiauliai',
  'windows-1258': 'Đường',
  'x-mac-cyrillic': 'Погода',
  gbk: '北京天气',
  gb18030: '北京天气',
  big5: '台北天氣',
  'euc-jp': '東京の天気',
  'iso-2022-jp': '東京の天気',
  shift_jis: '東京の天気',
  'euc-kr': '서울 날씨',
};

/** Characters that an encoding lacks are left out of its word. */
const writable = (word: string, encoding: string): string =>
  [...word]
    .filter((character) => {
      try {
        return new TextDecoder(encoding).decode(encodeText(character, encoding)) === character;
      } catch {
        return false;
      }
    })
    .join('');

for (const [encoding, whole] of Object.entries(WORDS)) {
  const word = writable(whole, encoding);
  const html = `<html><head><title>${word}</title></head><body>
    <p title="${word}">${word}</p><a href="/${word}/x.html?q=${word}">${word} &amp; ${word}</a>
    <img srcset="/${word}.png 1x, /b.png 2x"></body></html>`;
  const bytes = encodeText(html, encoding);

  test(`a page in ${encoding}, told by the header, is read: title, text, links and their places`, async () => {
    assert.ok(word.length >= 3, `${encoding} can write ${word}`);
    const reading = await readContent({
      url: 'http://a.example/',
      bytes,
      headers: [['Content-Type', `text/html; charset=${encoding}`]],
    });
    assert.equal(reading.charset?.encoding, encoding);
    assert.equal(reading.extracted.title, word);
    assert.equal(reading.text, `${word}\n${word} & ${word}`);
    const [page, first, second] = reading.links;
    assert.equal(page?.anchor, `${word} & ${word}`);
    assert.equal(page?.written, `/${word}/x.html?q=${word}`);
    for (const link of [page, first, second]) {
      assert.ok(link?.position);
      const { at, length } = link.position;
      const text = new TextDecoder(encoding).decode(bytes.subarray(at, at + length));
      assert.equal(text, link.written);
    }
    // Paths are sent in UTF-8, queries in the encoding of the page.
    const query = encoding.startsWith('utf-') ? Buffer.from(word) : encodeText(word, encoding);
    const url = new URL(page?.url ?? '');
    assert.equal(url.pathname, `/${encodeURI(word)}/x.html`);
    if (encoding !== 'iso-2022-jp')
      assert.equal(unescapeBytes(url.search.slice(3)), query.toString('latin1'));
  });
}

/** Percent-escapes back to bytes, as Latin-1. */
const unescapeBytes = (text: string): string =>
  text.replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

test('a byte order mark outweighs the header', () => {
  assert.deepEqual(detectCharset(Buffer.from('\ufeffx'), 'html', 'text/html; charset=koi8-r'), {
    encoding: 'utf-8',
    by: 'bom',
  });
});

/** A head, and the encoding that it declares. */
const HEADS: readonly (readonly [head: string, encoding: string])[] = [
  ['<meta charset=koi8-r>', 'koi8-r'],
  ['<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=Shift_JIS">', 'shift_jis'],
  ["<meta content='text/html;charset=windows-1251' http-equiv=content-type>", 'windows-1251'],
  ['<!-- <meta charset=big5> --><meta charset="euc-kr">', 'euc-kr'],
  ['<meta name=x content="charset=big5"><meta charset=gbk>', 'gbk'],
  ['<meta charset=utf-16>', 'utf-8'],
  ['<meta charset=x-user-defined>', 'windows-1252'],
  ['<?xml version="1.0" encoding="ISO-8859-2"?><html>', 'iso-8859-2'],
  [`<!-- ${'x'.repeat(3000)} --><meta charset=ibm866>`, 'ibm866'],
];
for (const [head, encoding] of HEADS) {
  test(`${head.slice(0, 80)} declares ${encoding}`, () => {
    assert.deepEqual(detectCharset(Buffer.from(`${head}\xff`, 'latin1'), 'html'), {
      encoding,
      by: 'declaration',
    });
  });
}

test('undeclared text is UTF-8 when it is valid so, Japanese mail when it has its escapes, else Windows', () => {
  assert.equal(detectCharset(Buffer.from('größer'), 'html').encoding, 'utf-8');
  assert.equal(detectCharset(Buffer.from('gr\xf6\xdfer', 'latin1'), 'html').encoding, 'windows-1252');
  assert.equal(detectCharset(encodeText('東京', 'iso-2022-jp'), 'html').encoding, 'iso-2022-jp');
  assert.equal(detectCharset(Buffer.from('<\0a\0>\0', 'latin1'), 'html').encoding, 'utf-16le');
});

test('an unknown label is told, and the next source is asked', () => {
  assert.deepEqual(
    detectCharset(Buffer.from('<meta charset=none-such>\xe9', 'latin1'), 'html', 'a/b;charset=nope'),
    {
      encoding: 'windows-1252',
      by: 'default',
      refused: 'nope',
    },
  );
  assert.equal(encodingOf('iso-2022-kr'), undefined);
  assert.equal(encodingOf(' Latin1 '), 'windows-1252');
});

test('a style sheet declares itself by @charset', () => {
  assert.equal(detectCharset(Buffer.from('@charset "koi8-r";'), 'css').encoding, 'koi8-r');
});
