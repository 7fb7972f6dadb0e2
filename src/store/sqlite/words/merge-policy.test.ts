import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { chooseMerge } from './merge-policy.ts';
import type { SegmentRow } from './segment-store.ts';

const rows = (sizes: readonly number[]): SegmentRow[] =>
  sizes.map((size, i) => ({ id: i, first: i, last: i, base: 0, postings: size, positions: 0 }));

const chosen = (sizes: readonly number[], merging: { first: number; last: number }[] = []) =>
  chooseMerge(rows(sizes), merging)?.map(({ id }) => id);

describe('the choice of segments to merge', () => {
  test('waits for eight of about one size', () => {
    assert.equal(chosen([10, 10, 10, 10, 10, 10, 10]), undefined);
    assert.deepEqual(chosen([10, 12, 10, 9, 10, 10, 11, 10]), [0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test('leaves a large one alone, and takes the small ones beside it', () => {
    assert.equal(chosen([1000, 10, 10, 10, 10, 10, 10, 10]), undefined);
    assert.deepEqual(chosen([1000, 10, 10, 10, 10, 10, 10, 10, 10]), [1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('leaves alone what is being merged', () => {
    assert.equal(chosen(new Array(12).fill(10), [{ first: 3, last: 10 }]), undefined);
    assert.deepEqual(chosen(new Array(16).fill(10), [{ first: 0, last: 7 }]), [8, 9, 10, 11, 12, 13, 14, 15]);
  });

  test('keeps segments few, whatever sizes come', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constant(500), fc.integer({ min: 0, max: 100_000 })), {
          minLength: 300,
          maxLength: 300,
        }),
        (sizes) => {
          let segments: number[] = [];
          let written = 0;
          for (const size of sizes) {
            segments.push(size);
            for (let run = chosen(segments); run; run = chosen(segments)) {
              const merged = run.reduce((sum, at) => sum + segments[at]!, 0);
              written += merged;
              segments = [...segments.slice(0, run[0]), merged, ...segments.slice(run.at(-1)! + 1)];
            }
            assert.ok(segments.length < 60, `${segments.length} segments`);
          }
          const total = sizes.reduce((sum, size) => sum + size, 0);
          assert.ok(written <= total * 8, `${written / total} times`);
        },
      ),
      { numRuns: 20 },
    );
  });
});
