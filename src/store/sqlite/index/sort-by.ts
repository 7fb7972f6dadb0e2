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

/** In the order of values that are all numbers, or all strings. */
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
    if (typeof a === 'string') return sign * compareStrings(a, String(b));
    // Not by difference: infinite ends of intervals have none.
    return a === b ? 0 : a < Number(b) ? -sign : sign;
  };
  let candidates = keys;
  if (after) {
    const cursorValue = after.value ?? undefined;
    candidates = keys.filter((key) => {
      const difference = order(sortValue(key), cursorValue);
      return difference > 0 || (difference === 0 && key > after.key);
    });
  }
  const values = Array.from(candidates, sortValue);
  const first = takeFirst(
    candidates.length,
    count,
    (a, b) => {
      const difference = order(values[a], values[b]);
      return difference < 0 || (difference === 0 && a < b);
    },
    // Newer documents have higher keys and, mostly, higher dates.
    direction === 'desc',
  );
  return { keys: first.map((i) => candidates[i]!), sortValue: (key) => sortValue(key) ?? null };
}
