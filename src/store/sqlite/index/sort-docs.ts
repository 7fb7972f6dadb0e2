/** Pages of documents in the order of a field, by whatever way that field's values are kept. */
import type { DatabaseSync } from 'node:sqlite';
import { GarnerError } from '../../../core/errors.ts';
import type { SortSpec } from '../../search.ts';
import { sortsByNumber } from './column-leaf.ts';
import { firstNumber } from './column-scan.ts';
import { type Columns, UPDATED_COLUMN } from './columns.ts';
import { type FieldCursor, invalidCursor } from './cursor.ts';
import type { IndexedField } from './field-registry.ts';
import type { HitReader } from './hits.ts';
import { type SortedPage, sortByNumber, sortByString } from './sort-by.ts';
import { titleKey } from './title-key.ts';
import { sortByTitle } from './title-sort.ts';
import type { ValueLookup } from './value-lookup.ts';

export interface SortReader {
  readonly db: DatabaseSync;
  readonly columns: Columns;
  readonly values: ValueLookup;
  readonly fields: ReadonlyMap<string, IndexedField>;
  readonly hits: HitReader;
}

/** Documents whose stored text is read to sort them by it. */
const MAX_TEXT_SORT = 5000;

export function sortDocs(
  reader: SortReader,
  sort: SortSpec,
  keys: Uint32Array,
  count: number,
  after: FieldCursor | undefined,
): SortedPage {
  const { columns, values, fields } = reader;
  if (sort.by === 'updated') return sortByColumn(columns, UPDATED_COLUMN, sort, keys, count, after);
  if (sort.by === 'title') return sortByTitle(reader.db, sort, keys, count, after);
  const field = fields.get(sort.by);
  if (!field?.use) return sortByNumber(() => Number.NaN, sort, keys, count, after);
  if (sortsByNumber(field.spec.type)) return sortByColumn(columns, field.id, sort, keys, count, after);
  if (field.use === 'ordinal') return sortByOrdinal(columns, values, field.id, sort, keys, count, after);
  if (field.use === 'presence') return sortByText(reader, sort, keys, count, after);
  throw new GarnerError('query.unsupported', `a list cannot be sorted by "${sort.by}"`, {
    details: { field: sort.by },
  });
}

function sortByColumn(
  columns: Columns,
  columnId: number,
  sort: SortSpec,
  keys: Uint32Array,
  count: number,
  after: FieldCursor | undefined,
): SortedPage {
  if (typeof after?.value === 'string') throw invalidCursor();
  const column = columns.get(columnId);
  return sortByNumber((key) => firstNumber(column, key), sort, keys, count, after);
}

/** Compared by the rank of the value among all, since only the page's texts are needed. */
function sortByOrdinal(
  columns: Columns,
  values: ValueLookup,
  fieldId: number,
  sort: SortSpec,
  keys: Uint32Array,
  count: number,
  after: FieldCursor | undefined,
): SortedPage {
  if (typeof after?.value === 'number') throw invalidCursor();
  const column = columns.get(fieldId);
  const ranks = values.ranks(fieldId);
  const rankOf = (key: number): number => {
    const ordinal = firstNumber(column, key);
    return Number.isNaN(ordinal) ? ordinal : (ranks[ordinal] ?? Number.NaN);
  };
  const place = after && {
    ...after,
    value: after.value === null ? null : cursorRank(values, fieldId, after.value),
  };
  const page = sortByNumber(rankOf, sort, keys, count, place);
  const sortValue = (key: number) => {
    const ordinal = firstNumber(column, key);
    return Number.isNaN(ordinal) ? null : (values.texts(fieldId, [ordinal]).get(ordinal)?.folded ?? null);
  };
  return { keys: page.keys, sortValue };
}

/** Between two ranks when the value of the cursor is gone. */
function cursorRank(values: ValueLookup, fieldId: number, folded: string): number {
  const rank = values.rankOf(fieldId, folded);
  return values.findOrdinal(fieldId, folded) === undefined ? rank - 0.5 : rank;
}

function sortByText(
  { hits }: SortReader,
  sort: SortSpec,
  keys: Uint32Array,
  count: number,
  after: FieldCursor | undefined,
): SortedPage {
  if (typeof after?.value === 'number') throw invalidCursor();
  if (keys.length > MAX_TEXT_SORT) {
    throw new GarnerError(
      'query.too-broad',
      `sorting ${keys.length} results by the running text of "${sort.by}" would take too long; narrow the query to ${MAX_TEXT_SORT} or sort by another field`,
      { details: { field: sort.by, limit: MAX_TEXT_SORT } },
    );
  }
  const texts = new Map<number, string>();
  for (const key of keys) {
    const [first] = hits.storedFields(key)[sort.by] ?? [];
    if (typeof first === 'string') texts.set(key, titleKey(first));
  }
  return sortByString((key) => texts.get(key), sort, keys, count, after);
}
