import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { compilePath, parseXml } from '../engine.ts';
import { RecordDocument } from '../record-document.ts';
import { textNodes } from '../text-nodes.ts';
import { damage, document, NAMESPACES, path, relativePath } from './documents.fixture.ts';
import { readQuickly } from './read.ts';

const utf8 = (xml: string): Uint8Array => new TextEncoder().encode(xml);

/** The document's texts when it is read quickly. */
function quickTexts(bytes: Uint8Array): string[] | undefined {
  using read = readQuickly(bytes);
  return read?.tree.texts();
}

function parses(bytes: Uint8Array): boolean {
  try {
    parseXml(bytes).dispose();
    return true;
  } catch {
    return false;
  }
}

describe('a document read in one pass', () => {
  test('gives for every path the values that libxml2 gives, in the same order', () => {
    let quick = 0;
    fc.assert(
      fc.property(document, fc.array(path, { minLength: 1, maxLength: 8 }), (xml, expressions) => {
        const bytes = utf8(xml);
        if (!parses(bytes)) return;
        using record = new RecordDocument(bytes);
        using parsed = parseXml(bytes);
        if (quickTexts(bytes)) quick++;
        for (const expression of expressions) {
          const compiled = compilePath(expression, NAMESPACES);
          assert.ok(compiled.quick, `${expression} is not compiled`);
          assert.deepEqual(record.evaluate(compiled), parsed.evaluate(compiled), expression);
          assert.equal(record.test(compiled), parsed.test(compiled), expression);
          compiled.dispose();
        }
      }),
      { numRuns: 1500 },
    );
    assert.ok(quick > 1000, `only ${quick} documents were read quickly`);
  });

  test('gives for parts of nodes what libxml2 gives', () => {
    fc.assert(
      fc.property(
        document,
        path,
        fc.array(relativePath, { minLength: 1, maxLength: 3 }),
        (xml, from, parts) => {
          const bytes = utf8(xml);
          if (!parses(bytes)) return;
          using record = new RecordDocument(bytes);
          using parsed = parseXml(bytes);
          const compiled = compilePath(from, NAMESPACES);
          const compiledParts = parts.map((part) => compilePath(part, NAMESPACES));
          assert.deepEqual(
            record.evaluateParts(compiled, compiledParts),
            parsed.evaluateParts(compiled, compiledParts),
            `${from} then ${parts.join(', ')}`,
          );
          for (const each of [compiled, ...compiledParts]) each.dispose();
        },
      ),
      { numRuns: 700 },
    );
  });

  test('has the same root and the same texts', () => {
    fc.assert(
      fc.property(document, (xml) => {
        const bytes = utf8(xml);
        using read = readQuickly(bytes);
        if (!read) return;
        using parsed = parseXml(bytes);
        const { namespace, localName } = parsed.root;
        assert.deepEqual(read.tree.root, { namespace, localName });
        // Line ends are those of XML here, and words do not see them.
        assert.deepEqual(
          read.tree.texts(),
          Array.from(textNodes(xml.replace(/\r\n?/g, '\n')), (text) => text),
        );
      }),
      { numRuns: 1000 },
    );
  });

  test('is never one that libxml2 refuses, whatever happened to its bytes', () => {
    let accepted = 0;
    fc.assert(
      fc.property(document, fc.array(damage, { minLength: 1, maxLength: 3 }), (xml, damages) => {
        const bytes = damages.reduce((broken, harm) => harm(broken), utf8(xml));
        const texts = quickTexts(bytes);
        if (!texts) return;
        accepted++;
        using parsed = parseXml(bytes);
        const all = compilePath('//text()');
        assert.equal(texts.join('').replace(/\s/g, ''), parsed.evaluate(all).join('').replace(/\s/g, ''));
        all.dispose();
      }),
      { numRuns: 6000 },
    );
    assert.ok(accepted > 100, `only ${accepted} documents were accepted`);
  });
});

describe('left to libxml2', () => {
  const cases: readonly (readonly [what: string, xml: string])[] = [
    ['nothing', ''],
    ['text alone', 'x'],
    ['no root', '<!-- x -->'],
    ['two roots', '<a/><b/>'],
    ['text after the root', '<a/>x'],
    ['a reference after the root', '<a/>&#32;'],
    ['an open element', '<a><b></a>'],
    ['an end without a beginning', '</a>'],
    ['a wrong end', '<a></b>'],
    ['an end that is longer', '<a></ab>'],
    ['a space before the name', '< a/>'],
    ['a space in an empty tag', '<a/ >'],
    ['an attribute twice', '<a x="1" x="2"/>'],
    ['an attribute twice by namespace', '<a xmlns:p="urn:x" xmlns:q="urn:x" p:x="1" q:x="2"/>'],
    ['a declaration twice', '<a xmlns="urn:x" xmlns="urn:y"/>'],
    ['attributes without space', '<a x="1"y="2"/>'],
    ['an attribute without value', '<a x/>'],
    ['an attribute without quotes', '<a x=1/>'],
    ['< in an attribute', '<a x="<"/>'],
    ['a loose &', '<a>b & c</a>'],
    ['an unknown reference', '<a>&nbsp;</a>'],
    ['a reference to no character', '<a>&#0;</a>'],
    ['a reference to a surrogate', '<a>&#xD800;</a>'],
    ['a capital X', '<a>&#X41;</a>'],
    [']]> in text', '<a>]]></a>'],
    ['-- in a comment', '<a><!-- -- --></a>'],
    ['a comment that ends with three', '<a><!-- ---></a>'],
    ['a control character', '<a>\u0001</a>'],
    ['a control character in a comment', '<a><!--\u0001--></a>'],
    ['U+FFFF', '<a>\uffff</a>'],
    ['U+FFFE in an attribute', '<a x="\ufffe"/>'],
    ['an unknown prefix', '<p:a/>'],
    ['an unknown prefix of an attribute', '<a p:x=""/>'],
    ['a prefix that is no longer declared', '<a><b xmlns:p="urn:x"/><p:c/></a>'],
    ['a prefix taken away', '<a xmlns:p=""/>'],
    ['two colons', '<a:b:c xmlns:a="urn:x"/>'],
    ['a name of a digit', '<1/>'],
    ['a DOCTYPE', '<!DOCTYPE a><a/>'],
    ['an instruction', '<a><?x y?></a>'],
    ['a second declaration', '<a/><?xml version="1.0"?>'],
    ['XML 1.1', '<?xml version="1.1"?><a/>'],
    ['another encoding', '<?xml version="1.0" encoding="ISO-8859-1"?><a/>'],
    ['a namespace that is no URI', '<a xmlns="a b"/>'],
    ['the reserved prefix', '<a xmlns:xml="urn:x"/>'],
    ['the reserved namespace', '<a xmlns:p="http://www.w3.org/XML/1998/namespace"/>'],
    ['an xml:id', '<a xml:id="1"/>'],
    ['a name beyond ASCII', '<\u00e4/>'],
    ['a byte order mark', '\ufeff<a/>'],
    ['deep nesting', `${'<a>'.repeat(300)}${'</a>'.repeat(300)}`],
    ['much', `<a>${'x'.repeat(300_000)}</a>`],
  ];
  for (const [what, xml] of cases) test(what, () => assert.equal(quickTexts(utf8(xml)), undefined));

  test('bytes that are not UTF-8', () => {
    assert.equal(quickTexts(Buffer.from('<a>\xe4</a>', 'latin1')), undefined);
  });

  test('paths along other axes, or with numbers', () => {
    for (const expression of [
      '/a/..',
      '//a/following::b',
      'count(//a)',
      '//a[count(b)=1]',
      '//a[b>1]',
      '//node()',
      '/',
      '1',
    ])
      assert.equal(compilePath(expression).quick, undefined, expression);
  });
});

test('a record that is read quickly can still be asked for what only libxml2 knows', () => {
  using record = new RecordDocument(utf8('<a><b>1</b><b>2</b></a>'));
  assert.deepEqual(record.evaluate(compilePath('count(//b)')), ['2']);
  assert.deepEqual(record.evaluateParts(compilePath('//b'), [compilePath('..'), compilePath('.')]), [
    [['12'], ['1']],
    [['12'], ['2']],
  ]);
  assert.equal(record.parsed.root.localName, 'a');
});

test('two records can be read at once, and none after its disposal', () => {
  const first = new RecordDocument(utf8('<a>1</a>'));
  using second = new RecordDocument(utf8('<b>2</b>'));
  const all = compilePath('/*');
  assert.deepEqual([first.evaluate(all), second.evaluate(all)], [['1'], ['2']]);
  first[Symbol.dispose]();
  assert.throws(() => first.evaluate(all), { code: 'internal.bug' });
});

const RECORDS = fileURLToPath(new URL('../../../../shared/data/records', import.meta.url));
const absent = existsSync(RECORDS) ? false : 'there are no sample records beside the project';

test('sample records and damaged ones are judged as libxml2 judges them', { skip: absent }, () => {
  const files = readdirSync(RECORDS, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.xml'),
  );
  const samples = files.map((file) => readFileSync(`${RECORDS}/${file}`));
  let quick = 0;
  for (const bytes of samples) {
    const texts = quickTexts(bytes);
    if (!texts) continue;
    quick++;
    assert.deepEqual(texts, Array.from(textNodes(bytes.toString().replace(/\r\n?/g, '\n'))));
  }
  assert.ok(quick > 0);
  fc.assert(
    fc.property(fc.constantFrom(...samples), damage, (bytes, harm) => {
      const broken = harm(bytes);
      if (quickTexts(broken)) assert.ok(parses(broken));
    }),
    { numRuns: 1000 },
  );
});
