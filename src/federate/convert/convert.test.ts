/** What converters make, and what they refuse. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import sharp from 'sharp';
import { GarnerError } from '../../core/errors.ts';
import { escapeAttribute, escapeText } from '../../xml/write.ts';
import { openConversions } from './conversions.ts';
import { readTable, writeTable } from './csv-json.ts';
import { PDS_IMAGE, readPdsImage } from './pds-image.ts';
import { isPdsLabel } from './pds-label.ts';
import { jsonToXml, xmlToJson } from './xml-json.ts';

const conversions = openConversions({ maxBytes: 1 << 20, timeoutMs: 20_000 });
after(() => conversions.close());

async function* pieces(...parts: readonly (Uint8Array | string)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

function convert(bytes: Uint8Array | string, from: string, to: string, scale = {}): Promise<Uint8Array> {
  const conversion = conversions.list(from).find((one) => one.to === to);
  assert.ok(conversion, `${from} to ${to}`);
  return conversion.run(pieces(bytes), scale);
}

const isConversion = (error: unknown): boolean =>
  error instanceof GarnerError && error.code === 'product.conversion';

const picture = sharp({ create: { width: 40, height: 20, channels: 4, background: '#ff000080' } });

test('pictures become PNG, JPEG and WebP of one another, as large as asked', async () => {
  const png = await picture.png().toBuffer();
  for (const [to, format] of [
    ['image/jpeg', 'jpeg'],
    ['image/webp', 'webp'],
    ['image/png', 'png'],
  ] as const) {
    const made = await convert(png, 'image/png', to, { width: 10 });
    const { width, height, format: known } = await sharp(made).metadata();
    assert.deepEqual({ width, height, known }, { width: 10, height: 5, known: format });
    const back = await convert(made, to, 'image/png');
    assert.equal((await sharp(back).metadata()).format, 'png');
  }
  const same = await convert(png, 'image/png', 'image/jpeg', { width: 4000, height: 4000 });
  assert.equal((await sharp(same).metadata()).width, 40, 'pictures are not blown up');
});

test('what only calls itself a picture is not read', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/hosts"/></svg>';
  for (const bytes of [svg, 'no picture', ''])
    await assert.rejects(convert(bytes, 'image/png', 'image/jpeg'), isConversion);
  assert.deepEqual(
    conversions.list('image/svg+xml').map(({ to }) => to),
    ['application/json'],
    'it is XML only',
  );
});

test('what is too large for a conversion is refused', async () => {
  await assert.rejects(convert(Buffer.alloc((1 << 20) + 1), 'image/png', 'image/jpeg'), isConversion);
});

function pdsFile(
  image: Readonly<Record<string, string | number>>,
  data: Uint8Array,
  { pointer = '2', sfdu = false } = {},
): Buffer {
  const label = [
    ...(sfdu ? ['CCSD3ZF0000100000001NJPL3IF0PDSX00000001'] : []),
    'PDS_VERSION_ID = PDS3',
    'RECORD_TYPE = FIXED_LENGTH /* of the file */',
    'RECORD_BYTES = 512',
    `^IMAGE = ${pointer}`,
    'NOTE = "two lines,',
    'END_OBJECT = NONSENSE"',
    'OBJECT = IMAGE',
    ...Object.entries(image).map(([key, value]) => `  ${key} = ${value}`),
    'END_OBJECT = IMAGE',
    'END',
    '',
  ].join('\r\n');
  return Buffer.concat([Buffer.from(label.padEnd(512)), data]);
}

test('a PDS image with its label becomes a picture of its samples', async () => {
  const samples = Uint8Array.from([1, 2, 3, 9, 4, 5, 6, 9]);
  const file = pdsFile({ LINES: 2, LINE_SAMPLES: 3, SAMPLE_BITS: 8, LINE_SUFFIX_BYTES: 1 }, samples, {
    sfdu: true,
  });
  assert.ok(isPdsLabel(file));
  assert.deepEqual([...readPdsImage(file).pixels], [1, 2, 3, 4, 5, 6]);
  const png = await convert(file, PDS_IMAGE, 'image/png');
  const { data, info } = await sharp(png).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height, info.channels, ...data], [3, 2, 1, 1, 2, 3, 4, 5, 6]);
});

test('samples of other kinds are stretched, three bands are colours', () => {
  const words = Buffer.alloc(8);
  for (const [i, value] of [-100, 0, 100, 410].entries()) words.writeInt16BE(value, 2 * i);
  const grey = { LINES: 1, LINE_SAMPLES: 4, SAMPLE_BITS: 16, SAMPLE_TYPE: 'MSB_INTEGER' };
  assert.deepEqual(
    [...readPdsImage(pdsFile(grey, words, { pointer: '513 <BYTES>' })).pixels],
    [0, 50, 100, 255],
  );
  const bands = { LINES: 1, LINE_SAMPLES: 2, BANDS: 3, SAMPLE_BITS: 8 };
  const planes = Uint8Array.from([1, 2, 10, 20, 100, 200]);
  assert.deepEqual([...readPdsImage(pdsFile(bands, planes)).pixels], [1, 10, 100, 2, 20, 200]);
  const lines = readPdsImage(pdsFile({ ...bands, BAND_STORAGE_TYPE: 'SAMPLE_INTERLEAVED' }, planes));
  assert.deepEqual([...lines.pixels], [...planes]);
});

test('PDS labels that lie are refused', () => {
  const good = { LINES: 2, LINE_SAMPLES: 2, SAMPLE_BITS: 8 };
  const data = new Uint8Array(4);
  assert.equal(readPdsImage(pdsFile(good, data)).width, 2);
  for (const [image, more, bytes] of [
    [{ ...good, LINES: 3 }, {}, data],
    [{ ...good, LINES: 999_999_999, LINE_SAMPLES: 999_999_999 }, {}, data],
    [{ ...good, LINES: 'many' }, {}, data],
    [{ ...good, SAMPLE_BITS: 7 }, {}, data],
    [{ ...good, ENCODING_TYPE: 'HUFFMAN_FIRST_DIFFERENCE' }, {}, data],
    [good, { pointer: '("OTHER.IMG", 1)' }, data],
    [good, {}, new Uint8Array()],
  ] as const)
    assert.throws(() => readPdsImage(pdsFile(image, bytes, more)), isConversion, JSON.stringify(image));
  assert.throws(() => readPdsImage(Buffer.from('PDS_VERSION_ID = PDS3\r\n')), isConversion);
});

test('XML becomes JSON by its names, in order where names would lose it', () => {
  const json = (xml: string): unknown => JSON.parse(xmlToJson(Buffer.from(xml)));
  assert.deepEqual(json('<a><b>1</b><b x="2"/>\n<c/></a>'), { a: { b: ['1', { '@x': '2' }], c: '' } });
  assert.deepEqual(json('<p>one <i>two</i> <![CDATA[<3>]]></p>'), {
    p: { '#content': ['one ', { i: 'two' }, ' <3>'] },
  });
  assert.deepEqual(json('<a><b/><c/><b/></a>'), { a: { '#content': [{ b: '' }, { c: '' }, { b: '' }] } });
  assert.throws(() => json('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'), /DOCTYPE/);
  assert.throws(() => json('<a><b></a>'));
});

const jsonValue = fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 });

test('any JSON comes back from XML as it was', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        jsonValue,
        fc.dictionary(fc.constantFrom('a', '__proto__', 'x:y', '@b', '#text', 'c d'), jsonValue),
      ),
      (value) => {
        const text = JSON.stringify(value);
        assert.equal(xmlToJson(Buffer.from(jsonToXml(Buffer.from(text)))), `${text}\n`);
      },
    ),
    { numRuns: 300 },
  );
});

const name = fc.constantFrom('a', 'b', 'long-name', '__proto__', 'ä');
const words = fc.stringMatching(/^[ -~äöü]{0,8}$/).map((text) => text.trim());
const { element } = fc.letrec<{ element: string }>((tie) => ({
  element: fc
    .tuple(
      name,
      fc.dictionary(name, words, { maxKeys: 2 }),
      fc.array(
        fc.oneof(
          { depthSize: 'small' },
          words.map((text) => escapeText(text)),
          tie('element'),
        ),
        { maxLength: 4 },
      ),
    )
    .map(([tag, attributes, content]) => {
      const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`);
      return content.join('') === ''
        ? `<${tag}${written.join('')}/>`
        : `<${tag}${written.join('')}>${content.join('')}</${tag}>`;
    }),
}));

test('any XML comes back from JSON as it was', () => {
  fc.assert(
    fc.property(element, (xml) => {
      const back = jsonToXml(Buffer.from(xmlToJson(Buffer.from(xml))));
      assert.equal(back, `<?xml version="1.0" encoding="UTF-8"?>\n${xml}\n`);
    }),
    { numRuns: 300 },
  );
});

test('tables go between CSV and JSON', async () => {
  const csv = 'name,note\r\nIo,"volcanoes, ""many"""\r\nMars,\r\n';
  const rows = [
    { name: 'Io', note: 'volcanoes, "many"' },
    { name: 'Mars', note: '' },
  ];
  assert.deepEqual(readTable(Buffer.from(csv)), rows);
  assert.equal(writeTable(rows), csv);
  assert.equal(
    Buffer.from(await convert(JSON.stringify(rows), 'application/json', 'text/csv')).toString(),
    csv,
  );
  assert.equal(writeTable([{ a: 1 }, { b: [2], a: null }]), 'a,b\r\n1,\r\n,[2]\r\n');
  for (const value of [{ a: 1 }, [1], 'text']) assert.throws(() => writeTable(value), isConversion);
  assert.throws(() => readTable(Buffer.from('a,a\n1,2\n')), isConversion);
});
