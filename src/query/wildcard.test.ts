import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { compilePattern, escapePattern, parsePattern, patternPrefix } from './wildcard.ts';

const same = (text: string) => text;
const matches = (pattern: string, text: string) => compilePattern(parsePattern(pattern, same))(text);

test('a backslash makes the next character literal', () => {
  assert.deepEqual(parsePattern('a\\*b*\\?', same), [{ text: 'a*b' }, 'run', { text: '?' }]);
  assert.ok(matches(escapePattern('a*b?\\c'), 'a*b?\\c'));
});

test('literal parts are folded, the prefix too', () => {
  const parts = parsePattern('AB?C*', (text) => text.toLowerCase());
  assert.deepEqual(parts, [{ text: 'ab' }, 'one', { text: 'c' }, 'run']);
  assert.equal(patternPrefix(parts), 'ab');
  assert.equal(patternPrefix(parsePattern('*a', same)), '');
});

test('a question mark is one whole character', () => {
  assert.ok(matches('a?b', 'a😀b'));
  assert.ok(!matches('a??b', 'a😀b'));
});

test('the same answer as a regular expression', () => {
  const unit = fc.constantFrom('a', 'b', '*', '?', '😀');
  fc.assert(
    fc.property(
      fc.string({ unit, maxLength: 8 }),
      fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength: 8 }),
      (pattern, text) => {
        const source = pattern.replaceAll('*', '.*').replaceAll('?', '.');
        assert.equal(matches(pattern, text), new RegExp(`^${source}$`, 'u').test(text));
      },
    ),
    { numRuns: 1000 },
  );
});

test('a hostile pattern on a long value ends', () => {
  assert.ok(!matches(`${'a*'.repeat(40)}b`, 'a'.repeat(5000)));
});
