/** A field's values as the flat numbers of its doc-value column. */
import type { BoxValue, FieldValue, IntervalValue } from '../../../core/model.ts';
import { dateSpan } from '../../../core/time.ts';
import type { ColumnUse } from './field-registry.ts';

/** Values that do not fit the use (of a field that was redefined since) are left out. */
export function valueNumbers(
  use: ColumnUse,
  values: readonly FieldValue[],
  ordinalOf: (text: string) => number,
): number[] {
  if (use === 'presence') return values.length > 0 ? [1] : [];
  const numbers: number[] = [];
  for (const value of values) {
    switch (use) {
      case 'ordinal':
        if (typeof value === 'string') numbers.push(ordinalOf(value));
        break;
      case 'number':
        if (typeof value === 'number' && !Number.isNaN(value)) numbers.push(value);
        break;
      case 'span':
        addSpan(numbers, value);
        break;
      case 'box':
        if (typeof value === 'object' && isBox(value)) {
          numbers.push(value.west, value.south, value.east, value.north);
        }
        break;
    }
  }
  return numbers;
}

function addSpan(numbers: number[], value: FieldValue): void {
  if (typeof value === 'string') {
    const span = dateSpan(value);
    if (span) numbers.push(span.startAt, span.endAt);
  } else if (typeof value === 'object' && !isBox(value)) {
    const start = value.start === undefined ? undefined : dateSpan(value.start);
    const end = value.end === undefined ? undefined : dateSpan(value.end);
    if (value.start !== undefined && !start) return;
    if (value.end !== undefined && !end) return;
    numbers.push(start?.startAt ?? Number.NEGATIVE_INFINITY, end?.endAt ?? Number.POSITIVE_INFINITY);
  }
}

function isBox(value: IntervalValue | BoxValue): value is BoxValue {
  return 'west' in value;
}
