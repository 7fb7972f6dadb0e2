import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { BLOCK_DOCS, buildBlock } from './column-block.ts';
import type { Column } from './columns.ts';
import { countSteps, stepOf } from './count-steps.ts';
import { yearOf } from './year-of.ts';

/** Blocks of two numbers a value for dates, of one for numbers. */
function makeColumn(kind: 'number' | 'span', docs: ReadonlyMap<number, readonly number[]>): Column {
  const numbers = [...docs.keys()].map((key) => Math.floor(key / BLOCK_DOCS));
  const blocks = Array.from({ length: Math.max(0, ...numbers) + 1 }, (_, number) =>
    numbers.includes(number)
      ? buildBlock(
          kind,
          Array.from({ length: BLOCK_DOCS }, (_, place) =>
            docs
              .get(number * BLOCK_DOCS + place)
              ?.flatMap((value) => (kind === 'span' ? [value, value] : [value])),
          ),
        )
      : undefined,
  );
  return { kind, blocks };
}

function countSlowly(
  docs: ReadonlyMap<number, readonly number[]>,
  keys: Uint32Array,
  width: number | 'year',
): [number, number][] {
  const counts = new Map<number, number>();
  for (const key of keys)
    for (const step of new Set((docs.get(key) ?? []).map((value) => stepOf(value, width))))
      if (Number.isFinite(step)) counts.set(step, (counts.get(step) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a - b);
}

const YEAR_MS = 31_556_952_000;

describe('counts by step', () => {
  it('are those of going through all values one by one', () => {
    const value = fc.oneof(
      fc.integer({ min: -3000, max: 3000 }),
      fc.double({ min: -3000, max: 3000, noNaN: true }),
      fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
    );
    const doc = fc.tuple(fc.integer({ min: 0, max: 3 * BLOCK_DOCS }), fc.array(value, { maxLength: 3 }));
    fc.assert(
      fc.property(
        fc.array(doc, { maxLength: 60 }),
        fc.constantFrom(1, 16, 0.3, 700, 'year' as const),
        fc.integer({ min: 1, max: 3 }),
        (list, width, most) => {
          const scale = width === 'year' ? YEAR_MS / 10 : 1;
          // With one value each, blocks have no offsets.
          const docs = new Map(
            list.map(([key, values]) => [key, values.slice(0, most).map((one) => one * scale)]),
          );
          const keys = Uint32Array.from(docs.keys())
            .sort()
            .filter((_, i) => i % 5 !== 4);
          const counted = countSteps(makeColumn(width === 'year' ? 'span' : 'number', docs), keys, width);
          assert.deepEqual(
            [...(counted ?? [])].sort(([a], [b]) => a - b),
            countSlowly(docs, keys, width),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are left to others when the steps lie far apart', () => {
    const docs = new Map([
      [1, [0]],
      [2, [1e9]],
    ]);
    assert.equal(countSteps(makeColumn('number', docs), Uint32Array.of(1, 2), 1), undefined);
    assert.deepEqual(
      [...(countSteps(makeColumn('number', docs), Uint32Array.of(1, 2), 1e6) ?? [])],
      [
        [0, 1],
        [1000, 1],
      ],
    );
  });

  it('know the year of every instant', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), (date) => {
        assert.equal(yearOf(date.getTime()), date.getUTCFullYear());
      }),
    );
    assert.equal(yearOf(Number.NEGATIVE_INFINITY), Number.NEGATIVE_INFINITY);
  });
});
