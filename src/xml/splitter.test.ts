import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { XmlC14NMode, XmlDocument } from 'libxml2-wasm';
import { parseXml } from './engine.ts';
import { type SplitOptions, type SplitProblem, type SplitRecord, splitRecords } from './splitter.ts';

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function* cut(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const isRecord = (_: string, name: string) => name === 'record';

async function split(
  input: string | Uint8Array,
  options: Partial<SplitOptions> & { chunk?: number } = {},
): Promise<(SplitRecord | SplitProblem)[]> {
  const bytes = typeof input === 'string' ? Buffer.from(input) : input;
  return collect(splitRecords(cut(bytes, options.chunk ?? 65_536), { isRecord, ...options }));
}

/** Short forms to compare: the record's text, or `code@line`. */
const brief = (results: readonly (SplitRecord | SplitProblem)[]) =>
  results.map((result) =>
    result.kind === 'record' ? Buffer.from(result.bytes).toString() : `${result.code}@${result.line}`,
  );

const canonical = (xml: string | Uint8Array) => {
  using document = XmlDocument.fromBuffer(Buffer.from(xml));
  return document.canonicalizeToString({ mode: XmlC14NMode.XML_C14N_EXCLUSIVE_1_0, withComments: true });
};

/** What libxml2 says the records are. */
function recordsByParser(xml: string, path: string): string[] {
  using document = XmlDocument.fromString(xml);
  return document
    .find(path)
    .map((node) =>
      node.canonicalizeToString({ mode: XmlC14NMode.XML_C14N_EXCLUSIVE_1_0, withComments: true }),
    );
}

const TRICKY: Record<string, string> = {
  'an OAI-like list': `<?xml version="1.0" encoding="UTF-8"?>
<OAI xmlns="urn:oai" xmlns:x="urn:x?a=1&amp;b=2"><!-- <record>no</record> -->
  <request verb="List>"/>
  <List>
    <record x:a="1 > 0"><x:m>Grüße ]]&gt;</x:m></record>
    <record/>
    <record xmlns="urn:oai"><m xmlns="">plain</m></record>
    <resumptionToken>abc</resumptionToken>
  </List>
</OAI>
<!-- end -->`,
  'traps in sections and quotes': `<l xmlns:p='urn:p'><?pi <record> ?><record
  a='"/record>"'
  b="'>'"><![CDATA[</record><record>]]]]></record><!-- -><record> --><record ><?a ></record>?><!-- </record> - > --></record
></l>`,
  'records inside of records': `<l><record><record><record/>a</record>b</record><group><record>not at this depth</record></group><record>c</record></l>`,
  'names that begin alike': `<l><record><recordset/></record><recordset><x/></recordset><record.x></record.x><record>é</record></l>`,
  'several lists and changing namespaces': `<r xmlns:a="urn:a"><l xmlns="urn:1"><record a:x="1"><b/></record></l><l xmlns="urn:1" xmlns:a="urn:b"><record a:x="2"/></l><l/></r>`,
};

for (const [name, xml] of Object.entries(TRICKY))
  test(`${name}: every chunk size gives the records that the parser finds`, async () => {
    const expected = recordsByParser(
      xml,
      "//*[local-name() = 'record'][count(ancestor::*) = count((//*[local-name() = 'record'])[1]/ancestor::*)]",
    );
    assert.ok(expected.length > 1);
    for (let chunk = 1; chunk <= 200; chunk++) {
      const results = await split(xml, { chunk });
      assert.deepEqual(
        results.map((result) => (result.kind === 'record' ? canonical(result.bytes) : result)),
        expected,
        `chunk size ${chunk}`,
      );
    }
  });

test('random documents split the same however they are cut, and as the parser says', async () => {
  const text = fc.constantFrom(
    '',
    'a',
    'ü',
    ' \n',
    '&lt;',
    '<!-- <record> -->',
    '<![CDATA[</record>]]>',
    '<?p > ?>',
  );
  const attribute = fc.constantFrom(
    '',
    ' a=">"',
    " a='\"'",
    ' xmlns="urn:z"',
    ' xmlns:q="urn:q"',
    ' q:b="1"',
  );
  const { node } = fc.letrec<{ node: string }>((tie) => ({
    node: fc
      .tuple(
        fc.constantFrom('record', 'q:record', 'rec', 'x'),
        attribute,
        fc.array(fc.oneof({ depthSize: 'small' }, text, tie('node')), { maxLength: 4 }),
      )
      .map(([name, attr, children]) =>
        children.length === 0 ? `<${name}${attr}/>` : `<${name}${attr}>${children.join('')}</${name}>`,
      ),
  }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(node, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 50 }),
      async (nodes, chunk) => {
        const xml = `<l xmlns:q="urn:w"><record/>${nodes.join('\n')}</l>`;
        const expected = recordsByParser(xml, "/l/*[local-name() = 'record']");
        const results = await split(xml, { chunk });
        assert.deepEqual(
          results.map((result) => (result.kind === 'record' ? canonical(result.bytes) : result)),
          expected,
        );
      },
    ),
    { numRuns: 200 },
  );
});

test('a record says its line, namespace and name, and its bytes parse alone', async () => {
  const results = await split(TRICKY['an OAI-like list'] ?? '');
  assert.deepEqual(
    results.map((result) =>
      result.kind === 'record' ? [result.line, result.namespace, result.name] : result,
    ),
    [
      [5, 'urn:oai', 'record'],
      [6, 'urn:oai', 'record'],
      [7, 'urn:oai', 'record'],
    ],
  );
  for (const result of results) {
    assert.ok(result.kind === 'record');
    using document = parseXml(result.bytes);
    assert.equal(document.root.namespace, 'urn:oai');
  }
});

test('only namespace declarations that the record does not make itself are added', async () => {
  const xml =
    '<l xmlns="urn:1" xmlns:a="urn:a" xml:lang="de"><m xmlns=""><record xmlns:a="urn:b" c=""/></m><m><record/></m></l>';
  assert.deepEqual(brief(await split(xml)), [
    '<record xmlns:a="urn:b" c=""/>',
    '<record xmlns="urn:1" xmlns:a="urn:a"/>',
  ]);
});

test('siblings that the caller recognises are records too, other siblings are not', async () => {
  const xml = '<l><dif>1</dif><iso>2</iso><record>3</record><note><iso/></note><iso/></l>';
  const known = (_: string, name: string) => name === 'iso' || name === 'dif';
  assert.deepEqual(brief(await split(xml, { isRecord: known })), ['<dif>1</dif>', '<iso>2</iso>', '<iso/>']);
});

test('a document whose root is the record comes out byte for byte', async () => {
  for (const xml of [
    '\uFEFF<?xml version="1.0"?>\n<!-- a --><record xmlns="urn:x"><record/></record>\n<?after?>\n',
    '<record/>',
  ])
    for (let chunk = 1; chunk < xml.length + 5; chunk++)
      assert.deepEqual(brief(await split(xml, { chunk })), [xml]);
});

test('a document without any recognised element is one record', async () => {
  const xml = '<?xml version="1.0"?><a xmlns="urn:a"><b/><c>é</c></a>\n';
  const [only, ...rest] = await split(xml, { chunk: 3 });
  assert.deepEqual(rest, []);
  assert.ok(only?.kind === 'record');
  assert.deepEqual(
    [only.namespace, only.name, only.line, Buffer.from(only.bytes).toString()],
    ['urn:a', 'a', 1, xml],
  );
});

test('a DOCTYPE is refused', async () => {
  const xml = '<?xml version="1.0"?>\n<!DOCTYPE l [<!ENTITY a "b">]><l><record>&a;</record></l>';
  for (const chunk of [1, 7, 1000]) assert.deepEqual(brief(await split(xml, { chunk })), ['xml.forbidden@2']);
});

test('a record over the limit is skipped, its neighbours are not', async () => {
  const big = `<record>\n${'<x>y</x>'.repeat(100)}</record>`;
  const xml = `<l>\n<record>1</record>\n${big}\n<record>2</record></l>`;
  for (const chunk of [1, 10, 64, 10_000])
    assert.deepEqual(brief(await split(xml, { chunk, maxRecordBytes: 200 })), [
      '<record>1</record>',
      'xml.too-large@3',
      '<record>2</record>',
    ]);
});

test('a document without records over the limit is refused, records behind a long prologue are found', async () => {
  const filler = '<x>y</x>'.repeat(100);
  assert.deepEqual(brief(await split(`<l>${filler}</l>`, { chunk: 64, maxRecordBytes: 200 })), [
    'xml.too-large@1',
  ]);
  assert.deepEqual(brief(await split(`<record>${filler}</record>`, { chunk: 64, maxRecordBytes: 200 })), [
    'xml.too-large@1',
  ]);
  assert.deepEqual(brief(await split(`<l>${filler}<record/></l>`, { chunk: 64, maxRecordBytes: 200 })), [
    '<record/>',
  ]);
});

test('input that ends too early is a problem at its end, after the records before it', async () => {
  const cases: [string, string][] = [
    ['<l>\n<record/>\n<record>\n<a>', 'xml.malformed@4'],
    ['<l>\n<record/>\n', 'xml.malformed@3'],
    ['<l><record/></l', 'xml.malformed@1'],
    ['<l><record/><!-- ', 'xml.malformed@1'],
    ['<l><record/><', 'xml.malformed@1'],
  ];
  for (const [xml, problem] of cases)
    for (const chunk of [1, 100])
      assert.deepEqual(brief(await split(xml, { chunk })), ['<record/>', problem], xml);
  for (const xml of ['', ' \n', '<a>\n<b>', '<record>\n<b></record', '<!-- x'])
    assert.deepEqual(brief(await split(xml)), [`xml.malformed@${xml.split('\n').length}`], xml);
});

test('a broken record does not swallow its neighbours', async () => {
  const broken = [
    '<record><a></record>',
    '<record></a></record>',
    '<record><a b="c></a></record>',
    '<record>1 < 2</record>',
    '<record><a <b></a></record>',
    '<record><!ENTITY></record>',
  ];
  const results = await split(`<l><record>1</record>${broken.join('')}<record>2</record></l>`);
  assert.deepEqual(brief(results), ['<record>1</record>', ...broken, '<record>2</record>']);
  for (const result of results.slice(1, -1)) {
    assert.ok(result.kind === 'record');
    assert.throws(() => parseXml(result.bytes), { code: 'xml.malformed' });
  }
});

test('what comes after the root element is a problem', async () => {
  assert.deepEqual(brief(await split('<l><record/></l>\n<l><record/></l>')), [
    '<record/>',
    'xml.malformed@2',
  ]);
  assert.deepEqual(brief(await split('<l><record/></l>\n</l>')), ['<record/>', 'xml.malformed@2']);
});

test('100,000 nested elements are refused', async () => {
  assert.deepEqual(brief(await split('<a>'.repeat(100_000))), ['xml.too-deep@1']);
  assert.deepEqual(brief(await split('<a><b><record/></b></a>', { maxDepth: 1 })), ['xml.too-deep@1']);
});

test('a tag without end is refused in bounded memory', async () => {
  function* endless() {
    yield Buffer.from('<l><record/><record a="');
    const filler = Buffer.alloc(1_000_000, 'x');
    for (let i = 0; i < 1000; i++) yield filler;
  }
  const results = await collect(splitRecords(endless(), { isRecord }));
  assert.deepEqual(brief(results), ['<record/>', 'xml.too-large@1']);
});

test('a stream of 150 MB, a third of it one comment, passes in bounded memory', async () => {
  const record = `<record>${'<a b="c">text</a>'.repeat(500)}</record>\n`;
  const block = Buffer.from(record.repeat(30));
  function* stream() {
    yield Buffer.from('<l><!--');
    for (let i = 0; i < 50; i++) yield Buffer.alloc(1_000_000, '- ');
    yield Buffer.from('-->');
    for (let i = 0; i < 400; i++) yield block;
    yield Buffer.from('</l>');
  }
  const before = process.memoryUsage().arrayBuffers;
  let count = 0;
  let peak = 0;
  for await (const result of splitRecords(stream(), { isRecord })) {
    assert.equal(result.kind, 'record');
    count++;
    if (count % 1000 === 0) peak = Math.max(peak, process.memoryUsage().arrayBuffers);
  }
  assert.equal(count, 12_000);
  assert.ok(peak - before < 80_000_000, `${peak - before} bytes`);
});

test('invalid UTF-8 is the problem of its own record', async () => {
  const xml = Buffer.concat([
    Buffer.from('<l><record>é</record>\n<record>'),
    Buffer.from([0xe9, 0x20]),
    Buffer.from('</record><record>ü</record></l>'),
  ]);
  for (const chunk of [1, 5, 100])
    assert.deepEqual(brief(await split(xml, { chunk })), [
      '<record>é</record>',
      'xml.encoding@2',
      '<record>ü</record>',
    ]);
  assert.deepEqual(brief(await split(Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0x3c, 0x2f, 0x61, 0x3e]))), [
    'xml.encoding@1',
  ]);
});

test('other encodings are split as UTF-8, with a declaration that says so', async () => {
  const xml = (encoding: string) =>
    `<?xml version="1.0" encoding='${encoding}' standalone="yes"?>\n<record>“Žluť” 𝒳</record>`;
  for (const bytes of [
    Buffer.from(`\uFEFF${xml('UTF-16')}`, 'utf16le'),
    Buffer.from(`\uFEFF${xml('utf-16')}`, 'utf16le').swap16(),
    Buffer.from(xml('UTF-16LE'), 'utf16le'),
  ])
    for (const chunk of [1, 2, 3, 7, 64, 1000])
      assert.deepEqual(brief(await split(bytes, { chunk })), [xml('UTF-8')]);
  const latin = Buffer.from(
    '<?xml version="1.0" encoding="iso-8859-1"?><l>\n<record>caf\xe9 \x93</record></l>',
    'latin1',
  );
  for (const chunk of [1, 20, 1000])
    assert.deepEqual(brief(await split(latin, { chunk })), ['<record>café “</record>']);
  const windows = Buffer.from('<?xml version="1.0" encoding="windows-1252"?><record>\x80</record>', 'latin1');
  assert.deepEqual(brief(await split(windows)), ['<?xml version="1.0" encoding="UTF-8"?><record>€</record>']);
});

test('an unknown encoding and broken UTF-16 are problems', async () => {
  assert.deepEqual(brief(await split('<?xml version="1.0" encoding="klingon"?><l/>')), ['xml.encoding@1']);
  const lone = Buffer.from('\uFEFF<l><record/>\ud800</l>', 'utf16le');
  for (const chunk of [4, 6]) assert.equal(brief(await split(lone, { chunk })).at(-1), 'xml.encoding@1');
  assert.deepEqual(brief(await split(Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0]))), ['xml.encoding@1']);
});

test('errors of the source itself are passed on', async () => {
  async function* failing() {
    yield Buffer.from('<l><record/>');
    throw new RangeError('disk gone');
  }
  await assert.rejects(collect(splitRecords(failing(), { isRecord })), RangeError);
});
