import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseXml } from './engine.ts';
import { repairXml } from './repair.ts';

const mend = (bytes: string | Uint8Array) => {
  const { bytes: mended, repairs } = repairXml(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  return { text: Buffer.from(mended).toString(), repairs };
};

for (const [broken, mended, repair] of [
  ['<a>one\u0001two</a>', '<a>onetwo</a>', /forbidden characters removed$/],
  ['<a>\ufffe\uffff</a>', '<a></a>', /removed \(2 times\)/],
  ['<a>&#1;&#x0B;&#65;</a>', '<a>&#65;</a>', /reference to a forbidden/],
  ['<a>R&D &amp; AT&T; x</a>', '<a>R&amp;D &amp; AT&amp;T; x</a>', /loose & escaped/],
  ['<a>Caf&eacute;&nbsp;&unknown;</a>', '<a>Café\u00a0&amp;unknown;</a>', /named reference/],
  ['<a>p < 0.05 and 3 <4</a>', '<a>p &lt; 0.05 and 3 &lt;4</a>', /loose < escaped \(2 times\)/],
  ['<a><?xml version="1.0"?><b/></a>', '<a><b/></a>', /inner XML declaration/],
  ['<a><!DOCTYPE b SYSTEM "x.dtd"><b/></a>', '<a><b/></a>', /DOCTYPE/],
  ['<a><![CDATA[x & y < z \u0002]]>&</a>', '<a><![CDATA[x & y < z ]]>&amp;</a>', /forbidden/],
] as const)
  test(`${JSON.stringify(broken)} becomes ${JSON.stringify(mended)}`, () => {
    const { text, repairs } = mend(broken);
    assert.equal(text, mended);
    assert.match(repairs.join('; '), repair);
  });

test('single bytes of Latin-1 among UTF-8 are read as what they are', () => {
  const bytes = Buffer.concat([
    Buffer.from('<a>Grüße, '),
    Buffer.from([0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72, 0x93]),
    Buffer.from('</a>'),
  ]);
  assert.equal(mend(bytes).text, '<a>Grüße, Müller“</a>');
});

test('what is well-formed stays byte for byte', () => {
  const xml = Buffer.from('<?xml version="1.0"?>\n<a b="&lt;">x &amp; &#x41; <![CDATA[<&>]]></a>');
  assert.equal(repairXml(xml).bytes, xml);
});

test('any text put between tags can be parsed after the repair', () => {
  const texts = fc.string({
    unit: fc.constantFrom('<', '&', ';', '#', 'x', '1', 'a', ' ', '\u0000', '\ufffe', '\ud800', 'é', '='),
  });
  fc.assert(
    fc.property(texts, (text) => {
      // Tags are not made up: what looks like one is left out here. A lone surrogate is written as U+FFFD,
      // which may start a name.
      const safe = text.replace(/<(?=[<\u0000\ufffe]*[a-zé\ud800])/g, '');
      using document = parseXml(repairXml(Buffer.from(`<r>${safe}</r>`)).bytes);
      assert.equal(document.root.localName, 'r');
    }),
  );
});
