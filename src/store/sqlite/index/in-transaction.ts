/** Runs work in the transaction that is open on the connection, or else in one of its own. */
import type { DatabaseSync } from 'node:sqlite';

export function inTransaction<T>(
  db: DatabaseSync,
  work: () => T,
  kind: 'IMMEDIATE' | 'DEFERRED' = 'IMMEDIATE',
): T {
  if (db.isTransaction) return work();
  db.exec(`BEGIN ${kind}`);
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk or a broken statement may have ended the transaction already.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
