/** The relation of boxes over a column: plain comparisons where longitudes cause no trouble, else the full rule. */
import type { BoxValue } from '../../../core/model.ts';
import type { BoxRelation } from '../../../query/ast.ts';
import { relateBoxes } from '../../../query/box.ts';

export function boxTest(
  relation: BoxRelation,
  query: BoxValue,
): (numbers: ArrayLike<number>, at: number) => boolean {
  const plainQuery = isPlain(query.west, query.south, query.east, query.north);
  return (numbers, at) => {
    const west = numbers[at]!;
    const south = numbers[at + 1]!;
    const east = numbers[at + 2]!;
    const north = numbers[at + 3]!;
    // Every relation implies a shared latitude.
    if (south > query.north || north < query.south) return false;
    if (!plainQuery || !isPlain(west, south, east, north)) {
      return relateBoxes(relation, { west, south, east, north }, query);
    }
    switch (relation) {
      case 'intersects':
        return west <= query.east && query.west <= east;
      case 'within':
        return west >= query.west && east <= query.east && south >= query.south && north <= query.north;
      case 'contains':
        return west <= query.west && east >= query.east && south <= query.south && north >= query.north;
    }
  };
}

/** Touches neither the antimeridian nor a pole. */
function isPlain(west: number, south: number, east: number, north: number): boolean {
  return west > -180 && east < 180 && west <= east && south > -90 && north < 90;
}
