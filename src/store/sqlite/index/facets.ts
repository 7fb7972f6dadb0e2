/** Counts of values over all matches: every document counts once per value. */
import { attributeSpec } from '../../../core/attributes.ts';
import { BOX_EDGES, type EdgeField } from '../../../core/box-edges.ts';
import { GarnerError } from '../../../core/errors.ts';
import type { FieldSpec } from '../../../core/model.ts';
import { type FieldCatalogue, getField } from '../../../query/catalogue.ts';
import type { FacetCount, FacetRequest } from '../../search.ts';
import { type AllowedRules, mayRead } from '../access-filter.ts';
import { eachRun } from './block-runs.ts';
import { PLACE_MASK } from './column-block.ts';
import { eachValue } from './column-scan.ts';
import type { Column, Columns } from './columns.ts';
import { countSteps, stepOf } from './count-steps.ts';
import type { IndexedField } from './field-registry.ts';
import { NAME_COLUMNS, type NameTables } from './name-tables.ts';
import type { ValueLookup } from './value-lookup.ts';

export interface FacetReader {
  readonly columns: Columns;
  readonly values: ValueLookup;
  readonly names: NameTables;
  readonly catalogue: FieldCatalogue;
  readonly specs: ReadonlyMap<string, FieldSpec>;
  readonly fields: ReadonlyMap<string, IndexedField>;
}

export function countFacet(
  reader: FacetReader,
  { field, limit, width }: FacetRequest,
  keys: Uint32Array,
  allowed: AllowedRules,
): FacetCount[] {
  const nameColumn = NAME_COLUMNS.get(field);
  if (nameColumn !== undefined) return countNames(reader, field, nameColumn, limit, keys, allowed);
  const edge = reader.catalogue.find(field)?.edge;
  if (edge) return countEdges(reader, edge, { limit, width }, keys);
  const spec = reader.specs.get(field) ?? attributeSpec(field);
  if (!spec?.facet) {
    // An unknown name is told as such.
    if (!spec) getField(reader.catalogue, field);
    throw new GarnerError('query.unsupported', `the field "${field}" is not declared as a facet`, {
      details: { field },
    });
  }
  const indexed = reader.fields.get(field);
  const column = indexed?.use ? reader.columns.get(indexed.id) : undefined;
  if (!indexed || !column) return [];
  switch (indexed.use) {
    case 'ordinal':
      return countStrings(reader.values, indexed.id, column, limit, keys);
    case 'number':
      return width === undefined
        ? sortNumbers(
            countEach(column, keys, (number) => number),
            limit,
          )
        : countGroups(column, limit, keys, width).map(({ value, count }) => ({
            value: String(Number(value) * width),
            count,
          }));
    case 'span':
      return countGroups(column, limit, keys, 'year');
    default:
      throw new GarnerError('query.unsupported', `the field "${field}" has no values to count`, {
        details: { field },
      });
  }
}

/** How many of the documents have each ordinal. Written for speed: match-all visits every document. */
export function countOrdinals(column: Column | undefined, keys: Uint32Array, last: number): Uint32Array {
  const counts = new Uint32Array(last + 1);
  // Spellings that fold to one value may give it twice to one document, which counts once.
  const lastKey = new Uint32Array(last + 1);
  eachRun(keys, (number, run) => {
    const block = column?.blocks[number];
    if (!block) return;
    const { count, offsets, values } = block;
    for (let i = 0; i < run.length; i++) {
      const key = run[i]!;
      const place = key & PLACE_MASK;
      if (place >= count) return;
      if (!offsets) {
        counts[values[place]!]!++;
        continue;
      }
      for (let at = offsets[place]!; at < offsets[place + 1]!; at++) {
        const ordinal = values[at]!;
        if (lastKey[ordinal] === key + 1) continue;
        lastKey[ordinal] = key + 1;
        counts[ordinal]!++;
      }
    }
  });
  // A single slot with 0 is a document without a value.
  counts[0] = 0;
  return counts;
}

function countStrings(
  values: ValueLookup,
  fieldId: number,
  column: Column,
  limit: number,
  keys: Uint32Array,
): FacetCount[] {
  const counts = countOrdinals(column, keys, values.lastOrdinal(fieldId));
  const chosen = mostFrequent(counts, limit);
  const texts = values.texts(fieldId, chosen);
  return sortCounts(
    chosen.map((ordinal) => ({ value: texts.get(ordinal)?.text ?? '', count: counts[ordinal]! })),
    limit,
  );
}

function countNames(
  { columns, names }: FacetReader,
  field: string,
  columnId: number,
  limit: number,
  keys: Uint32Array,
  allowed: AllowedRules,
): FacetCount[] {
  const rows = names
    .list(field)
    .filter(({ accessId }) => field !== 'view' || accessId === undefined || mayRead(allowed, accessId));
  const last = rows.reduce((max, { id }) => Math.max(max, id), 0);
  const counts = countOrdinals(columns.get(columnId), keys, last);
  return sortCounts(
    rows.flatMap(({ id, name }) => (counts[id] ? [{ value: name, count: counts[id] }] : [])),
    limit,
  );
}

function countEdges(
  { columns, fields }: FacetReader,
  { box, edge }: EdgeField,
  { limit, width = 1 }: { readonly limit: number; readonly width: number | undefined },
  keys: Uint32Array,
): FacetCount[] {
  const indexed = fields.get(box);
  const column = indexed?.use === 'box' ? columns.get(indexed.id) : undefined;
  const counts = countEach(column, keys, (value) => stepOf(value, width), BOX_EDGES.indexOf(edge));
  return sortNumbers(new Map([...counts].map(([step, count]) => [step * width, count])), limit);
}

function countGroups(column: Column, limit: number, keys: Uint32Array, width: number | 'year'): FacetCount[] {
  const counts = countSteps(column, keys, width) ?? countEach(column, keys, (value) => stepOf(value, width));
  return sortNumbers(counts, limit);
}

/** `place`: of the number among those of a value. */
function countEach(
  column: Column | undefined,
  keys: Uint32Array,
  group: (number: number) => number,
  place = 0,
): Map<number, number> {
  const counts = new Map<number, { count: number; lastKey: number }>();
  eachValue(column, keys, (key, numbers, at) => {
    const value = group(numbers[at + place]!);
    const entry = counts.get(value);
    if (!entry) counts.set(value, { count: 1, lastKey: key });
    else if (entry.lastKey !== key) {
      entry.count++;
      entry.lastKey = key;
    }
  });
  return new Map([...counts].map(([value, { count }]) => [value, count]));
}

function sortNumbers(counts: ReadonlyMap<number, number>, limit: number): FacetCount[] {
  return [...counts]
    .filter(([value]) => Number.isFinite(value))
    .sort(([a, left], [b, right]) => right - left || a - b)
    .slice(0, limit)
    .map(([value, count]) => ({ value: String(value), count }));
}

/** The ordinals with the highest counts; more than `limit` when several share the last count. */
function mostFrequent(counts: Uint32Array, limit: number): number[] {
  const present: number[] = [];
  for (let ordinal = 1; ordinal < counts.length; ordinal++) if (counts[ordinal]! > 0) present.push(ordinal);
  if (present.length <= limit) return present;
  const sorted = Uint32Array.from(present, (ordinal) => counts[ordinal]!).sort();
  const least = sorted[sorted.length - limit] ?? 0;
  const above = present.filter((ordinal) => counts[ordinal]! > least);
  const tied = present.filter((ordinal) => counts[ordinal] === least);
  return [...above, ...tied.slice(0, Math.max(MAX_TIED, limit))];
}

/** Values that share the last count and are compared by text. */
const MAX_TIED = 1000;

function sortCounts(counts: FacetCount[], limit: number): FacetCount[] {
  return counts.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, limit);
}
