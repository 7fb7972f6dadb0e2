import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presentableHeaders, writeHttpHeader } from './http-header.ts';

test('headers of a connection, of one visitor and secrets are not shown', () => {
  const shown = presentableHeaders([
    ['Content-Type', 'text/html'],
    ['Connection', 'keep-alive, X-Hop'],
    ['Transfer-Encoding', 'chunked'],
    ['SET-COOKIE', 'session=1'],
    ['Authorization', 'Basic x'],
    ['X-Hop', 'listed by Connection'],
    ['ETag', '"1"'],
  ]);
  assert.deepEqual(shown, [
    ['Content-Type', 'text/html'],
    ['ETag', '"1"'],
  ]);
});

test('a header whose name cannot name an element is left out, values are escaped', () => {
  const written = writeHttpHeader([
    ['1x', 'no'],
    ['a*b', 'no'],
    ['Link', ' <a?b&c>; rel="next" '],
  ]);
  assert.match(written, /<http:Link>&lt;a\?b&amp;c&gt;; rel="next"<\/http:Link><\/http:header>$/);
  assert.doesNotMatch(written, /no</);
});
