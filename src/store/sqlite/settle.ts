/**
 * The end of a transaction: what its changed items now are (live or not, title, sets, views) goes into their
 * rows, into the counts of their sources and to the index.
 */
import type { IndexDocument } from '../../core/model.ts';
import type { ItemChanges } from './item-changes.ts';
import { findIndexedRecord, type ItemState } from './item-state.ts';
import type { RecordRow } from './item-statements.ts';
import { settleAccess } from './settle-access.ts';
import { findTitle, readDocument } from './stored-document.ts';
import type { StoreWriter, WriteTransaction } from './writer.ts';

type Memberships = Map<number, number[]>;

interface Settling {
  readonly writer: StoreWriter;
  readonly transaction: WriteTransaction;
  readonly sets: Memberships;
  readonly views: Memberships;
  /** Changes of (live, deleted) by source. */
  readonly counts: Map<number, { live: number; deleted: number }>;
}

export function settleItems(writer: StoreWriter, transaction: WriteTransaction, changes: ItemChanges): void {
  const items = [...changes.touched];
  if (items.length === 0) return;
  const keys = JSON.stringify(items.filter((item) => !item.isNew).map((item) => item.key));
  const settling: Settling = {
    writer,
    transaction,
    sets: loadMemberships(writer.statements.setsOfItems.all(keys)),
    views: loadMemberships(writer.statements.viewsOfItems.all(keys)),
    counts: new Map(),
  };
  for (const item of items) settleItem(settling, item);
  if (!transaction.changed) return;
  for (const [sourceId, { live, deleted }] of settling.counts) {
    writer.statements.countItems.run(live, deleted, transaction.now, sourceId);
  }
}

function loadMemberships(rows: readonly Record<string, unknown>[]): Memberships {
  const memberships: Memberships = new Map();
  for (const row of rows) {
    const key = Number(row.item_key);
    const ids = memberships.get(key);
    if (ids) ids.push(Number(row.id));
    else memberships.set(key, [Number(row.id)]);
  }
  return memberships;
}

function settleItem(settling: Settling, item: ItemState): void {
  const { writer, transaction } = settling;
  settleAccess(writer, transaction, item);
  const setsChanged = settleSets(settling, item);
  const record = findIndexedRecord(item.records);
  if (!record) {
    if (item.indexedRecordKey !== undefined) transaction.removedKeys.push(item.key);
    saveItem(settling, item, false);
    return;
  }
  const fresh = item.documents.get(record.key);
  const documentChanged = fresh !== undefined || record.key !== item.indexedRecordKey;
  const mayMove = documentChanged || setsChanged || item.viewsStale;
  const document =
    fresh ??
    (mayMove || item.headerChanged ? readDocument(writer.blocks, record, writer.setup.fields) : undefined);
  const viewsChanged = document && mayMove ? settleViews(settling, item, record, document) : false;
  if (document && (documentChanged || setsChanged || viewsChanged || item.headerChanged)) {
    const title = findTitle(document.fields);
    transaction.changes.push({
      key: item.key,
      sourceId: item.sourceId,
      formatId: record.format_id,
      accessId: item.accessId,
      setIds: settling.sets.get(item.key) ?? [],
      viewIds: settling.views.get(item.key) ?? [],
      updatedAt: record.datestamp * 1000,
      title,
      fields: document.fields,
      ...(documentChanged ? { words: document.words } : {}),
    });
    if (item.title !== (title ?? null)) {
      item.title = title ?? null;
      item.headerChanged = true;
    }
  }
  saveItem(settling, item, true);
}

/** A member since: the record's own datestamp for a new item, which may lie in the past; else now. */
const memberSince = (item: ItemState, datestamp: number): number =>
  item.isNew ? (item.records[0]?.datestamp ?? datestamp) : datestamp;

function settleSets({ writer, transaction, sets }: Settling, item: ItemState): boolean {
  if (!item.wantedSets) return false;
  const before = sets.get(item.key) ?? [];
  const entered = item.wantedSets.filter((id) => !before.includes(id));
  const left = before.filter((id) => !item.wantedSets?.includes(id));
  if (entered.length === 0 && left.length === 0) return false;
  for (const id of entered) {
    writer.statements.enterSet.run(item.key, id, memberSince(item, transaction.datestamp));
  }
  for (const id of left) writer.statements.leaveSet.run(transaction.datestamp, item.key, id);
  sets.set(item.key, [...item.wantedSets]);
  transaction.changed = true;
  return true;
}

/** An item that is deleted stays in its views, so that their lists can tell of its deletion. */
function settleViews(
  { writer, transaction, sets, views }: Settling,
  item: ItemState,
  record: RecordRow,
  document: IndexDocument,
): boolean {
  const before = views.get(item.key) ?? [];
  if (transaction.views.length === 0 && before.length === 0) return false;
  const { catalogue, statements } = writer;
  const source = catalogue.sourceName(item.sourceId);
  const after: number[] = [];
  const names: string[] = [];
  const described = {
    fields: document.fields,
    words: document.words,
    source,
    id: item.identifier,
    sets: (sets.get(item.key) ?? []).map((id) => catalogue.sets.name(id)),
    // Views are evaluated in the order of their making, so that a later one may name an earlier one.
    views: names,
    schema: catalogue.formats.name(record.format_id),
    updatedAt: record.datestamp * 1000,
  };
  for (const view of transaction.views) {
    if (view.sources && !view.sources.has(source)) continue;
    if (!writer.matches(view.query, described)) continue;
    after.push(view.id);
    names.push(view.name);
    if (!before.includes(view.id)) {
      statements.enterView.run(item.key, view.id, memberSince(item, transaction.datestamp));
    }
  }
  const left = before.filter((id) => !after.includes(id));
  for (const id of left) statements.leaveView.run(transaction.datestamp, item.key, id);
  if (left.length === 0 && after.length === before.length) return false;
  views.set(item.key, after);
  transaction.changed = true;
  return true;
}

function saveItem({ writer, counts }: Settling, item: ItemState, live: boolean): void {
  const count = counts.get(item.sourceId) ?? { live: 0, deleted: 0 };
  counts.set(item.sourceId, count);
  if (item.isNew || live !== item.savedLive) {
    if (live) count.live++;
    else count.deleted++;
    if (!item.isNew) {
      if (live) count.deleted--;
      else count.live--;
    }
  }
  if (live === item.savedLive && !item.headerChanged) return;
  writer.statements.updateItem.run(
    live ? 1 : 0,
    item.accessId,
    item.ownAccess ? 1 : 0,
    item.held ? item.ruleId : null,
    item.leftPublic ? 1 : 0,
    item.title,
    item.key,
  );
  item.savedLive = live;
}
