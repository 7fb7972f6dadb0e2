/**
 * Pages of documents in the order of some value. Documents without a value come last in both directions,
 * equal ones by key, so that the order is total and a cursor (value, key) names one place in it.
 */
import { compareStrings } from '../../../query/range.ts';
import type { SortSpec } from '../../search.ts';
import type { FieldCursor } from './cursor.ts';
import { takeFirst } from './top-docs.ts';

export interface SortedPage {
  readonly keys: readonly number[];
  /** What a cursor after this document carries. */
  readonly sortValue: (key: number) => string | number | null;
}

type Value = string | number | undefined;

/** In any order of values that are numbers, or that are strings. */
export function sortBy(
  sortValue: (key: number) => Value,
  { direction }: SortSpec,
  keys: Uint32Array,
  count: number,
  after: FieldCursor | undefined,
): SortedPage {
  const sign = direction === 'asc' ? 1 : -1;
  const order = (a: Value, b: Value): number => {
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return sign * (typeof a === 'string' ? compareStrings(a, String(b)) : a - Number(b) || 0);
  };
  const before = (a: number, b: number): boolean => {
    const difference = order(sortValue(a), sortValue(b));
    return difference < 0 || (difference === 0 && a < b);
  };
  const accept =
    after &&
    ((key: number): boolean => {
      const difference = order(sortValue(key), after.value ?? undefined);
      return difference > 0 || (difference === 0 && key > after.key);
    });
  return { keys: takeFirst(keys, count, before, accept), sortValue: (key) => sortValue(key) ?? null };
}
