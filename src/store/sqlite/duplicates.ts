/** One record in two entries of a source: the first that a run meets keeps it, whatever was read when. */
import type { DatabaseSync } from 'node:sqlite';
import type { CommitBatch, DuplicateRecord, IncomingRecord } from '../items.ts';
import type { ItemState } from './item-state.ts';
import type { RecordRow } from './item-statements.ts';

interface Owner {
  readonly name: string;
  /** Before this batch. */
  readonly seenRun: number;
  readonly readRun: number;
}

export interface DuplicateCheck {
  /** A description when the record stays with the entry that has it; else the record may move. */
  find(record: IncomingRecord, known: RecordRow): DuplicateRecord | undefined;
  /** The entries of duplicates lose their digests, so that the next run looks again. */
  readAgain(entryIds: ReadonlyMap<string, number>, duplicates: readonly DuplicateRecord[]): void;
}

/** Call it before the batch's entries are noted: it must know what the run had seen until then. */
export function createDuplicateChecks(
  db: DatabaseSync,
): (batch: CommitBatch, items: Iterable<ItemState>) => DuplicateCheck {
  const ownerOf = db.prepare('SELECT name, seen_run, read_run FROM entry WHERE id = ?');
  const originOf = db.prepare('SELECT origin FROM version WHERE record_key = ? AND number = ?');
  const forgetDigest = db.prepare(`UPDATE entry SET digest = '' WHERE id = ?`);

  const placeOf = (known: RecordRow, owner: Owner | undefined): string => {
    const row = originOf.get(known.key, known.version);
    const origin: unknown = row?.origin ? JSON.parse(String(row.origin)) : undefined;
    if (typeof origin !== 'object' || origin === null) return owner?.name ?? 'another place';
    const where = 'where' in origin ? String(origin.where) : (owner?.name ?? 'another place');
    return 'line' in origin ? `${where}:${String(origin.line)}` : where;
  };

  return (batch, items) => {
    const owners = new Map<number, Owner>();
    for (const { records } of items) {
      for (const { entry_id } of records) {
        if (entry_id === null || owners.has(entry_id)) continue;
        const row = ownerOf.get(entry_id);
        if (!row) continue;
        const { name, seen_run, read_run } = row;
        owners.set(entry_id, { name: String(name), seenRun: Number(seen_run), readRun: Number(read_run) });
      }
    }
    const position = new Map((batch.order ?? []).map((entry, index) => [entry, index]));
    const readHere = new Set(batch.readEntries?.map(({ entry }) => entry));
    // An entry that the run has read again without finding the record no longer holds it.
    const metBefore = (owner: Owner, entry: string): boolean =>
      owner.readRun !== batch.runId && !readHere.has(owner.name) && isMet(owner, entry);
    const isMet = (owner: Owner, entry: string): boolean =>
      owner.seenRun === batch.runId || (position.get(owner.name) ?? Infinity) < (position.get(entry) ?? -1);

    return {
      find(record, known) {
        const { entry, identifier, origin } = record;
        if (entry === undefined || known.live === 0) return undefined;
        const owner = known.entry_id === null ? undefined : owners.get(known.entry_id);
        if (known.seen_run !== batch.runId) {
          if (!owner || owner.name === entry) return undefined;
          if (!metBefore(owner, entry)) {
            // The record moves here. Its old entry may hold it still, which the next run shall find out.
            if (known.entry_id !== null) forgetDigest.run(known.entry_id);
            return undefined;
          }
        }
        return {
          code: 'record.duplicate',
          message: `${identifier} was already found at ${placeOf(known, owner)}; that one was kept`,
          identifier,
          entry,
          where: typeof origin?.where === 'string' ? origin.where : entry,
          ...(typeof origin?.line === 'number' && { line: origin.line }),
        };
      },
      readAgain(entryIds, duplicates) {
        for (const { entry } of duplicates) {
          const id = entryIds.get(entry);
          if (id !== undefined) forgetDigest.run(id);
        }
      },
    };
  };
}
