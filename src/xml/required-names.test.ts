import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compilePath, parseXml } from './engine.ts';
import { elementNames, findRequiredNames } from './required-names.ts';

test('a location path needs the elements of its steps, a union those of one of its paths', () => {
  const cases: [path: string, names: readonly (readonly string[])[] | undefined][] = [
    ['/a/b', [['a', 'b']]],
    ['//p:a / p:b', [['a', 'b']]],
    ['/*/p:a/@b', [['a']]],
    ['p:a', [['a']]],
    ['.', [[]]],
    ['../p:*/text()', [[]]],
    ['/a/descendant-or-self::*[not(*)]', [['a']]],
    ['/a/following-sibling::b/attribute::c', [['a', 'b']]],
    ["/a[b = ']']/c[d[e]]", [['a', 'c']]],
    ['/a/b | c', [['a', 'b'], ['c']]],
    [
      '(/a/b | (/c | d)/e)[f]/g',
      [
        ['a', 'b', 'g'],
        ['c', 'e', 'g'],
        ['d', 'e', 'g'],
      ],
    ],
    ['/größe/a', [['a']]],
    // These give something, or may, whatever the document has.
    ['count(/a)', undefined],
    ["concat(/a, 'x')", undefined],
    ['/a = /b', undefined],
    ['/a and /b', undefined],
    ['/a div 2', undefined],
    ['-/a', undefined],
    ["'text'", undefined],
    ['not(/a)', undefined],
    ['(count(/a))', undefined],
    ["/a/processing-instruction('x')", undefined],
    ['id("a")/b', undefined],
  ];
  for (const [path, names] of cases) assert.deepEqual(findRequiredNames(path), names, path);
});

test('names are those of elements, without prefixes', () => {
  const document = '<?xml version="1.0"?><p:a x:y="1"><b\n/><c/><p:d-e.f>t</p:d-e.f></p:a>';
  const names = elementNames(new TextEncoder().encode(document));
  for (const name of ['a', 'b', 'c', 'd-e.f']) assert.ok(names.has(name), name);
  assert.ok(!names.has('y'));
});

const NAMES = ['a', 'b', 'c', 'd'] as const;
const element: fc.Memo<string> = fc.memo((depth) =>
  fc
    .tuple(
      fc.constantFrom(...NAMES, 'p:a', 'p:b'),
      fc.constantFrom('', ' c="1"', ' p:d="2"'),
      depth <= 1 ? fc.constant<string[]>(['t']) : fc.array(element(depth - 1), { maxLength: 3 }),
    )
    .map(([name, attribute, children]) => `<${name}${attribute}>${children.join('')}</${name}>`),
);
const step = fc.constantFrom(
  ...NAMES,
  'p:a',
  'p:*',
  '*',
  '@c',
  '@p:d',
  '.',
  '..',
  'text()',
  'a[b]',
  "b[.='t']",
  'self::a',
);
const simple = fc
  .tuple(
    fc.constantFrom('/', '//', ''),
    fc.array(step, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('/', '//'),
  )
  .map(([start, steps, between]) => start + steps.join(between));
const path = fc.oneof(
  simple,
  fc.tuple(simple, simple).map(([one, other]) => `${one} | ${other}`),
  fc
    .tuple(simple, simple, simple)
    .map(([one, other, last]) => `(${one} | ${other})/${last.replace(/^\/+/, '')}`),
  simple.map((one) => `count(${one})`),
  simple.map((one) => `string(${one})`),
);

test('whatever is left out of the evaluation would have selected nothing', () => {
  const namespaces = { p: 'urn:p' };
  fc.assert(
    fc.property(element(3), path, (inner, expression) => {
      using document = parseXml(new TextEncoder().encode(`<r xmlns:p="urn:p">${inner}</r>`));
      const compiled = compilePath(expression, namespaces);
      const always = { ...compiled, requires: undefined };
      // Names are looked at only for paths that gave nothing the last time.
      using empty = parseXml(new TextEncoder().encode('<r/>'));
      empty.evaluate(compiled);
      assert.deepEqual(document.evaluate(compiled), document.evaluate(always));
      assert.equal(document.test(compiled), document.test(always));
      assert.equal(document.select(compiled).length, document.select(always).length);
      compiled.dispose();
    }),
    { numRuns: 1500 },
  );
});
