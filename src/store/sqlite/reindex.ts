/** New fields, words and transformed bytes for records whose raw bytes stay as they are. */
import { GarnerError } from '../../core/errors.ts';
import type { ReextractedRecord } from '../items.ts';
import { unpackDocument } from '../packed-document.ts';
import { ItemChanges } from './item-changes.ts';
import { loadItemsByKey } from './item-state.ts';
import type { RecordRow } from './item-statements.ts';
import { createLeaseHold } from './lease.ts';
import { settleItems } from './settle.ts';
import type { StoreWriter } from './writer.ts';

export function createReindex(writer: StoreWriter) {
  const holdLease = createLeaseHold(writer.db);
  const itemOf = writer.db.prepare(
    `SELECT key, item_key FROM record WHERE source_id = ?1
       AND key IN (SELECT value FROM json_each(?2))`,
  );

  function isMadeChanged(record: RecordRow, made: Uint8Array | undefined): boolean {
    if (record.made_block === null || made === undefined)
      return (record.made_block === null) !== (made === undefined);
    const before = writer.blocks.read(record.made_block, record.made_start ?? 0, record.made_size ?? 0);
    return Buffer.compare(before, made) !== 0;
  }

  return (source: string, runId: number, records: readonly ReextractedRecord[]): void =>
    writer.transact((transaction) => {
      const { id } = writer.catalogue.getSource(source);
      holdLease(id, runId, transaction.now);
      const byKey = new Map(records.map((record) => [record.recordKey, record]));
      const rows = itemOf.all(id, JSON.stringify([...byKey.keys()]));
      if (rows.length < byKey.size) {
        throw new GarnerError('request.invalid', `source ${source} does not have all of these records`);
      }
      const changes = new ItemChanges(writer, transaction, runId);
      for (const item of loadItemsByKey(
        writer.statements,
        rows.map((row) => Number(row.item_key)),
      )) {
        for (const record of item.records) {
          const extracted = byKey.get(record.key);
          // Deleted since it was listed: its next version brings its own fields.
          if (!extracted || record.live === 0) continue;
          const { document, transformed, held = false, sets } = extracted;
          changes.setHeld(item, record, held);
          if (sets) changes.setSets(item, sets);
          changes.replaceDocument(
            item,
            record,
            unpackDocument(document),
            transformed,
            isMadeChanged(record, transformed),
          );
        }
      }
      settleItems(writer, transaction, changes);
    });
}
