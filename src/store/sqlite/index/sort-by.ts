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

/** NaN: no value. */
export function sortByNumber(
  numberOf: (key: number) => number,
  { direction }: SortSpec,
  keys: Uint32Array,
  count: number,
  after: FieldCursor | undefined,
): SortedPage {
  const sign = direction === 'asc' ? 1 : -1;
  // Not by difference: infinite ends of intervals have none.
  const order = (a: number, b: number): number => {
    if (a === b) return 0;
    if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
    return a < b ? -sign : sign;
  };
  const candidates = after
    ? keysAfter(keys, after.key, (key) =>
        order(numberOf(key), after.value === null ? Number.NaN : Number(after.value)),
      )
    : keys;
  const numbers = new Float64Array(candidates.length);
  for (let i = 0; i < numbers.length; i++) numbers[i] = numberOf(candidates[i]!);
  const page = takePage(candidates, count, direction, (a, b) => order(numbers[a]!, numbers[b]!));
  return {
    keys: page,
    sortValue: (key) => {
      const number = numberOf(key);
      return Number.isNaN(number) ? null : number;
    },
  };
}

/** By code points. */
export function sortByString(
  stringOf: (key: number) => string | undefined,
  { direction }: SortSpec,
  keys: Uint32Array,
  count: number,
  after: FieldCursor | undefined,
): SortedPage {
  const sign = direction === 'asc' ? 1 : -1;
  const order = (a: string | undefined, b: string | undefined): number => {
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return sign * compareStrings(a, b);
  };
  const candidates = after
    ? keysAfter(keys, after.key, (key) =>
        order(stringOf(key), after.value === null ? undefined : String(after.value)),
      )
    : keys;
  const strings = Array.from(candidates, stringOf);
  const page = takePage(candidates, count, direction, (a, b) => order(strings[a], strings[b]));
  return { keys: page, sortValue: (key) => stringOf(key) ?? null };
}

/** Strictly after the cursor's place, which `order` compares a document's value with. */
function keysAfter(keys: Uint32Array, cursorKey: number, order: (key: number) => number): Uint32Array {
  return keys.filter((key) => {
    const difference = order(key);
    return difference > 0 || (difference === 0 && key > cursorKey);
  });
}

function takePage(
  keys: Uint32Array,
  count: number,
  direction: SortSpec['direction'],
  order: (a: number, b: number) => number,
): number[] {
  const before = (a: number, b: number): boolean => {
    const difference = order(a, b);
    return difference < 0 || (difference === 0 && a < b);
  };
  // Newer documents have higher keys and, mostly, higher dates.
  return takeFirst(keys.length, count, before, direction === 'desc').map((i) => keys[i]!);
}
