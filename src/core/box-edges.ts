/** The edges of boxes: each is a number that can be asked for, under a name of its own. */
import type { BoxValue, FieldValue } from './model.ts';

/** In the order of the numbers of a box in the index. */
export const BOX_EDGES = ['west', 'south', 'east', 'north'] as const;
export type BoxEdge = (typeof BOX_EDGES)[number];

/** As the planetary data dictionary calls them. */
export const EDGE_NAMES: Readonly<Record<BoxEdge, string>> = {
  west: 'westernmost_longitude',
  south: 'minimum_latitude',
  east: 'easternmost_longitude',
  north: 'maximum_latitude',
};

export interface EdgeField {
  /** The field of the boxes. */
  readonly box: string;
  readonly edge: BoxEdge;
}

export const edgeField = (box: string, edge: BoxEdge): string => `${box}#${edge}`;

/** Undefined when the field is no edge. */
export function parseEdgeField(field: string): EdgeField | undefined {
  const hash = field.lastIndexOf('#');
  const edge = hash <= 0 ? undefined : BOX_EDGES.find((one) => one === field.slice(hash + 1));
  return edge && { box: field.slice(0, hash), edge };
}

/** The edge that an attribute (`attributeKey`) names. */
export function edgeNamed(key: string): BoxEdge | undefined {
  return BOX_EDGES.find((edge) => EDGE_NAMES[edge] === key);
}

export function edgesOf(values: readonly FieldValue[], edge: BoxEdge): number[] {
  return values.flatMap((value) => (isBox(value) ? value[edge] : []));
}

function isBox(value: FieldValue): value is BoxValue {
  return typeof value === 'object' && 'west' in value;
}
