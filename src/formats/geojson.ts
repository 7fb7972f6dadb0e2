/** Where a GeoJSON geometry or box (RFC 7946) lies, as the parts of a box. */
import type { BoxParts } from './box-value.ts';
import { isContainer } from './json-pointer.ts';

/** `[west, south, east, north]`, or with heights `[west, south, low, east, north, high]` (§5). */
export function boxArrayParts(box: readonly unknown[]): BoxParts | undefined {
  const order = box.length === 4 ? [0, 1, 2, 3] : box.length === 6 ? [0, 1, 3, 4] : undefined;
  if (!order || !box.every((number) => typeof number === 'number')) return undefined;
  const [west = [], south = [], east = [], north = []] = order.map((index) => [String(box[index])]);
  return [west, south, east, north];
}

/** All positions of a geometry or geometry collection. */
export function geometryParts(geometry: object): BoxParts | undefined {
  const longitudes: string[] = [];
  const latitudes: string[] = [];
  const waiting: unknown[] = [geometry];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (Array.isArray(next)) {
      if (typeof next[0] === 'number') {
        longitudes.push(String(next[0]));
        latitudes.push(String(next[1]));
        // Backwards, since the stack turns the order around, and neighbours must stay neighbours.
      } else waiting.push(...next.toReversed());
    } else if (isContainer(next)) {
      for (const name of ['geometry', 'coordinates', 'geometries']) {
        const inner: unknown = Reflect.get(next, name);
        if (isContainer(inner)) waiting.push(inner);
      }
    }
  }
  return longitudes.length > 0 ? [longitudes, latitudes, longitudes, latitudes] : undefined;
}
