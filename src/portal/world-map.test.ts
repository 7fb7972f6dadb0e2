import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { boxRectangles } from './world-map.ts';

const longitude = fc.double({ min: -180, max: 180, noNaN: true });
const latitude = fc.double({ min: -90, max: 90, noNaN: true });

test('every box is drawn inside the map and covers the place it names', () => {
  fc.assert(
    fc.property(longitude, longitude, latitude, latitude, (west, east, a, b) => {
      const box = { west, east, south: Math.min(a, b), north: Math.max(a, b) };
      const rectangles = boxRectangles(box);
      assert.equal(rectangles.length, west > east ? 2 : 1);
      for (const { x, y, width, height } of rectangles) {
        assert.ok(x >= -180 && x + width <= 180.0001 && y >= -90 && y + height <= 90.0001);
        assert.ok(width > 0 && height > 0);
      }
      const covers = (lon: number, lat: number) =>
        rectangles.some(
          ({ x, y, width, height }) =>
            lon >= x - 1e-6 && lon <= x + width + 1e-6 && -lat >= y - 1e-6 && -lat <= y + height + 1e-6,
        );
      assert.ok(covers(west, box.south) && covers(east, box.north));
    }),
  );
});
