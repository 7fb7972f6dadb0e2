import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRetryAfter } from './retry-after.ts';

const NOW = Date.UTC(2026, 10, 15, 8, 0, 0);

for (const [value, expected] of [
  ['120', 120_000],
  [' 0 ', 0],
  ['1.5', 1000],
  ['Sun, 15 Nov 2026 08:01:00 GMT', 60_000],
  ['Sunday, 15-Nov-26 08:01:00 GMT', 60_000],
  ['Sun Nov 15 08:01:00 2026', 60_000],
  ['Sun, 15 Nov 2026 07:00:00 GMT', 0],
  ['soon', undefined],
  ['-5', undefined],
  [undefined, undefined],
] as const)
  test(`Retry-After ${value} is ${expected} ms`, () => {
    assert.equal(parseRetryAfter(value, NOW), expected);
  });
