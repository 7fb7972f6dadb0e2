import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { boundsOf, closedAfter, EVERYTHING, type ListWindow, parseWindow, writeWindow } from './window.ts';

const second = fc.nat(4_102_444_800).map((seconds) => seconds * 1000);
const key = fc.option(fc.nat(), { nil: undefined });

test('a window’s name is read back as the same window', () => {
  fc.assert(
    fc.property(
      second,
      key,
      fc.option(second, { nil: undefined }),
      key,
      (fromAt, afterKey, untilAt, lastKey) => {
        const window: ListWindow = {
          fromAt,
          ...(afterKey !== undefined && { afterKey }),
          ...(untilAt !== undefined && { untilAt, ...(lastKey !== undefined && { lastKey }) }),
        };
        assert.deepEqual(parseWindow(writeWindow(window)), window);
      },
    ),
  );
  assert.equal(writeWindow(EVERYTHING), '19700101T000000Z-');
});

test('a text that is not exactly a window’s name is none', () => {
  for (const text of [
    '',
    '-',
    '20260101T000000Z',
    '20260101T000000Z-x',
    '20260230T000000Z-',
    '20260101T240000Z-',
    '20260101T000000Z.01-',
    '20260101T000000Z.-',
    ' 20260101T000000Z-',
    '20260101T000000Z-20260102T000000Z-20260103T000000Z',
  ])
    assert.equal(parseWindow(text), undefined, text);
});

test('an end between seconds leaves that second out, an end at a key takes it in up to the key', () => {
  const [fromAt, untilAt] = [1_000_000, 2_000_000];
  assert.deepEqual(boundsOf({ fromAt, untilAt }).upTo, {
    datestampAt: 1_999_000,
    key: Number.MAX_SAFE_INTEGER,
  });
  assert.deepEqual(boundsOf({ fromAt, untilAt, lastKey: 7 }).upTo, { datestampAt: untilAt, key: 7 });
  assert.deepEqual(boundsOf({ fromAt, afterKey: 3 }), { fromAt, after: { datestampAt: fromAt, key: 3 } });
  assert.deepEqual(closedAfter({ fromAt }, untilAt), { fromAt, untilAt: 2_001_000 });
  assert.deepEqual(closedAfter({ fromAt, untilAt }, 9_000_000), { fromAt, untilAt });
});
