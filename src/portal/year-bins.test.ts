import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { binYears } from './year-bins.ts';

const counts = fc.uniqueArray(
  fc.record({
    value: fc.integer({ min: -4000, max: 9999 }).map(String),
    count: fc.integer({ min: 1, max: 500 }),
  }),
  { selector: ({ value }) => value, maxLength: 80 },
);

test('no item is lost in the bars, and there are never more bars than asked', () => {
  fc.assert(
    fc.property(counts, fc.integer({ min: 2, max: 20 }), (given, most) => {
      const bins = binYears(given, most);
      assert.ok(bins.length <= most);
      assert.equal(
        bins.reduce((sum, bin) => sum + bin.count, 0),
        given.reduce((sum, { count }) => sum + count, 0),
      );
      for (const { value, count } of given)
        assert.ok(
          bins.some((bin) => bin.from <= Number(value) && Number(value) <= bin.to && bin.count >= count),
        );
      for (const [i, bin] of bins.entries()) if (i > 0) assert.equal(bin.from, (bins[i - 1]?.to ?? 0) + 1);
    }),
  );
});

test('a few years give one bar each', () => {
  const bins = binYears(
    [
      { value: '2003', count: 2 },
      { value: '2001', count: 1 },
    ],
    10,
  );
  assert.deepEqual(bins, [
    { from: 2001, to: 2001, count: 1 },
    { from: 2002, to: 2002, count: 0 },
    { from: 2003, to: 2003, count: 2 },
  ]);
});
