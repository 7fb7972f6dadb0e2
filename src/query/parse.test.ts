import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { GarnerError } from '../core/errors.ts';
import type { QueryNode } from './ast.ts';
import { CASE_FIELDS } from './case-documents.ts';
import { SEMANTICS_CASES } from './cases.ts';
import { createCatalogue } from './catalogue.ts';
import { isBlank, MAX_QUERY_CLAUSES, MAX_QUERY_DEPTH, MAX_QUERY_LENGTH, parseQuery } from './parse.ts';
import { writeQuery } from './write.ts';

const catalogue = createCatalogue(CASE_FIELDS);
const parse = (text: string): QueryNode => parseQuery(text, catalogue);

function faultOf(text: string): GarnerError {
  try {
    parse(text);
  } catch (error) {
    assert.ok(error instanceof GarnerError, `${text}: ${String(error)}`);
    return error;
  }
  return assert.fail(`${text} was understood`);
}

const term = (text: string, field?: string): QueryNode => ({ type: 'term', ...(field && { field }), text });

describe('what the text syntax says', () => {
  const rows: readonly (readonly [string, QueryNode])[] = [
    ['ice', term('ice')],
    ['a b', { type: 'and', of: [term('a'), term('b')] }],
    ['a AND (b AND c)', { type: 'and', of: [term('a'), term('b'), term('c')] }],
    ['a OR b c', { type: 'or', of: [term('a'), { type: 'and', of: [term('b'), term('c')] }] }],
    ['a||b&&c', { type: 'or', of: [term('a'), { type: 'and', of: [term('b'), term('c')] }] }],
    ['-a', { type: 'not', of: term('a') }],
    ['! a', { type: 'not', of: term('a') }],
    ['+a', term('a')],
    ['AT&T', term('AT&T')],
    ['(a -) + b', { type: 'and', of: [term('a'), term('b')] }],
    ['title:(a) author:b', { type: 'and', of: [term('a', 'title'), term('b', 'author')] }],
    ["O'Brien", term("O'Brien")],
    ['state-of-the-art', term('state-of-the-art')],
    ['\\AND', term('AND')],
    ['constructor', term('constructor')],
    ['title:OR', term('OR', 'title')],
    ['title:(a:b OR c)', { type: 'or', of: [term('a:b', 'title'), term('c', 'title')] }],
    ['title: ice', term('ice', 'title')],
    ['a\\:b', term('a:b')],
    ['http://example.org/?a=*', term('http://example.org/?a=*')],
    ['http://example.org/~me', term('http://example.org/~me')],
    ['"a \\" b"', { type: 'phrase', text: 'a " b', slop: 0 }],
    ['word~', { type: 'fuzzy', text: 'word', distance: 1 }],
    ['longword~', { type: 'fuzzy', text: 'longword', distance: 2 }],
    ['a^2.5', { type: 'boost', of: term('a'), factor: 2.5 }],
    ['*', { type: 'all' }],
    ['*:*', { type: 'all' }],
    ['*:*^2', { type: 'boost', of: { type: 'all' }, factor: 2 }],
    ['title:*', { type: 'exists', field: 'title' }],
    ['_exists_:title', { type: 'exists', field: 'title' }],
    ['code:x', { type: 'value', field: 'code', value: 'x' }],
    ['code:a\\*?', { type: 'wildcard', field: 'code', pattern: 'a\\*?' }],
    ['code:../x', { type: 'value', field: 'code', value: '../x' }],
    ['depth:>=5', { type: 'range', field: 'depth', from: { value: '5', inclusive: true } }],
    ['depth:[* TO 5}', { type: 'range', field: 'depth', to: { value: '5', inclusive: false } }],
    [
      'date:2004',
      {
        type: 'range',
        field: 'date',
        from: { value: '2004', inclusive: true },
        to: { value: '2004', inclusive: true },
      },
    ],
    [
      'bbox:contains[ -5, 47 ,20,55 ]',
      { type: 'box', field: 'bbox', relation: 'contains', box: { west: -5, south: 47, east: 20, north: 55 } },
    ],
  ];
  for (const [text, node] of rows) test(text, () => assert.deepEqual(parse(text), node));
});

describe('a bad query is an error with its place', () => {
  const rows: readonly (readonly [query: string, code: string, position: number, expected: RegExp])[] = [
    ['', 'query.syntax', 0, /search term/],
    ['a AND', 'query.syntax', 5, /search term/],
    ['a  AND  OR b', 'query.syntax', 8, /search term/],
    ['OR a', 'query.syntax', 0, /search term/],
    ['NOT', 'query.syntax', 3, /search term/],
    ['()', 'query.syntax', 1, /search term/],
    ['(a b', 'query.syntax', 4, /\)/],
    ['a)', 'query.syntax', 1, /end of the query/],
    ['ice "sea', 'query.syntax', 4, /closing/],
    ['"a"*', 'query.syntax', 3, /space/],
    ['"a"~', 'query.syntax', 3, /whole number/],
    ['"a"~x', 'query.syntax', 4, /number/],
    ['a"b"', 'query.syntax', 1, /space before/],
    ['a\\', 'query.syntax', 1, /character/],
    ['a]', 'query.syntax', 1, /\\\]/],
    ['a b}', 'query.syntax', 3, /\\\}/],
    ['a ^2', 'query.syntax', 2, /search term/],
    ['a^', 'query.syntax', 1, /number/],
    ['a^0', 'query.syntax', 1, /number/],
    ['a^2^3', 'query.syntax', 3, /one boost/],
    ['a~3', 'query.syntax', 1, /1 or 2/],
    ['a~0.8', 'query.syntax', 1, /1 or 2/],
    ['*~', 'query.syntax', 1, /no ~/],
    ['- &', 'query.syntax', 0, /word/],
    ['"…"', 'query.syntax', 0, /word/],
    ['title:', 'query.syntax', 6, /value after "title:"/],
    ['title: AND x', 'query.syntax', 7, /value after "title:"/],
    ['title:-x', 'query.syntax', 6, /-title:/],
    ['title:(author:x)', 'query.syntax', 7, /no other field/],
    [':x', 'query.syntax', 0, /field name/],
    ['[1 TO 2]', 'query.syntax', 0, /field name/],
    ['>5', 'query.syntax', 0, /field name/],
    ['depth:[1 TO 2', 'query.syntax', 13, /\]/],
    ['depth:[1 2]', 'query.syntax', 9, /TO/],
    ['depth:[1 TO]', 'query.syntax', 11, /upper bound/],
    ['depth:[TO 2]', 'query.syntax', 7, /lower bound/],
    ['depth:[1 TO 2 3]', 'query.syntax', 14, /\]/],
    ['depth:[5 TO 1]', 'query.syntax', 6, /smaller/],
    ['depth:..', 'query.syntax', 6, /bound/],
    ['code:=""', 'query.syntax', 6, /value/],
    ['code:=', 'query.syntax', 6, /value/],
    ['bbox:[1,2,3]', 'query.syntax', 11, /north/],
    ['bbox:[1,2,3,4,5]', 'query.syntax', 14, /\]/],
    ['bbox:[1,2,x,4]', 'query.syntax', 10, /east/],
    ['bbox:[1, 200,3,4]', 'query.syntax', 9, /south/],
    ['bbox:[1,5,3,4]', 'query.syntax', 6, /south/],
    ['bbox:{1,2,3,4]', 'query.syntax', 5, /\[west/],
    ['bbox:near[1,2,3,4]', 'query.syntax', 5, /within/],
    ['ice titel:x', 'query.unknown-field', 4, /field name/],
    ['doi:10.1594/X.1', 'query.unknown-field', 0, /field name/],
    ['_exists_:titel', 'query.unknown-field', 9, /field name/],
    ['-(a OR auther:b)', 'query.unknown-field', 7, /field name/],
    ['internal:x', 'query.unsupported', 0, /indexed/],
    ['depth:abc', 'query.unsupported', 6, /number/],
    ['depth:0x1F', 'query.unsupported', 6, /number/],
    ['depth:5*', 'query.unsupported', 6, /number/],
    ['depth:[1 TO x]', 'query.unsupported', 12, /number/],
    ['depth:[y TO x]', 'query.unsupported', 7, /number/],
    ['depth:1..x', 'query.unsupported', 9, /number/],
    ['depth:[1,2,3,4]', 'query.syntax', 14, /TO/],
    ['date:2004-13', 'query.unsupported', 5, /date/],
    ['date:"last year"', 'query.unsupported', 5, /date/],
    ['bbox:8', 'query.unsupported', 5, /box/],
    ['title:within[1,2,3,4]', 'query.unsupported', 6, /value or a range/],
    ['title:[a TO b]', 'query.unsupported', 6, /words/],
    ['title:="x"', 'query.unsupported', 7, /words/],
    ['code:"a b"~2', 'query.unsupported', 5, /value/],
    ['id:foo~', 'query.unsupported', 3, /value/],
    ['10.1594/X.*', 'query.unsupported', 0, /one word/],
    ['sea-level~1', 'query.unsupported', 0, /one word/],
  ];
  for (const [query, code, position, expected] of rows) {
    test(query || '(empty)', () => {
      const { code: found, details, message } = faultOf(query);
      assert.equal(found, code);
      assert.equal(details.position, position);
      assert.match(String(details.expected), expected);
      assert.equal(typeof details.found, 'string');
      assert.equal(message.split('\n').at(-1), `${' '.repeat(position + 2)}^`);
    });
  }

  test('an unknown field names the nearest', () => {
    assert.deepEqual(faultOf('titel:x').details.nearest, ['title']);
    assert.match(faultOf('titel:x').message, /did you mean title\?/);
  });

  test('in a query of several lines the line is told and shown', () => {
    const { details, message } = faultOf('ice\nAND titel:x\nOR b');
    assert.equal(details.line, 2);
    assert.match(message, /line 2, character 5/);
    assert.deepEqual(message.split('\n').slice(1), ['  AND titel:x', '      ^']);
  });

  test('of a long line only the neighbourhood is shown', () => {
    const [, shown = '', caret = ''] = faultOf(
      `${'ice '.repeat(100)}titel:x ${'b '.repeat(100)}`,
    ).message.split('\n');
    assert.ok(shown.length < 90);
    assert.ok(shown.slice(caret.length - 1).startsWith('titel:x'));
  });
});

describe('limits', () => {
  test('length', () => {
    assert.equal(faultOf('a '.repeat(MAX_QUERY_LENGTH)).details.position, MAX_QUERY_LENGTH);
    assert.equal(parse('a'.repeat(MAX_QUERY_LENGTH)).type, 'term');
  });

  test('depth of parentheses, negations and signs', () => {
    for (const [open, close] of [
      ['(', ')'],
      ['NOT ', ''],
      ['-', ''],
      ['+', ''],
      ['title:(', ')'],
    ] as const) {
      if (open !== 'title:(') parse(`${open.repeat(MAX_QUERY_DEPTH)}a${close.repeat(MAX_QUERY_DEPTH)}`);
      const deep = `${open.repeat(MAX_QUERY_DEPTH + 1)}a${close.repeat(MAX_QUERY_DEPTH + 1)}`;
      assert.equal(faultOf(deep).code, 'query.syntax');
    }
    assert.equal(faultOf('('.repeat(9999)).code, 'query.syntax');
  });

  test('number of clauses', () => {
    parse('a '.repeat(MAX_QUERY_CLAUSES));
    const { details } = faultOf('a '.repeat(MAX_QUERY_CLAUSES + 1));
    assert.equal(details.position, MAX_QUERY_CLAUSES * 2);
  });
});

test('blank is blank', () => {
  assert.ok(isBlank(' \n\t\u00a0'));
  assert.ok(!isBlank(' * '));
});

describe('writing and reading again gives the same query', () => {
  const isStable = (text: string) => {
    const node = parse(text);
    const written = writeQuery(node);
    assert.deepEqual(parse(written), node, `${text} → ${written}`);
    assert.equal(writeQuery(parse(written)), written);
  };

  test('for all semantics cases', () => {
    for (const { query } of SEMANTICS_CASES) isStable(query);
  });

  test('for awkward characters', () => {
    for (const text of [
      'code:"TO"',
      'code:["a b" TO "c]"]',
      'code:[\\* TO "TO"]',
      'code:\\=x',
      'code:\\"',
      'code:"\\\\"',
      'code:a\\ b*\\*\\\\?',
      'code:[x TO y}^2',
      'NOT (a OR b)^2',
      '((a^2) b)^3',
      '\\-a \\NOT \\a\\&\\&b',
      'a:// b',
      'http://a/?b*c[1\\]'.replace('[', '\\['),
      'x\\~1',
      '"a\nb"',
      'title:\\-a',
    ]) {
      isStable(text);
    }
  });
});

describe('random text', () => {
  const WORDS =
    'AND OR NOT TO title depth date bbox code id _exists_ within 5 2004 a é 海 😀 __proto__ toString http://';
  const SIGNS = '&& || ! + - ( ) [ ] { } " \\ ~ ^ * ? : := > <= .. ,';
  const pieces = fc.constantFrom(' ', '\n', '\ud800', ...WORDS.split(' '), ...SIGNS.split(' '));

  test('is understood or refused with a place, never anything else', () => {
    const isHandled = (text: string) => {
      try {
        const node = parse(text);
        assert.deepEqual(parse(writeQuery(node)), node);
      } catch (error) {
        assert.ok(error instanceof GarnerError, String(error));
        assert.match(error.code, /^query\.(?:syntax|unknown-field|unsupported)$/);
        const position = Number(error.details.position);
        assert.ok(position >= 0 && position <= text.length);
      }
    };
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 20 }).map((list) => list.join('')),
        isHandled,
      ),
      {
        numRuns: 5000,
      },
    );
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), isHandled), { numRuns: 1000 });
  });

  test('of full length is handled too', () => {
    for (const piece of [
      '(a OR ',
      '-',
      'a~',
      '"a" ',
      'title:(',
      '[',
      'a:',
      '\\a',
      'a*b?',
      'a..',
      '&&',
      '* ',
      '^',
    ]) {
      const text = piece.repeat(MAX_QUERY_LENGTH).slice(0, MAX_QUERY_LENGTH);
      try {
        parse(text);
      } catch (error) {
        assert.ok(error instanceof GarnerError, String(error));
      }
    }
  });
});
