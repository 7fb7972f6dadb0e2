import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { writePdf } from '../../../test/archived-content/write-pdf.ts';
import { CONTENT_LIMITS } from './limits.ts';
import { createPdfReader } from './pdf/pdf-reader.ts';
import { readContent } from './read-content.ts';
import { parsePdfDate } from './read-pdf.ts';
import { textForIndex } from './text.ts';

const pdf = createPdfReader();
after(() => pdf.close());

const XMP = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreateDate="2004-05-06T07:08:09+02:00">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Tides &amp; Clouds</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>A. Author</rdf:li><rdf:li>B. Author</rdf:li></rdf:Seq></dc:creator><dc:language><rdf:Bag><rdf:li>en</rdf:li></rdf:Bag></dc:language>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
const PAPER = writePdf({
  pages: ['Tides of the harbour\nsee http://data.example.org/tides.', 'Second page'],
  info: "/Title (Old title) /Author (A. Author) /CreationDate (D:20040506070809+02'00') /Project (Tides)",
  xmp: XMP,
  link: 'http://www.example.org/annex.html#p2',
});
const read = (bytes: Uint8Array) =>
  readContent(
    { url: 'http://www.example.org/papers/t.pdf', bytes, headers: [['content-type', 'text/html']] },
    { pdf },
  );

test('a PDF gives the text of its pages, its properties and its dates', async () => {
  const { type, text, extracted, problems } = await read(PAPER);
  assert.equal(type.type, 'application/pdf');
  assert.equal(text, 'Tides of the harbour\nsee http://data.example.org/tides.\fSecond page');
  assert.equal(extracted.title, 'Tides & Clouds');
  assert.deepEqual(extracted.pdf, {
    version: '1.4',
    pages: 2,
    encrypted: false,
    info: [
      { name: 'Title', value: 'Old title' },
      { name: 'Author', value: 'A. Author' },
      { name: 'CreationDate', value: "D:20040506070809+02'00'" },
      { name: 'Project', value: 'Tides' },
    ],
    xmp: [
      { name: 'xmp:CreateDate', value: '2004-05-06T07:08:09+02:00' },
      { name: 'dc:title', value: 'Tides & Clouds' },
      { name: 'dc:creator', value: 'A. Author' },
      { name: 'dc:creator', value: 'B. Author' },
      { name: 'dc:language', value: 'en' },
    ],
  });
  assert.deepEqual(
    extracted.dates.map(({ value, meaning, origin }) => [value, meaning, origin]),
    [
      ['2004-05-06T05:08:09Z', 'created', 'info CreationDate'],
      ['2004-05-06T05:08:09Z', 'created', 'xmp xmp:CreateDate'],
    ],
  );
  assert.deepEqual(extracted.languages, [{ value: 'en', origin: 'xmp dc:language' }]);
  assert.deepEqual(problems, []);
});

test('the links of a PDF are its annotations, and, as a guess, the addresses in its text', async () => {
  const { links } = await read(PAPER);
  assert.deepEqual(links, [
    {
      url: 'http://www.example.org/annex.html',
      written: 'http://www.example.org/annex.html#p2',
      kind: 'page',
      rel: 'page 1',
    },
    {
      url: 'http://data.example.org/tides',
      written: 'http://data.example.org/tides',
      kind: 'page',
      rel: 'text',
      heuristic: true,
    },
  ]);
});

test('the text of a PDF goes to the index in parts', async () => {
  const text = textForIndex(await read(PAPER));
  assert.deepEqual(text?.parts, [
    'Tides of the harbour',
    'see http://data.example.org/tides.',
    'Second page',
  ]);
  assert.equal(text?.title, 'Tides & Clouds');
});

test('a PDF that is damaged or cut is a problem, and the next one is read', async () => {
  const broken = await read(Buffer.from('%PDF-1.4\nnothing of the kind'));
  assert.deepEqual(
    broken.problems.map(({ code }) => code),
    ['content.unreadable'],
  );
  assert.equal(broken.text, '');
  // Without the place of its table a file can be searched for its objects.
  const cut = await read(PAPER.subarray(0, PAPER.indexOf('startxref')));
  assert.match(cut.text, /Tides of the harbour/);
  assert.match((await read(PAPER)).text, /Second page/);
});

test('a PDF has limits of size, pages and time', async () => {
  const small = createPdfReader({ limits: { ...CONTENT_LIMITS, pdfPages: 1, pdfBytes: PAPER.length } });
  const reading = await readContent({ url: 'http://a.example/', bytes: PAPER }, { pdf: small });
  assert.equal(reading.text, 'Tides of the harbour\nsee http://data.example.org/tides.');
  assert.deepEqual(
    reading.problems.map(({ code }) => code),
    ['content.cut'],
  );
  const large = await readContent(
    { url: 'http://a.example/', bytes: Buffer.concat([PAPER, PAPER]) },
    { pdf: small },
  );
  assert.deepEqual(
    large.problems.map(({ code }) => code),
    ['content.unreadable'],
  );
  await small.close();

  const hasty = createPdfReader({ limits: { ...CONTENT_LIMITS, pdfTimeoutMs: 1 } });
  const thick = writePdf({ pages: Array.from({ length: 300 }, (_, page) => `page ${page} of many`) });
  const late = await readContent({ url: 'http://a.example/', bytes: thick }, { pdf: hasty });
  assert.deepEqual(
    late.problems.map(({ code }) => code),
    ['content.timeout'],
  );
  await hasty.close();
});

test('a PDF that unpacks to more than the memory limit ends its thread, not the process', async () => {
  const careful = createPdfReader({ limits: { ...CONTENT_LIMITS, pdfMemoryMb: 64 } });
  const unpacked = Buffer.alloc(256 << 20, 'BT (x) Tj ET ');
  const bomb = packPdf(deflateSync(unpacked, { level: 1 }));
  const reading = await readContent({ url: 'http://a.example/', bytes: bomb }, { pdf: careful });
  assert.deepEqual(
    reading.problems.map(({ code }) => code),
    ['content.unreadable'],
  );
  assert.match(reading.problems[0]?.message ?? '', /64 MB/);
  assert.match(
    (await readContent({ url: 'http://a.example/', bytes: PAPER }, { pdf: careful })).text,
    /Tides/,
  );
  await careful.close();
});

/** One page whose content is packed; without a table of offsets, which readers do without. */
const packPdf = (content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(
      `%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Count 1 /Kids [3 0 R] >>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>\nendobj\n4 0 obj\n<< /Filter /FlateDecode /Length ${content.length} >>\nstream\n`,
    ),
    content,
    Buffer.from('\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n'),
  ]);

test('without a reader of PDF files a capture is known by its type alone', async () => {
  const reading = await readContent({ url: 'http://a.example/', bytes: PAPER });
  assert.equal(reading.type.type, 'application/pdf');
  assert.equal(reading.text, '');
});

const DATES: readonly (readonly [written: string, date: string | undefined])[] = [
  ['D:2004', '2004'],
  ['D:200405', '2004-05'],
  ['D:20040506', '2004-05-06'],
  ['D:20040506070809Z', '2004-05-06T07:08:09Z'],
  ["D:20040506070809-05'30'", '2004-05-06T12:38:09Z'],
  ['D:2004050607', '2004-05-06T07:00:00Z'],
  ['20040506', undefined],
];
for (const [written, date] of DATES) {
  test(`the PDF date ${written} is ${date ?? 'none'}`, () => {
    assert.equal(parsePdfDate(written), date);
  });
}
