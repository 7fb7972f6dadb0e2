import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { GarnerError } from '../core/errors.ts';
import { splitJson } from './json-split.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const split = (text: string) =>
  splitJson(encode(text)).map(({ bytes, line }) => ({ text: new TextDecoder().decode(bytes), line }));
const failure = (text: string): GarnerError => {
  try {
    splitJson(encode(text));
  } catch (error) {
    if (error instanceof GarnerError) return error;
    throw error;
  }
  return assert.fail(`${text} was accepted`);
};

describe('splitJson', () => {
  test('a single document is one record with its exact bytes', () => {
    assert.deepEqual(split('\n  { "a" : 1.50,\n "b":"ü" }\n'), [
      { text: '{ "a" : 1.50,\n "b":"ü" }', line: 2 },
    ]);
  });

  test('a byte order mark is not part of the record', () => {
    assert.deepEqual(split('\uFEFF{"a":1}'), [{ text: '{"a":1}', line: 1 }]);
  });

  test('elements of an array keep their bytes and know their lines', () => {
    assert.deepEqual(split('[\n {"a": [1, "]"]} ,\n\n {"b":{}}\n]'), [
      { text: '{"a": [1, "]"]}', line: 2 },
      { text: '{"b":{}}', line: 4 },
    ]);
  });

  test('feature and item collections give their features', () => {
    assert.deepEqual(
      split('{"type":"FeatureCollection","links":[{"rel":"next"}],"features":[{"id":1},\n{"id":2}]}'),
      [
        { text: '{"id":1}', line: 1 },
        { text: '{"id":2}', line: 2 },
      ],
    );
  });

  test('a list of records gives its records', () => {
    assert.deepEqual(split('{"total":1,"records":[{"id":1}]}'), [{ text: '{"id":1}', line: 1 }]);
  });

  test('a record that merely has a member of such a name stays whole', () => {
    for (const text of ['{"features":[{"x":1}]}', '{"records":7}'])
      assert.deepEqual(split(text), [{ text, line: 1 }]);
  });

  test('a member name counts as JSON.parse reads it: unescaped, the last of two', () => {
    assert.deepEqual(split(String.raw`{"\u0072ecords":[{"id":1}]}`), [{ text: '{"id":1}', line: 1 }]);
    assert.deepEqual(split('{"records":[{"id":1}],"records":[{"id":2}]}'), [{ text: '{"id":2}', line: 1 }]);
  });

  test('newline-delimited records are lines, and a bad one spoils only itself', () => {
    assert.deepEqual(split('{"id":1}\r\n\n {"id":2} \n{"id":3\n{"id":4}'), [
      { text: '{"id":1}', line: 1 },
      { text: '{"id":2}', line: 3 },
      { text: '{"id":3', line: 4 },
      { text: '{"id":4}', line: 5 },
    ]);
    assert.deepEqual(
      split('{"id":1,\n{"id":2}\n').map(({ line }) => line),
      [1, 2],
    );
  });

  test('nothing gives nothing', () => {
    for (const text of ['', ' \n\t', '[]', '{"records":[]}']) assert.deepEqual(split(text), [], text);
  });

  test('a mistake is told with its place', () => {
    const error = failure('{"a": 1,\n "ü": tru }');
    assert.equal(error.code, 'json.malformed');
    assert.deepEqual(error.details, { offset: 16, line: 2, column: 7 });
  });

  test('what JSON forbids is refused', () => {
    for (const text of [
      '{"a":1,}',
      '[1,]',
      '[01]',
      '[1 2]',
      '{a:1}',
      '{"a" 1}',
      '["\u0001"]',
      String.raw`["\x"]`,
      String.raw`["\u12G4"]`,
      '["a',
      '[NaN]',
      '[',
      '{"a":1} x',
      '{"a":\n1} {"b":2}',
    ])
      assert.equal(failure(text).code, 'json.malformed', text);
    assert.throws(() => splitJson(new Uint8Array([0x22, 0xff, 0x22])), { code: 'json.malformed' });
  });

  test('100,000 levels of nesting are refused, not followed', () => {
    assert.match(failure('['.repeat(100_000)).message, /nested deeper/);
  });

  test('it cuts an array exactly where JSON.parse sees its elements, however it is written', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(0, 1, '\t', '\n'), (values, indent) => {
        const pieces = split(JSON.stringify(values, null, indent));
        assert.deepEqual(
          pieces.map(({ text }): unknown => JSON.parse(text)),
          JSON.parse(JSON.stringify(values)),
        );
      }),
    );
  });

  test('it accepts a line of text exactly when JSON.parse does', () => {
    const fragment = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '1',
      '-',
      '0.5',
      '1e',
      'true',
      'nul',
      ' ',
      '"\\',
    );
    fc.assert(
      fc.property(fc.array(fragment, { minLength: 1, maxLength: 8 }), (fragments) => {
        const text = `[${fragments.join('')}]`;
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        if (valid) split(text);
        else failure(text);
      }),
      { numRuns: 2000 },
    );
  });
});
