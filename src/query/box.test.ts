import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { BoxValue } from '../core/model.ts';
import { relateBoxes } from './box.ts';

const STEP = 30;
const longitude = fc.integer({ min: -6, max: 6 }).map((n) => n * STEP);
const latitude = fc.integer({ min: -3, max: 3 }).map((n) => n * STEP);
const box = fc
  .tuple(longitude, latitude, longitude, latitude)
  .map(([west, a, east, b]) => ({ west, south: Math.min(a, b), east, north: Math.max(a, b) }));

/**
 * A box as the set of grid points it holds, at half the step of its edges: on this grid two boxes share a
 * place, or one holds the other, exactly when their points say so.
 */
function points({ west, south, east, north }: BoxValue): Set<string> {
  const held = new Set<string>();
  const width = east >= west ? east - west : east - west + 360;
  for (let x = west; x <= west + width; x += STEP / 2) {
    for (let y = south; y <= north; y += STEP / 2) {
      held.add(Math.abs(y) === 90 ? `pole ${y}` : `${(((x % 360) + 360) % 360).toString()} ${y}`);
    }
  }
  return held;
}

test('relations are those of the places on the globe', () => {
  fc.assert(
    fc.property(box, box, (a, b) => {
      const [inA, inB] = [points(a), points(b)];
      assert.equal(relateBoxes('intersects', a, b), !inA.isDisjointFrom(inB));
      assert.equal(relateBoxes('within', a, b), inA.isSubsetOf(inB));
      assert.equal(relateBoxes('contains', a, b), inA.isSupersetOf(inB));
    }),
    { numRuns: 3000 },
  );
});
