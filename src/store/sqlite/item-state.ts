/** Items as one transaction knows and changes them. */
import type { IndexDocument } from '../../core/model.ts';
import type { ItemAndRecordRow, ItemStatements, RecordRow } from './item-statements.ts';

export interface ItemState {
  readonly key: number;
  readonly sourceId: number;
  readonly identifier: string;
  readonly oaiIdentifier: string;
  /** Made in this transaction. */
  readonly isNew: boolean;
  /** In order of their keys. */
  readonly records: RecordRow[];
  /** As the index holds it: the record that stood for the item before this transaction. */
  readonly indexedRecordKey: number | undefined;
  /** The rule that it was given; another than `accessId` while all its live records are held back. */
  ruleId: number;
  /** The rule that holds, as the `item` row has it until the transaction settles. */
  accessId: number;
  /** All its live records are held back, as the `item` row has it until the transaction settles. */
  held: boolean;
  ownAccess: boolean;
  leftPublic: boolean;
  /** Whether its records were held back before this transaction, by key. */
  readonly heldBefore: ReadonlyMap<number, number>;
  title: string | null;
  /** As the `item` row has it. */
  savedLive: boolean;
  /** Documents that came in this transaction, by record key. */
  readonly documents: Map<number, IndexDocument>;
  /** The sets it shall be in from now on; undefined: as before. */
  wantedSets: readonly number[] | undefined;
  /** The views' definitions changed since it was looked at. */
  viewsStale: boolean;
  /** Something but the document changed that the index or the row holds. */
  headerChanged: boolean;
}

/** The record that stands for the item in the index: the first live one, if possible one that is not held back. */
export const findIndexedRecord = <R extends Pick<RecordRow, 'live' | 'held'>>(
  records: readonly R[],
): R | undefined =>
  records.find(({ live, held }) => live === 1 && held === 0) ?? records.find(({ live }) => live === 1);

/** The key of that record, in SQL. */
export const indexedRecordSql = (itemKey: string): string =>
  `(SELECT key FROM record WHERE item_key = ${itemKey} AND live = 1 ORDER BY held, key LIMIT 1)`;

function stateOf(rows: readonly ItemAndRecordRow[]): ItemState {
  const first = rows[0] as ItemAndRecordRow;
  const records = rows.filter((row) => row.key !== null).sort((a, b) => a.key - b.key);
  return {
    key: first.i_key,
    sourceId: first.i_source_id,
    identifier: first.identifier,
    oaiIdentifier: first.oai_identifier,
    isNew: false,
    records,
    indexedRecordKey: findIndexedRecord(records)?.key,
    ruleId: first.held_access ?? first.access_id,
    accessId: first.access_id,
    held: first.held_access !== null,
    ownAccess: first.own_access === 1,
    leftPublic: first.i_left_public === 1,
    heldBefore: new Map(records.map(({ key, held }) => [key, held])),
    title: first.title,
    savedLive: first.i_live === 1,
    documents: new Map(),
    wantedSets: undefined,
    viewsStale: false,
    headerChanged: false,
  };
}

function statesOf(rows: readonly ItemAndRecordRow[]): ItemState[] {
  const byKey = new Map<number, ItemAndRecordRow[]>();
  for (const row of rows) {
    const known = byKey.get(row.i_key);
    if (known) known.push(row);
    else byKey.set(row.i_key, [row]);
  }
  return [...byKey.values()].map(stateOf);
}

/** The known ones among them, by identifier. */
export function loadItemsByIdentifier(
  statements: ItemStatements,
  sourceId: number,
  identifiers: Iterable<string>,
): Map<string, ItemState> {
  const wanted = JSON.stringify([...new Set(identifiers)]);
  const rows = statements.itemsByIdentifier.all(wanted, sourceId) as Record<keyof ItemAndRecordRow, never>[];
  return new Map(statesOf(rows).map((item) => [item.identifier, item]));
}

export function loadItemsByKey(statements: ItemStatements, keys: Iterable<number>): ItemState[] {
  const wanted = JSON.stringify([...new Set(keys)]);
  return statesOf(statements.itemsByKey.all(wanted) as Record<keyof ItemAndRecordRow, never>[]);
}
