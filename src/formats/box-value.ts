/** Boxes from numbers or from one of the notations in which a box is written as a text. */
import type { BoxValue } from '../core/model.ts';
import { readDegrees } from './degrees.ts';
import type { ReportProblem } from './values.ts';

/** Western, southern, eastern and northern numbers; several of each are the corners of an area. */
export type BoxParts = readonly [
  west: readonly string[],
  south: readonly string[],
  east: readonly string[],
  north: readonly string[],
];

/** Rounding in other software may leave a pole a little too far. */
const LATITUDE_SLACK = 1e-6;

/** Nearer to a full circle than this, two neighbouring corners are the edges of a map of the whole world. */
const WHOLE_CIRCLE = 359;

export function readBoxParts(parts: BoxParts, report: ReportProblem): BoxValue | undefined {
  if (parts.some((texts) => texts.length === 0)) {
    if (parts.some((texts) => texts.length > 0)) report('value.box', 'the box has not all four sides');
    return undefined;
  }
  const sides = parts.map((texts) => texts.map(readDegrees));
  for (const [index, side] of sides.entries()) {
    const wrong = side.indexOf(undefined);
    if (wrong >= 0) {
      report('value.box', `"${parts[index]?.[wrong]}" is no coordinate`);
      return undefined;
    }
  }
  const [west = [], south = [], east = [], north = []] = sides.map((side) =>
    side.filter((number) => number !== undefined),
  );
  const area = west.length > 1 ? unwrap(west) : west;
  return checkBox(
    {
      west: smallest(area),
      south: smallest(south),
      east: largest(west.length > 1 ? area : east),
      north: largest(north),
    },
    report,
  );
}

// Not Math.min(...numbers): a coastline has more corners than a call may have arguments.
const smallest = (numbers: readonly number[]) => numbers.reduce((least, number) => Math.min(least, number));
const largest = (numbers: readonly number[]) => numbers.reduce((most, number) => Math.max(most, number));

/** A line between neighbouring corners takes the short way: a jump by more than half the globe crosses the antimeridian. */
function unwrap(longitudes: readonly number[]): number[] {
  const crosses = longitudes.some((longitude, index) => {
    const jump = Math.abs(longitude - (longitudes[index - 1] ?? longitude));
    return jump > 180 && jump < WHOLE_CIRCLE;
  });
  return longitudes.map((longitude) => (crosses && longitude < 0 ? longitude + 360 : longitude));
}

function checkBox(box: BoxValue, report: ReportProblem): BoxValue | undefined {
  let { south, north } = box;
  if (Math.abs(south) > 90 + LATITUDE_SLACK || Math.abs(north) > 90 + LATITUDE_SLACK) {
    report('value.box', `the latitudes ${south} and ${north} are not within -90 and 90`);
    return undefined;
  }
  if (Math.abs(box.west) > 360 || Math.abs(box.east) > 360) {
    report('value.box', `the longitudes ${box.west} and ${box.east} are not within -180 and 360`);
    return undefined;
  }
  if (south > north) {
    report('value.box', `south (${south}) lies north of north (${north}); they were swapped`);
    [south, north] = [north, south];
  }
  const whole = box.east - box.west >= 360;
  return {
    west: whole ? -180 : wrapLongitude(box.west),
    south: Math.max(south, -90),
    east: whole ? 180 : wrapLongitude(box.east),
    north: Math.min(north, 90),
  };
}

/** 0…360 becomes -180…180. */
function wrapLongitude(longitude: number): number {
  if (longitude > 180) return longitude - 360;
  return longitude < -180 ? longitude + 360 : longitude;
}

const NUMBER = String.raw`[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const DCMI_LIMIT = /\b(north|south|east|west)limit\s*=\s*([^;\s]+)/gi;
const DCMI_POINT = /\b(north|east)\s*=\s*([^;\s]+)/gi;
const ENVELOPE = new RegExp(
  String.raw`^ENVELOPE\s*\(\s*(${NUMBER})\s*,\s*(${NUMBER})\s*,\s*(${NUMBER})\s*,\s*(${NUMBER})\s*\)$`,
  'i',
);
const WKT = /^(?:SRID=\d+;)?\s*(?:MULTI)?(?:POINT|LINESTRING|POLYGON|BOX)\s*(?:Z|M|ZM)?\s*\(([^A-Z]*)\)$/i;
const FOUR_NUMBERS = new RegExp(
  String.raw`^(${NUMBER})[\s,;]+(${NUMBER})[\s,;]+(${NUMBER})[\s,;]+(${NUMBER})$`,
);

/** The parts of a box that is written as one text; undefined when it is none. */
export function splitBoxText(text: string): BoxParts | undefined {
  const limits = new Map(
    Array.from(
      text.matchAll(DCMI_LIMIT),
      ([, side = '', value = '']) => [side.toLowerCase(), [value]] as const,
    ),
  );
  if (limits.size > 0)
    return [
      limits.get('west') ?? [],
      limits.get('south') ?? [],
      limits.get('east') ?? [],
      limits.get('north') ?? [],
    ];
  // Spatial search engines write west, east, north, south.
  const envelope = ENVELOPE.exec(text.trim());
  if (envelope) return sidesOf(envelope, [1, 4, 2, 3]);
  const four = FOUR_NUMBERS.exec(text.trim());
  if (four) return sidesOf(four, [1, 2, 3, 4]);
  return splitPoints(text.trim()) ?? splitCartographic(text.trim());
}

function sidesOf(match: RegExpExecArray, order: readonly [number, number, number, number]): BoxParts {
  const side = (group: number): readonly string[] => [match[group] ?? ''];
  return [side(order[0]), side(order[1]), side(order[2]), side(order[3])];
}

/** WKT with longitude before latitude, or a DCMI Point (`east=…; north=…`). */
function splitPoints(text: string): BoxParts | undefined {
  const wkt = WKT.exec(text)?.[1];
  if (wkt !== undefined) {
    const points = wkt
      .replace(/[()]/g, ' ')
      .split(',')
      .map((point) => point.trim().split(/\s+/));
    const longitudes = points.map(([longitude = '']) => longitude);
    const latitudes = points.map(([, latitude = '']) => latitude);
    return [longitudes, latitudes, longitudes, latitudes];
  }
  const point = new Map(
    Array.from(
      text.matchAll(DCMI_POINT),
      ([, side = '', value = '']) => [side.toLowerCase(), [value]] as const,
    ),
  );
  const [east, north] = [point.get('east'), point.get('north')];
  return east && north ? [east, north, east, north] : undefined;
}

/** Library catalogues: `W 126°00ʹ--W 120°00ʹ/N 49°00ʹ--N 45°00ʹ`, west before east and north before south. */
function splitCartographic(text: string): BoxParts | undefined {
  const [across, along, ...rest] = text.replace(/^\(|\)\.?$/g, '').split('/');
  if (across === undefined || along === undefined || rest.length > 0) return undefined;
  const [west, east = west] = across.split(/--|–|—/);
  const [north, south = north] = along.split(/--|–|—/);
  const sides = [west, south, east, north];
  if (sides.some((side) => side === undefined || readDegrees(side) === undefined)) return undefined;
  return [[west ?? ''], [south ?? ''], [east ?? ''], [north ?? '']];
}
