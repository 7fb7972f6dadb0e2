/** Documents, paths over them, and damage, for tests that compare with libxml2. */
import fc from 'fast-check';

export const NAMESPACES = { p: 'urn:x:p', q: 'http://q.example/ns#' } as const;

const space = fc.constantFrom('', ' ', '\n', '\r\n  ', '\t');
const between = fc.constantFrom(' ', '\n', '  ', '\t', '\r\n');
const text = fc.constantFrom(
  'x',
  'yes',
  ' a  b\n',
  'a&amp;b',
  '&#65;&#x1F600;',
  '&lt;a&gt;',
  '\u00e4\u6f22',
  '\u{1F30A}',
  '\u00a0',
  ' ',
  '\n',
  'line\r\nend\rx',
  ']] >',
  ']',
  '&#13;',
);
const section = fc.constantFrom(
  '<![CDATA[x<&>]]>',
  '<![CDATA[ yes ]]>',
  '<![CDATA[]]]]>',
  '<!-- a -->',
  '<!---->',
);
const value = fc.constantFrom('1', 'yes', '', ' a ', 'a\tb\nc', '&quot;&#10;', 'x>y', '\u00e4', "it's");
const NAMES = ['a', 'b', 'c', 'p:a', 'p:b', 'q:a', 'q:c-d.e'] as const;
const name = fc.constantFrom(...NAMES);
const declaration = fc.constantFrom(
  '',
  '',
  '',
  ' xmlns="urn:x:p"',
  ' xmlns=""',
  ' xmlns:p="http://q.example/ns#"',
  " xmlns:q='urn:x:other'",
);

const attributes = fc
  .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'p:a', 'xml:lang'), value, between, space), {
    selector: ([attribute]) => attribute,
    maxLength: 3,
  })
  .map((list) => list.map(([attribute, set, gap, s]) => `${gap}${attribute}${s}=${s}"${set}"`).join(''));

const element: fc.Memo<string> = fc.memo((depth) =>
  fc
    .tuple(name, declaration, attributes, space, children(depth))
    .map(([tag, declared, given, s, inner]) =>
      inner === ''
        ? `<${tag}${declared}${given}${s}/>`
        : `<${tag}${declared}${given}${s}>${inner}</${tag}${s}>`,
    ),
);
const children: fc.Memo<string> = fc.memo((depth) =>
  depth <= 1
    ? fc.oneof(text, section, fc.constant(''))
    : fc
        .array(fc.oneof(text, section, element(depth - 1), element(depth - 1)), { maxLength: 4 })
        .map((parts) => parts.join('')),
);

/** Well-formed, mostly; a redeclared prefix may make two attributes one. */
export const document: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '<?xml version="1.0" encoding="UTF-8"?>\n', "<?xml version='1.0'?>", '<!-- x -->'),
    name,
    attributes,
    children(4),
    fc.constantFrom('', '\n', '<!-- end -->'),
  )
  .map(
    ([head, root, given, inner, tail]) =>
      `${head}<${root} xmlns:p="${NAMESPACES.p}" xmlns:q="${NAMESPACES.q}"${given}>${inner}</${root}>${tail}`,
  );

const nameTest = fc.constantFrom('*', 'p:*', ...NAMES);
const literal = fc.constantFrom("'yes'", '"x"', "''", "'a'", "'1'", "'a b'");
const operand = fc.oneof(
  fc.constantFrom('.', '@a', '@p:a', '@*', 'a', 'text()', 'p:*/b', './/a', '/*/@a'),
  fc.constantFrom('normalize-space(.)', 'normalize-space()', 'local-name()', 'namespace-uri()', 'string(a)'),
  fc.constantFrom(
    "translate(.,'ays','AY')",
    "concat(@a, '-', a)",
    "substring-after(.,'e')",
    "substring-before(.,'s')",
  ),
);
const condition: fc.Memo<string> = fc.memo((depth) =>
  fc.oneof(
    fc.constantFrom(
      '1',
      '2',
      'last()',
      'position()=1',
      '*',
      '@a',
      'text()',
      'self::a',
      'self::p:*',
      'true()',
    ),
    fc.tuple(operand, fc.constantFrom('=', '!=', ' = '), literal).map((parts) => parts.join('')),
    fc
      .tuple(fc.constantFrom('starts-with', 'contains'), operand, literal)
      .map(([f, a, b]) => `${f}(${a},${b})`),
    ...(depth <= 1
      ? []
      : [
          condition(depth - 1).map((inner) => `not(${inner})`),
          fc
            .tuple(condition(depth - 1), fc.constantFrom('and', 'or'), condition(depth - 1))
            .map((parts) => parts.join(' ')),
          fc.tuple(nameTest, condition(depth - 1)).map(([test, inner]) => `${test}[${inner}]`),
        ]),
  ),
);
const predicates = fc
  .array(condition(2), { maxLength: 2 })
  .map((list) => list.map((inner) => `[${inner}]`).join(''));
const step = fc
  .tuple(
    fc.constantFrom('', '', 'descendant::', 'descendant-or-self::', 'child::', 'self::'),
    nameTest,
    predicates,
  )
  .map((parts) => parts.join(''));
const last = fc.oneof(
  step,
  fc.constantFrom('@a', '@*', '@p:a', 'attribute::b', 'text()', 'text()[1]', '@xml:lang'),
);
const steps = fc
  .tuple(fc.array(fc.tuple(step, fc.constantFrom('/', '//')), { maxLength: 2 }), last)
  .map(([list, end]) => list.map((parts) => parts.join('')).join('') + end);
const absolute = fc.tuple(fc.constantFrom('/', '//', '/*/', '/*//'), steps).map((parts) => parts.join(''));

/** Relative paths, from nodes that another path selects. */
export const relativePath: fc.Arbitrary<string> = fc.oneof(
  steps,
  steps.map((path) => `.//${path}`),
  fc.constant('.'),
);

export const path: fc.Arbitrary<string> = fc.oneof(
  absolute,
  fc.tuple(absolute, absolute).map((paths) => paths.join(' | ')),
  fc
    .tuple(absolute, absolute, condition(1), steps)
    .map(([a, b, test, rest]) => `(${a}|${b})[${test}]/${rest}`),
  absolute.map((inner) => `normalize-space(${inner})`),
  absolute.map((inner) => `not(${inner})`),
);

/** Bytes changed, lost, doubled or swapped anywhere. */
export const damage: fc.Arbitrary<(bytes: Uint8Array) => Uint8Array> = fc
  .tuple(
    fc.constantFrom('flip', 'cut', 'drop', 'insert', 'copy'),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.oneof(
      fc.constantFrom(...Buffer.from('<>&/"\'=!-[]:; x?#\0\u0001\r')),
      fc.integer({ min: 0, max: 255 }),
    ),
  )
  .map(([kind, one, other, byte]) => (bytes) => {
    const at = Math.floor(one * bytes.length);
    const to = Math.min(at + 1 + Math.floor(other * 20), bytes.length);
    switch (kind) {
      case 'flip':
        return Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at + 1)]);
      case 'cut':
        return bytes.subarray(0, at);
      case 'drop':
        return Buffer.concat([bytes.subarray(0, at), bytes.subarray(to)]);
      case 'insert':
        return Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at)]);
      default:
        return Buffer.concat([bytes.subarray(0, to), bytes.subarray(at)]);
    }
  });
