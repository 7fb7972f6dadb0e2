/** What a source remembers of the files or pages it read. */
import type { DatabaseSync } from 'node:sqlite';
import type { CommitBatch, EntryState } from '../items.ts';
import { readSnapshot } from './database.ts';

/**
 * Notes the batch's entries and gives their ids. An entry whose records have begun to come but are not
 * complete has no digest, so that whatever happens next, it is read again.
 */
export function createEntryNotes(
  db: DatabaseSync,
): (sourceId: number, batch: CommitBatch) => Map<string, number> {
  const complete = db.prepare(
    `INSERT INTO entry (source_id, name, digest, size, modified_at, seen_run, read_run)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)
     ON CONFLICT (source_id, name) DO UPDATE SET digest = excluded.digest, size = excluded.size,
       modified_at = excluded.modified_at, seen_run = excluded.seen_run, read_run = excluded.read_run
     RETURNING id`,
  );
  const begun = db.prepare(
    `INSERT INTO entry (source_id, name, digest, size, modified_at, seen_run, read_run)
     VALUES (?1, ?2, '', 0, 0, ?3, 0)
     ON CONFLICT (source_id, name) DO UPDATE SET digest = '', seen_run = excluded.seen_run
     RETURNING id`,
  );
  const forget = db.prepare('DELETE FROM entry WHERE source_id = ? AND name = ?');
  const seen = db.prepare('UPDATE entry SET seen_run = ? WHERE source_id = ? AND name = ?');
  return (sourceId, batch) => {
    const ids = new Map<string, number>();
    for (const { entry, digest, size, modifiedAt } of batch.readEntries ?? []) {
      ids.set(entry, Number(complete.get(sourceId, entry, digest, size, modifiedAt, batch.runId)?.id));
    }
    for (const { entry } of batch.records ?? []) {
      if (entry === undefined || ids.has(entry)) continue;
      ids.set(entry, Number(begun.get(sourceId, entry, batch.runId)?.id));
    }
    for (const name of batch.seenEntries ?? []) seen.run(batch.runId, sourceId, name);
    for (const name of batch.goneEntries ?? []) forget.run(sourceId, name);
    return ids;
  };
}

/** In order of their names. */
export function createEntryList(
  db: DatabaseSync,
): (source: string, after: string | undefined, limit: number) => readonly EntryState[] {
  const list = db.prepare(
    `SELECT e.name AS entry, e.digest, e.size, e.modified_at AS modifiedAt FROM entry AS e
     WHERE e.source_id = (SELECT id FROM source WHERE name = ?1) AND e.digest <> ''
       AND (?2 IS NULL OR e.name > ?2) ORDER BY e.name LIMIT ?3`,
  );
  return (source, after, limit) =>
    readSnapshot(db, () =>
      list.all(source, after ?? null, limit).map((row) => ({
        entry: String(row.entry),
        digest: String(row.digest),
        size: Number(row.size),
        modifiedAt: Number(row.modifiedAt),
      })),
    );
}
