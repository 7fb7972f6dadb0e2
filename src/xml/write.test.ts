import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compilePath, parseXml } from './engine.ts';
import { escapeAttribute, escapeText, rawXml, xml } from './write.ts';

test('what was written is what a parser reads, for any characters that XML can hold', () => {
  const attribute = compilePath('string(concat("[", /a/@b, "]"))');
  const text = compilePath('string(concat("[", /a, "]"))');
  const characters = fc
    .string({
      unit: fc.oneof(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
        fc.constantFrom('<', '&', '"', "'", '\n', '\r', '\t', ']]>', '>'),
      ),
    })
    .filter((value) => !/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udfff]/u.test(value));
  fc.assert(
    fc.property(characters, characters, (a, b) => {
      for (const written of [
        xml`<a b="${a}">${b}</a>`,
        `<a b='${escapeAttribute(a)}'>${escapeText(b)}</a>`,
      ]) {
        using document = parseXml(Buffer.from(written));
        assert.deepEqual(document.evaluate(attribute), [`[${a}]`]);
        assert.deepEqual(document.evaluate(text), [`[${b}]`]);
      }
    }),
    { numRuns: 500 },
  );
});

test('characters that XML cannot hold are replaced and counted', () => {
  const tally = { replaced: 0 };
  assert.equal(escapeText('a\0b\u001fc\ud800d\uffffe😀\t\n', tally), 'a\ufffdb\ufffdc\ufffdd\ufffde😀\t\n');
  assert.equal(tally.replaced, 4);
  assert.equal(escapeAttribute('\u0008\udc00'), '\ufffd\ufffd');
});

test('a template escapes by place, takes raw pieces as they are and leaves absent values out', () => {
  const items = ['<1>', '2'].map((item) => xml`<i>${item}</i>`);
  const attributes = rawXml(' c="d"');
  assert.equal(
    xml`<a t='>' b="${'"x" > \n'}"${attributes}>${rawXml(items)}${undefined}${null}${7}${true}${"it's"}</a>`,
    `<a t='>' b="&quot;x&quot; &gt; &#10;" c="d"><i>&lt;1&gt;</i><i>2</i>7trueit's</a>`,
  );
});

test('a plain value in a tag outside of quotes is a mistake of the writer', () => {
  assert.throws(() => xml`<a ${'b="c"'}/>`, { code: 'internal.bug' });
});
