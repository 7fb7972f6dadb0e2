/**
 * Who can read an item and its records, at the end of a transaction. A record that is held back (its schema
 * refuses it) is for those only who read everything, in its own format and in all that is made of it. An item is
 * as open as its rule says while one of its live records is not held back; else it is hidden. Whoever may see it
 * now must hear of it: then the datestamps of all its records move.
 */
import type { AccessRule } from '../../core/access.ts';
import type { ItemState } from './item-state.ts';
import type { RecordRow } from './item-statements.ts';
import type { StoreWriter, WriteTransaction } from './writer.ts';

const NOBODY: AccessRule = {};

/** What is deleted while it is held back stays so: its tombstone must not tell of it. */
function isHeldNow({ records, held }: ItemState): boolean {
  const live = records.filter((record) => record.live === 1);
  return live.length === 0 ? held : live.every((record) => record.held === 1);
}

export function settleAccess(writer: StoreWriter, transaction: WriteTransaction, item: ItemState): void {
  const { catalogue, statements } = writer;
  const { datestamp, seq } = transaction;
  const held = isHeldNow(item);
  const accessId = held ? catalogue.ruleId(NOBODY) : item.ruleId;
  const wasPublic = !item.isNew && catalogue.isPublic(item.accessId);
  const isPublic = catalogue.isPublic(accessId);
  const isJudgedAnew = item.records.some(({ key, held: now }) => (item.heldBefore.get(key) ?? now) !== now);
  if (accessId !== item.accessId && !item.isNew) {
    if (isPublic) item.leftPublic = false;
    else if (wasPublic) item.leftPublic = true;
    statements.moveDatestamps.run(datestamp, seq, item.key);
    for (const record of item.records) Object.assign(record, { datestamp, seq });
  }
  // The triggers do so for what is not held back.
  if (isJudgedAnew || (held && item.records.some((record) => record.seq === seq)))
    statements.moveItemDatestamp.run(datestamp, item.key);
  if (accessId !== item.accessId || held !== item.held) item.headerChanged = true;
  item.accessId = accessId;
  item.held = held;
  for (const record of item.records) {
    const wasOpen = wasPublic && item.heldBefore.get(record.key) === 0;
    const leftPublic = leavesPublic(record, wasOpen, isPublic && record.held === 0);
    if (leftPublic === record.left_public) continue;
    record.left_public = leftPublic;
    statements.setLeftPublic.run(leftPublic, record.key);
  }
}

function leavesPublic({ left_public }: RecordRow, wasOpen: boolean, isOpen: boolean): number {
  if (isOpen) return 0;
  return wasOpen ? 1 : left_public;
}
