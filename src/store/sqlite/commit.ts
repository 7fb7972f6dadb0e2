/** The one way in: a batch of records, deletions, entries, problems and a checkpoint, all or nothing. */
import { hash } from 'node:crypto';
import { GarnerError } from '../../core/errors.ts';
import type { IndexDocument } from '../../core/model.ts';
import type {
  ChangeCounts,
  CommitBatch,
  CommitResult,
  DuplicateRecord,
  IncomingRecord,
  RecordOutcome,
} from '../items.ts';
import { unpackDocument } from '../packed-document.ts';
import type { SourceRow } from './catalogue.ts';
import { createDuplicateChecks } from './duplicates.ts';
import { createEntryNotes } from './entries.ts';
import { ItemChanges, type NewContent } from './item-changes.ts';
import { type ItemState, loadItemsByIdentifier } from './item-state.ts';
import { createLeaseHold } from './lease.ts';
import { createLossNotes } from './losses.ts';
import { createRunNotes } from './run-notes.ts';
import { settleItems } from './settle.ts';
import { findTitle } from './stored-document.ts';
import type { StoreWriter } from './writer.ts';

/** NUL ends a string in too many places; a half surrogate pair has no UTF-8. */
function checkIdentifier(identifier: string): string {
  if (identifier === '' || identifier.includes('\0')) {
    throw new GarnerError('record.identifier', 'a record has an empty identifier or one with a NUL in it');
  }
  return identifier.toWellFormed();
}

/** Most records of a second harvest are as they were: their documents need not be opened. */
function openedOnce({ document }: IncomingRecord): () => IndexDocument {
  let opened: IndexDocument | undefined;
  return () => {
    opened ??= unpackDocument(document);
    return opened;
  };
}

export function createCommit(writer: StoreWriter): (batch: CommitBatch) => CommitResult {
  const holdLease = createLeaseHold(writer.db);
  const noteEntries = createEntryNotes(writer.db);
  const noteLosses = createLossNotes(writer.db);
  const noteRun = createRunNotes(writer.db);
  const checkDuplicates = createDuplicateChecks(writer.db);
  const hasCompleted = writer.db.prepare(
    `SELECT 1 FROM run WHERE source_id = ? AND status IN ('complete', 'incomplete') LIMIT 1`,
  );
  const startExtraction = writer.db.prepare(
    'UPDATE source SET fields_digest = ? WHERE id = ? AND live_items + deleted_items = 0',
  );
  const comeBack = writer.db.prepare('UPDATE source SET dropped_at = NULL WHERE id = ?');

  /** A folder's first scan tells how old things are; what appears later appears now. */
  const isFirstScan = (source: SourceRow, records: readonly IncomingRecord[]): boolean =>
    records.some((record) => record.modifiedAt !== undefined) && !hasCompleted.get(source.id);

  return (batch) =>
    writer.transact((transaction) => {
      const { catalogue, statements, setup } = writer;
      const source = catalogue.getSource(batch.source);
      holdLease(source.id, batch.runId, transaction.now);
      const records = batch.records ?? [];
      const deletions = batch.deletions ?? [];
      if (records.length > 0) {
        startExtraction.run(setup.fieldsDigest, source.id);
        if (source.dropped_at !== null) comeBack.run(source.id);
      }
      const items = loadItemsByIdentifier(
        statements,
        source.id,
        [...records, ...deletions].map((one) => checkIdentifier(one.identifier)),
      );
      const duplicateCheck = checkDuplicates(batch, items.values());
      const duplicates: DuplicateRecord[] = [];
      const outcomes: RecordOutcome[] = [];
      const entryIds = noteEntries(source.id, batch);
      const changes = new ItemChanges(writer, transaction, batch.runId);
      const counts: ChangeCounts = { added: 0, updated: 0, unchanged: 0, deleted: 0, invalid: 0 };
      const firstScan = isFirstScan(source, records);
      const firstAtOf = ({ modifiedAt }: IncomingRecord) => (firstScan ? modifiedAt : undefined);
      const ruleOf = ({ access }: IncomingRecord) =>
        access === undefined || access === 'source' ? undefined : catalogue.ruleId(access);

      const takeIn = (record: IncomingRecord) => {
        const identifier = record.identifier.toWellFormed();
        let item = items.get(identifier);
        const formatId = catalogue.formats.id(record.format);
        const known = item?.records.find((one) => one.format_id === formatId);
        const duplicate = known && duplicateCheck.find(record, known);
        if (duplicate) {
          duplicates.push(duplicate);
          outcomes.push('duplicate');
          return;
        }
        const documentOf = openedOnce(record);
        if (!item) {
          item = changes.addItem(source, identifier, {
            oaiIdentifier: record.oaiIdentifier,
            accessId: ruleOf(record),
            title: findTitle(documentOf().fields),
            firstAt: firstAtOf(record),
          });
          items.set(identifier, item);
        } else if (record.access !== undefined) {
          const own = ruleOf(record);
          changes.setAccess(item, own ?? source.access_id, own !== undefined);
        }
        if (record.sets) changes.setSets(item, record.sets);
        const outcome = takeContent(item, record, formatId, documentOf);
        counts[outcome]++;
        outcomes.push(outcome);
      };

      const takeContent = (
        item: ItemState,
        record: IncomingRecord,
        formatId: number,
        documentOf: () => IndexDocument,
      ): 'added' | 'updated' | 'unchanged' => {
        const digest = hash('sha256', record.raw, 'buffer');
        const entryId = record.entry === undefined ? null : (entryIds.get(record.entry) ?? null);
        const known = item.records.find((one) => one.format_id === formatId);
        if (known && known.live !== 0 && Buffer.compare(known.digest, digest) === 0) {
          changes.markSeen(known, entryId);
          changes.setHeld(item, known, record.held === true);
          return 'unchanged';
        }
        const content: NewContent = {
          formatId,
          raw: record.raw,
          digest,
          made: record.transformed,
          document: documentOf(),
          held: record.held === true,
          origin: record.origin ? JSON.stringify(record.origin) : null,
          entryId,
        };
        if (!known) {
          changes.addRecord(item, content, firstAtOf(record));
          return 'added';
        }
        // Read before the update makes it live.
        const outcome = known.live === 0 ? 'added' : 'updated';
        changes.updateRecord(item, known, content);
        return outcome;
      };

      for (const record of records) takeIn(record);
      for (const { identifier, format } of deletions) {
        const item = items.get(identifier.toWellFormed());
        for (const record of item?.records ?? []) {
          if (!item || record.live === 0) continue;
          if (format !== undefined && catalogue.formats.name(record.format_id) !== format) continue;
          changes.deleteRecord(item, record);
          counts.deleted++;
        }
      }
      settleItems(writer, transaction, changes);
      counts.invalid = countInvalid(batch) + duplicates.length;
      duplicateCheck.readAgain(entryIds, duplicates);
      noteLosses(source.id, batch);
      noteRun(batch.runId, transaction.now, counts, {
        ...batch,
        problems: [...(batch.problems ?? []), ...duplicates],
      });
      return {
        ...counts,
        duplicates,
        ...(batch.tellOutcomes && { outcomes }),
        seq: transaction.changed ? transaction.seq : transaction.seq - 1,
      };
    });
}

/** A problem of a record or deletion that is in the batch is a doubtful value; any other kept its record out. */
function countInvalid({ problems = [], records = [], deletions = [] }: CommitBatch): number {
  if (problems.length === 0) return 0;
  const arrived = new Set([...records, ...deletions].map(({ identifier }) => identifier));
  const keptOut = problems.filter(({ identifier }) => identifier === undefined || !arrived.has(identifier));
  return new Set(keptOut.map(({ where, line, identifier }) => JSON.stringify([where, line, identifier])))
    .size;
}
