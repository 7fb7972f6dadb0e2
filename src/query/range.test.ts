import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { readNumber } from '../core/decimal.ts';
import { compareStrings, timeRange } from './range.ts';

test('strings are ordered as their UTF-8 bytes', () => {
  const text = fc.string({
    maxLength: 4,
    unit: fc.constantFrom('a', 'b', 'é', '\ue000', '\uffff', '😀', '😁'),
  });
  fc.assert(
    fc.property(text, text, (a, b) => {
      assert.equal(Math.sign(compareStrings(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});

test('numbers are decimal and finite', () => {
  assert.equal(readNumber('-1.5e3'), -1500);
  assert.equal(readNumber('.5'), 0.5);
  for (const text of ['', ' ', '0x10', 'Infinity', 'NaN', '1,5', '1e999', '1 2']) {
    assert.equal(readNumber(text), undefined, text);
  }
});

test('dates as bounds are taken at their precision', () => {
  const year = { value: '2004', inclusive: true };
  const june = { value: '2006-06', inclusive: true };
  assert.deepEqual(timeRange(year, june), { startAt: Date.UTC(2004, 0), endAt: Date.UTC(2006, 6) });
  assert.deepEqual(timeRange({ ...year, inclusive: false }, { ...june, inclusive: false }), {
    startAt: Date.UTC(2005, 0),
    endAt: Date.UTC(2006, 5),
  });
  assert.deepEqual(timeRange(undefined, undefined), { startAt: -Infinity, endAt: Infinity });
  assert.equal(timeRange({ value: 'soon', inclusive: true }, undefined), undefined);
});
