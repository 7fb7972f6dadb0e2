import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ParseOption, XmlDocument } from 'libxml2-wasm';
import { textNodes } from './text-nodes.ts';

const texts = (xml: string) => Array.from(textNodes(xml));

test('every text comes once, decoded and trimmed; markup does not', () => {
  assert.deepEqual(
    texts(`<?xml version="1.0"?><!-- no --><a title="no > no">
  One &amp; two <b c='>'/>three<!-- no -->four<?p no?>&#x41;&#66;&lt;&gt;&quot;&apos;
  <c>  </c></a>`),
    ['One & two', 'three', 'four', `AB<>"'`],
  );
});

test('a CDATA section belongs to the text around it', () => {
  assert.deepEqual(texts('<a>x<![CDATA[ <y> &amp; ]]>z<b><![CDATA[]]></b><c><![CDATA[only]]></c></a>'), [
    'x <y> &amp; z',
    'only',
  ]);
});

test('texts are those of the parser, for any document', () => {
  const piece = fc.constantFrom(
    'a',
    ' ',
    'ü',
    '\n',
    '&amp;',
    '&#x1F600;',
    '<![CDATA[<x> ]]]]>',
    '<!-- - > -->',
    '<?p >?>',
  );
  const { node } = fc.letrec<{ node: string }>((tie) => ({
    node: fc
      .tuple(
        fc.constantFrom('', ' a=">"', " a='\"'"),
        fc.array(fc.oneof({ depthSize: 'small' }, piece, tie('node')), { maxLength: 6 }),
      )
      .map(([attribute, children]) => `<n${attribute}>${children.join('')}</n>`),
  }));
  fc.assert(
    fc.property(node, (xml) => {
      using document = XmlDocument.fromString(xml, { option: ParseOption.XML_PARSE_NOCDATA });
      const expected = document
        .find('//text()')
        .map((text) => text.content.trim())
        .filter((text) => text !== '');
      assert.deepEqual(texts(xml), expected);
    }),
    { numRuns: 300 },
  );
});
