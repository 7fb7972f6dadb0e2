/** Leaves of a query that doc values answer: whole values, ranges, boxes, existence, and names. */
import type { DatabaseSync } from 'node:sqlite';
import { BOX_EDGES } from '../../../core/box-edges.ts';
import { editDistance } from '../../../core/edit-distance.ts';
import type { FieldType } from '../../../core/model.ts';
import type { CatalogueField } from '../../../query/catalogue.ts';
import { isOneOf } from '../../../query/one-of.ts';
import { isInRange, numberRange, stringRange, type TimeSpan, timeRange } from '../../../query/range.ts';
import type { LeafNode } from '../../../query/resolve.ts';
import { compilePattern, parsePattern, patternPrefix } from '../../../query/wildcard.ts';
import { foldPiece, foldValue } from '../../../query/words.ts';
import { type AllowedRules, mayRead } from '../access-filter.ts';
import { boxTest } from './box-test.ts';
import { selectDocs } from './column-scan.ts';
import { type Columns, UPDATED_COLUMN } from './columns.ts';
import { DocSet } from './doc-set.ts';
import type { IndexedField } from './field-registry.ts';
import type { HitReader } from './hits.ts';
import { keysOfIdentifier, keysOfIdentifierPattern, keysOfIdentifierRange } from './identifier-lookup.ts';
import { NAME_COLUMNS, type NameTables } from './name-tables.ts';
import type { ValueLookup } from './value-lookup.ts';
import type { WorkBudget } from './work-budget.ts';

/** Milliseconds to fetch and test one value of a dictionary or one identifier, measured. */
const SCAN_MS = 0.0006;

export interface LeafReader {
  readonly db: DatabaseSync;
  readonly columns: Columns;
  readonly values: ValueLookup;
  readonly names: NameTables;
  readonly hits: HitReader;
}

export function columnLeaf(
  reader: LeafReader,
  node: LeafNode,
  field: CatalogueField,
  indexed: IndexedField | undefined,
  allowed: AllowedRules,
  budget: WorkBudget,
): DocSet {
  const { columns } = reader;
  const { size } = columns;
  if (field.pseudo) return pseudoLeaf(reader, node, field.name, allowed, budget);
  const column = indexed?.use ? columns.get(indexed.id) : undefined;
  if (!indexed || !column) return new DocSet(size);
  if (node.type === 'exists') return selectDocs(column, size, () => true);
  switch (field.type) {
    case 'number': {
      const range = node.type === 'range' ? numberRange(node.from, node.to) : undefined;
      const place = field.edge ? BOX_EDGES.indexOf(field.edge.edge) : 0;
      return range
        ? selectDocs(column, size, (numbers, at) => isInRange(numbers[at + place]!, range))
        : new DocSet(size);
    }
    case 'date':
    case 'interval': {
      const range = node.type === 'range' ? timeRange(node.from, node.to) : undefined;
      return range ? selectDocs(column, size, spanTest(range)) : new DocSet(size);
    }
    case 'bbox':
      return node.type === 'box'
        ? selectDocs(column, size, boxTest(node.relation, node.box))
        : new DocSet(size);
    default: {
      budget.spend(
        node.type === 'value' || (node.type === 'oneOf' && !node.parts)
          ? 0
          : reader.values.lastOrdinal(indexed.id) * SCAN_MS,
        `values of ${field.name}`,
      );
      return docsWithOrdinals(reader, indexed.id, listOrdinals(reader.values, node, indexed.id));
    }
  }
}

function spanTest(range: TimeSpan): (numbers: ArrayLike<number>, at: number) => boolean {
  const { startAt, endAt } = range;
  if (startAt >= endAt) return () => false;
  return (numbers, at) => {
    const from = numbers[at]!;
    const to = numbers[at + 1]!;
    return from < endAt && startAt < to && from < to;
  };
}

function listOrdinals(values: ValueLookup, node: LeafNode, fieldId: number): readonly number[] {
  switch (node.type) {
    case 'value': {
      const ordinal = values.findOrdinal(fieldId, node.value);
      return ordinal === undefined ? [] : [ordinal];
    }
    case 'oneOf': {
      if (!node.parts) return node.values.flatMap((value) => values.findOrdinal(fieldId, value) ?? []);
      const wanted = new Set(node.values.map(foldValue));
      return values.listMatching(fieldId, '', (folded) => isOneOf(folded, wanted, true));
    }
    case 'wildcard': {
      const parts = parsePattern(node.pattern, foldPiece);
      const matches = compilePattern(parts);
      return node.negated
        ? values.listMatching(fieldId, '', (folded) => !matches(folded))
        : values.listMatching(fieldId, patternPrefix(parts), matches);
    }
    case 'fuzzy': {
      const wanted = foldValue(node.text);
      const { distance } = node;
      return values.listMatching(fieldId, '', (other) => editDistance(wanted, other, distance) <= distance);
    }
    case 'range':
      return values.listInRange(fieldId, node.from, node.to);
    default:
      return [];
  }
}

function docsWithOrdinals({ columns }: LeafReader, columnId: number, ordinals: readonly number[]): DocSet {
  const { size } = columns;
  const [first] = ordinals;
  if (first === undefined) return new DocSet(size);
  const column = columns.get(columnId);
  if (ordinals.length === 1) return selectDocs(column, size, (numbers, at) => numbers[at] === first);
  let last = 0;
  for (const ordinal of ordinals) last = Math.max(last, ordinal);
  const wanted = new Uint8Array(last + 1);
  for (const ordinal of ordinals) wanted[ordinal] = 1;
  return selectDocs(column, size, (numbers, at) => wanted[numbers[at]!] === 1);
}

/** Names of machines: compared as they are. */
function pseudoLeaf(
  reader: LeafReader,
  node: LeafNode,
  name: string,
  allowed: AllowedRules,
  budget: WorkBudget,
): DocSet {
  const { columns, db, names } = reader;
  const { size } = columns;
  if (name === 'updated') {
    const range = node.type === 'range' ? timeRange(node.from, node.to) : undefined;
    const test = node.type === 'exists' ? () => true : range && instantTest(range);
    return test ? selectDocs(columns.get(UPDATED_COLUMN), size, test) : new DocSet(size);
  }
  if (name === 'id') {
    if (node.type === 'value') return DocSet.of(size, keysOfIdentifier(db, node.value));
    if (node.type === 'oneOf')
      return DocSet.of(
        size,
        node.values.flatMap((value) => [...keysOfIdentifier(db, value)]),
      );
    budget.spend(size * SCAN_MS, 'identifiers');
    if (node.type === 'wildcard') return DocSet.of(size, keysOfIdentifierPattern(db, node.pattern));
    if (node.type === 'range') return DocSet.of(size, keysOfIdentifierRange(db, node.from, node.to));
    return node.type === 'exists'
      ? DocSet.of(size, keysOfIdentifierRange(db, undefined, undefined))
      : new DocSet(size);
  }
  const columnId = NAME_COLUMNS.get(name);
  const test = nameTest(node);
  if (columnId === undefined || !test) return new DocSet(size);
  const ids = names
    .list(name)
    // Who may not see a view may not learn what is in it.
    .filter(({ accessId }) => name !== 'view' || accessId === undefined || mayRead(allowed, accessId))
    .filter((row) => test(row.name))
    .map(({ id }) => id);
  return docsWithOrdinals(reader, columnId, ids);
}

function instantTest({ startAt, endAt }: TimeSpan): (numbers: ArrayLike<number>, at: number) => boolean {
  return (numbers, at) => numbers[at]! < endAt && startAt < numbers[at]! + 1 && startAt < endAt;
}

function nameTest(node: LeafNode): ((name: string) => boolean) | undefined {
  const same = (text: string) => text;
  switch (node.type) {
    case 'exists':
      return () => true;
    case 'value':
      return (name) => name === node.value;
    case 'oneOf':
      return (name) => isOneOf(name, new Set(node.values), node.parts);
    case 'wildcard':
      return compilePattern(parsePattern(node.pattern, same));
    case 'range':
      return stringRange(node.from, node.to, same);
    default:
      return undefined;
  }
}

/** Types whose columns sort by a number. */
export function sortsByNumber(type: FieldType): boolean {
  return type === 'number' || type === 'date' || type === 'interval';
}
