/** What the bounds of a range node mean, by the type of the field. */
import { readNumber } from '../core/decimal.ts';
import { dateSpan } from '../core/time.ts';
import type { Bound } from './ast.ts';

export interface NumberRange {
  readonly min: number;
  readonly minInclusive: boolean;
  readonly max: number;
  readonly maxInclusive: boolean;
}

/** Undefined when a bound is no number. Absent bounds are infinite. */
export function numberRange(from: Bound | undefined, to: Bound | undefined): NumberRange | undefined {
  const min = from ? readNumber(from.value) : Number.NEGATIVE_INFINITY;
  const max = to ? readNumber(to.value) : Number.POSITIVE_INFINITY;
  if (min === undefined || max === undefined) return undefined;
  return { min, minInclusive: from?.inclusive ?? true, max, maxInclusive: to?.inclusive ?? true };
}

export function isInRange(number: number, range: NumberRange): boolean {
  return (
    (range.minInclusive ? number >= range.min : number > range.min) &&
    (range.maxInclusive ? number <= range.max : number < range.max)
  );
}

/** From `startAt` up to, but not including, `endAt`; open ends are infinite. */
export interface TimeSpan {
  readonly startAt: number;
  readonly endAt: number;
}

/**
 * The span between two written dates, each taken at its precision: `[2004 TO 2006-06]` ends with the
 * last millisecond of June, `{2004 TO …` begins after all of 2004. Undefined when a bound is no date.
 */
export function timeRange(from: Bound | undefined, to: Bound | undefined): TimeSpan | undefined {
  const first = from && dateSpan(from.value);
  const last = to && dateSpan(to.value);
  if ((from && !first) || (to && !last)) return undefined;
  const startAt = from && first ? (from.inclusive ? first.startAt : first.endAt) : Number.NEGATIVE_INFINITY;
  const endAt = to && last ? (to.inclusive ? last.endAt : last.startAt) : Number.POSITIVE_INFINITY;
  return { startAt, endAt };
}

/**
 * A date or interval matches a range when its span shares an instant with it: the value `2004` is a year
 * and matches `[2004-06 TO 2005]`, since nothing says that it was not June.
 */
export function spansOverlap(value: TimeSpan, range: TimeSpan): boolean {
  return (
    value.startAt < range.endAt &&
    range.startAt < value.endAt &&
    value.startAt < value.endAt &&
    range.startAt < range.endAt
  );
}

/**
 * Order of strings by code point, as SQLite and OpenSearch order UTF-8. (`<` compares UTF-16 units, which
 * puts characters beyond U+FFFF before U+E000.)
 */
export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return liftSurrogate(left) - liftSurrogate(right);
  }
  return a.length - b.length;
}

function liftSurrogate(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** `fold` as for the values compared: `foldValue`, or none for pseudo fields. */
export function stringRange(
  from: Bound | undefined,
  to: Bound | undefined,
  fold: (text: string) => string,
): (value: string) => boolean {
  const low = from && fold(from.value);
  const high = to && fold(to.value);
  return (value) => {
    if (low !== undefined) {
      const order = compareStrings(value, low);
      if (order < 0 || (order === 0 && !from?.inclusive)) return false;
    }
    if (high !== undefined) {
      const order = compareStrings(value, high);
      if (order > 0 || (order === 0 && !to?.inclusive)) return false;
    }
    return true;
  };
}
