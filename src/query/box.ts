/**
 * How boxes on the globe lie to each other. Longitudes are a circle: 180 and -180 are one meridian, and
 * `west > east` crosses it. At a pole all longitudes are one point. Edges belong to the box, and a box
 * may be a line or a point. Everything is compared, nothing computed, so that no rounding moves an edge.
 */
import type { BoxValue } from '../core/model.ts';
import type { BoxRelation } from './ast.ts';

type Segment = readonly [west: number, east: number];

function segments(box: BoxValue): Segment[] {
  if (box.west <= box.east) return [[box.west, box.east]];
  return [
    [box.west, 180],
    [-180, box.east],
  ];
}

/** With the antimeridian under both of its names, when the box touches it. */
function segmentsWithSeam(box: BoxValue): Segment[] {
  const all = segments(box);
  if (all.some(([, east]) => east === 180)) all.push([-180, -180]);
  if (all.some(([west]) => west === -180)) all.push([180, 180]);
  return all;
}

/** Does `item` lie to `query` in that relation? */
export function relateBoxes(relation: BoxRelation, item: BoxValue, query: BoxValue): boolean {
  if (relation === 'intersects') return intersects(item, query);
  return relation === 'within' ? isWithin(item, query) : isWithin(query, item);
}

function intersects(a: BoxValue, b: BoxValue): boolean {
  if (a.south > b.north || b.south > a.north) return false;
  if (a.north === 90 && b.north === 90) return true;
  if (a.south === -90 && b.south === -90) return true;
  const others = segmentsWithSeam(b);
  return segmentsWithSeam(a).some(([west, east]) =>
    others.some((other) => west <= other[1] && other[0] <= east),
  );
}

function isWithin(inner: BoxValue, outer: BoxValue): boolean {
  if (inner.south < outer.south || inner.north > outer.north) return false;
  // Nothing but a pole: its longitude says nothing.
  if (inner.south === 90 || inner.north === -90) return true;
  const others = segmentsWithSeam(outer);
  return segments(inner).every(([west, east]) =>
    others.some((other) => west >= other[0] && east <= other[1]),
  );
}
