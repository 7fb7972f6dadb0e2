/** What a transaction adds to its run: counts, problems, the checkpoint. */
import type { DatabaseSync } from 'node:sqlite';
import type { Instant } from '../../core/model.ts';
import type { ChangeCounts, CommitBatch } from '../items.ts';

export function createRunNotes(
  db: DatabaseSync,
): (
  runId: number,
  now: Instant,
  counts: ChangeCounts,
  notes: Pick<CommitBatch, 'problems' | 'checkpoint'>,
) => void {
  const addCounts = db.prepare(
    `UPDATE run SET added = added + ?, updated = updated + ?, unchanged = unchanged + ?, deleted = deleted + ?,
       invalid = invalid + ?, problems = problems + ?, checkpoint = coalesce(?, checkpoint) WHERE id = ?`,
  );
  const addProblem = db.prepare(
    'INSERT INTO run_problem (run_id, at, code, message, place, line, identifier) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  return (runId, now, counts, { problems = [], checkpoint }) => {
    for (const { code, message, where, line, identifier } of problems) {
      addProblem.run(runId, now, code, message, where ?? null, line ?? null, identifier ?? null);
    }
    addCounts.run(
      counts.added,
      counts.updated,
      counts.unchanged,
      counts.deleted,
      counts.invalid,
      problems.length,
      checkpoint === undefined ? null : JSON.stringify(checkpoint),
      runId,
    );
  };
}
