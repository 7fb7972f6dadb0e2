import assert from 'node:assert/strict';
import { test } from 'node:test';
import { XmlNodeSetStruct } from 'libxml2-wasm/lib/libxml2.mjs';
import { type ErrorCode, GarnerError } from '../core/errors.ts';
import { compilePath, parseXml, type XmlLimits } from './engine.ts';

const fails = (input: string | Uint8Array, code: ErrorCode, message?: RegExp, limits: XmlLimits = {}) => {
  const bytes = typeof input === 'string' ? Buffer.from(input) : input;
  assert.throws(
    () => parseXml(bytes, limits).dispose(),
    (error) => {
      assert.ok(error instanceof GarnerError);
      assert.equal(error.code, code, error.message);
      if (message) assert.match(error.message, message);
      return true;
    },
  );
  using next = parseXml(Buffer.from('<next>fine</next>'));
  assert.equal(next.root.text, 'fine');
};

const SAMPLE = Buffer.from(
  `<?xml version="1.0"?>
<d:list xmlns:d="urn:d" n="7">
  <d:item id="a"> One &amp; <b>two</b> </d:item>
  <d:item id="b"><![CDATA[<three>]]></d:item>
  <d:item id="c">   </d:item>
</d:list>`,
);
const d = { d: 'urn:d' };

test('a path gives the trimmed text of its nodes in document order, without blanks', () => {
  using document = parseXml(SAMPLE);
  assert.deepEqual(document.evaluate(compilePath('//x:item', { x: 'urn:d' })), ['One & two', '<three>']);
  assert.deepEqual(document.evaluate(compilePath('/d:list/d:item/@id', d)), ['a', 'b', 'c']);
  assert.deepEqual(document.evaluate(compilePath('//nothing')), []);
});

test('strings, numbers and booleans are values too', () => {
  using document = parseXml(SAMPLE);
  assert.deepEqual(document.evaluate(compilePath("concat(' ', //d:item[2], ' ')", d)), ['<three>']);
  assert.deepEqual(document.evaluate(compilePath('count(//d:item)', d)), ['3']);
  assert.deepEqual(document.evaluate(compilePath('/d:list/@n div 2', d)), ['3.5']);
  assert.deepEqual(document.evaluate(compilePath('number(//d:item)', d)), []);
  assert.deepEqual(document.evaluate(compilePath("//d:item/@id = 'b'", d)), ['true']);
  assert.deepEqual(document.evaluate(compilePath("string('')")), []);
});

test('test() follows the rules of XPath boolean()', () => {
  using document = parseXml(SAMPLE);
  const cases: [string, boolean][] = [
    ['//d:item', true],
    ['//d:none', false],
    ["''", false],
    ["'0'", true],
    ['0', false],
    ['number("x")', false],
    ['2', true],
    ['//d:item/@id = "c"', true],
    ['not(//d:item)', false],
  ];
  for (const [path, expected] of cases) assert.equal(document.test(compilePath(path, d)), expected, path);
});

test('selected nodes are contexts for relative paths', () => {
  using document = parseXml(SAMPLE);
  const id = compilePath('@id');
  const items = document.select(compilePath('//d:item', d));
  assert.deepEqual(
    items.map((node) => [node.namespace, node.localName, node.line, document.evaluate(id, node)[0]]),
    [
      ['urn:d', 'item', 3, 'a'],
      ['urn:d', 'item', 4, 'b'],
      ['urn:d', 'item', 5, 'c'],
    ],
  );
  const [attribute] = document.select(id, items[1]);
  assert.equal(attribute?.text, 'b');
  assert.equal(attribute?.line, 4);
  assert.equal(attribute?.namespace, '');
  assert.deepEqual(document.select(compilePath('count(//d:item)', d)), []);
  assert.deepEqual(document.select(compilePath('/*/namespace::*')), []);
  assert.deepEqual([document.root.namespace, document.root.localName], ['urn:d', 'list']);
});

test('the same prefix may mean different namespaces in different paths', () => {
  using document = parseXml(Buffer.from('<r xmlns:a="urn:1" xmlns:b="urn:2"><a:x>1</a:x><b:x>2</b:x></r>'));
  const one = compilePath('//p:x', { p: 'urn:1' });
  const two = compilePath('//p:x', { p: 'urn:2' });
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(document.evaluate(one), ['1']);
    assert.deepEqual(document.evaluate(two), ['2']);
  }
});

test('a wrong path is refused with its text when it is compiled', () => {
  for (const [path, reason] of [
    ['//a[', /Invalid predicate|Invalid expression/i],
    ['//missing:a', /prefix "missing"/],
    ["//a[missing:b = 'x:y']", /prefix "missing"/],
    ['nonsense(//a)', /Unregistered function/i],
    ['$variable', /Undefined variable/i],
    ['', /./],
  ] as const)
    assert.throws(
      () => compilePath(path),
      (error) => {
        assert.ok(error instanceof GarnerError);
        assert.equal(error.code, 'xml.xpath');
        assert.ok(error.message.includes(`"${path}"`), error.message);
        assert.match(error.message, reason);
        return true;
      },
    );
});

test('colons in literals and axes are not prefixes', () => {
  using document = parseXml(Buffer.from('<a><b>x:y</b></a>'));
  assert.deepEqual(document.evaluate(compilePath("/child::a/child::b[. = 'x:y']")), ['x:y']);
});

test('a malformed document is refused with line and reason', () => {
  fails('<a>\n<b>\n</a>', 'xml.malformed', /^line 3: .*mismatch/);
  fails('', 'xml.malformed');
  fails('<a/>text', 'xml.malformed');
  fails('<a>\u0001</a>', 'xml.malformed');
  fails('<a>\0</a>', 'xml.malformed');
  fails('<a>&#0;</a>', 'xml.malformed');
  fails('<a b="1" b="2"/>', 'xml.malformed', /redefined/);
  fails('<a>&undefined;</a>', 'xml.malformed');
  fails('<a><p:b/></a>', 'xml.malformed', /prefix p/);
});

test('entity bombs and external entities are refused before anything is expanded', () => {
  const laughs = Array.from({ length: 10 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join(
    '',
  );
  fails(`<!DOCTYPE a [<!ENTITY l0 "ha">${laughs}]><a>&l10;</a>`, 'xml.forbidden', /DOCTYPE/);
  fails(`<!DOCTYPE a [<!ENTITY l "${'x'.repeat(50_000)}">]><a>${'&l;'.repeat(50_000)}</a>`, 'xml.forbidden');
  fails('<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>', 'xml.forbidden');
  fails('<?xml version="1.0"?><!-- <a> --><?x <b>?>\n<!DOCTYPE a SYSTEM "a.dtd"><a/>', 'xml.forbidden');
  fails(Buffer.from('\uFEFF<!DOCTYPE a><a/>', 'utf16le'), 'xml.forbidden');
});

test('long texts, long attributes and deep nesting are read', () => {
  for (const xml of [
    `<a>${'x'.repeat(11_000_000)}</a>`,
    `<a><![CDATA[${'x'.repeat(11_000_000)}]]></a>`,
    `<a>${`<b c="${'x'.repeat(11_000_000)}"/>`}</a>`,
    `${'<a>'.repeat(2000)}${'x'.repeat(100)}${'</a>'.repeat(2000)}`,
  ]) {
    using document = parseXml(Buffer.from(xml));
    const [length] = document.evaluate(compilePath('string-length(concat(/a, //@c))'));
    assert.equal(length, String(xml.match(/x/g)?.length), xml.slice(0, 20));
  }
});

test('too deep, too large and wrongly encoded documents have their own errors', () => {
  fails('<a>'.repeat(100_000) + '</a>'.repeat(100_000), 'xml.too-deep', /depth in document: 2048$/);
  fails(`<a>${'x'.repeat(65 * 2 ** 20)}</a>`, 'xml.too-large');
  fails('<a>12345678</a>', 'xml.too-large', /limit is 10/, { maxBytes: 10 });
  fails(Buffer.concat([Buffer.from('<a>'), Buffer.from([0xc3, 0x28]), Buffer.from('</a>')]), 'xml.encoding');
  fails('<?xml version="1.0" encoding="klingon"?><a/>', 'xml.encoding', /klingon/);
});

test('documents in other encodings are read', () => {
  const text = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><a>Žluťoučký “kůň”</a>`;
  for (const bytes of [
    Buffer.from(`\uFEFF${text('UTF-16')}`, 'utf16le'),
    Buffer.from(text('UTF-16'), 'utf16le'),
    Buffer.from(`\uFEFF${text('UTF-16')}`, 'utf16le').swap16(),
    Buffer.from(`\uFEFF${text('UTF-8')}`),
    Buffer.from(text('utf-16')),
  ]) {
    using document = parseXml(bytes);
    assert.equal(document.root.text, 'Žluťoučký “kůň”');
  }
  const latin = Buffer.concat([
    Buffer.from("<?xml version='1.0' encoding='ISO-8859-1'?><a>caf"),
    Buffer.from([0xe9, 0x93]),
    Buffer.from('</a>'),
  ]);
  using document = parseXml(latin);
  assert.equal(document.root.text, 'café“');
});

test('a document and its nodes cannot be used after disposal', () => {
  const document = parseXml(SAMPLE);
  const { root } = document;
  const path = compilePath('/*');
  document.dispose();
  document.dispose();
  assert.throws(() => document.evaluate(path), { code: 'internal.bug' });
  assert.throws(() => root.text, { code: 'internal.bug' });
  using other = parseXml(SAMPLE);
  assert.throws(() => other.evaluate(path, root), { code: 'internal.bug' });
});

test('memory stays bounded over thousands of good and bad documents', () => {
  // The table view of an empty node set is a view of the whole WASM memory.
  const wasmBytes = () => XmlNodeSetStruct.nodeTable(8, 0).buffer.byteLength;
  const good = Buffer.from(`<a>${'<b c="d">text</b>'.repeat(500)}</a>`);
  const path = compilePath('//b/@c');
  let after1000 = 0;
  for (let i = 0; i < 6000; i++) {
    using document = parseXml(good);
    assert.equal(document.evaluate(path).length, 500);
    // New names each time: they must not pile up in the parser's dictionary.
    const bad = `<a${i}>${'<x:b/>'.repeat(20)}<unique${i}></a${i}>`;
    assert.throws(() => parseXml(Buffer.from(bad)), { code: 'xml.malformed' });
    if (i === 1000) after1000 = wasmBytes();
  }
  assert.ok(wasmBytes() <= after1000 + 1_000_000, `${after1000} → ${wasmBytes()} bytes`);
});
