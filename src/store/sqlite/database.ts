/** Connections to the store's file, and the settings that every one of them has. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { translatingErrors } from './sqlite-error.ts';

export const DATABASE_FILE = 'garner.sqlite';

export const databasePath = (folder: string): string => join(folder, DATABASE_FILE);

/** How long a writer waits for another process's transaction. */
const BUSY_TIMEOUT_MS = 10_000;
const PAGE_BYTES = 8192;
/** A checkpoint copies the log back once it has so many pages (32 MB): large enough for a bulk import. */
const CHECKPOINT_PAGES = 4096;
/** The log file is cut back to this after a checkpoint. */
const LOG_BYTES = 64 * 2 ** 20;
/** Of each connection. Not mmap: mapped pages count as memory of the process, and queries were no faster. */
const CACHE_KIB = 16 * 1024;
const LISTING_CACHE_KIB = 2 * 1024;

/**
 * `synchronous=FULL`: in WAL mode the log is synced before a commit returns, so that what was reported as
 * stored survives a power cut; NORMAL would keep the file whole but could lose the last commits, and with
 * them checkpoints that the origin's state (a moved file, a resumption token) has already gone past.
 * `fullfsync`: on macOS a plain sync leaves the bytes in the drive's cache.
 * Foreign keys are checked by `verify`, not on every insert.
 */
function openConnection(path: string, writable: boolean): DatabaseSync {
  return translatingErrors(() => {
    const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: false });
    try {
      // Only an empty file takes the page size, and only before it goes into WAL mode.
      if (writable && db.prepare('PRAGMA journal_mode').get()?.journal_mode !== 'wal') {
        db.exec(`PRAGMA page_size=${PAGE_BYTES}; PRAGMA journal_mode=WAL`);
      }
      db.exec(
        `PRAGMA synchronous=FULL; PRAGMA fullfsync=1; PRAGMA checkpoint_fullfsync=1; PRAGMA cache_size=-${CACHE_KIB};
         PRAGMA wal_autocheckpoint=${CHECKPOINT_PAGES}; PRAGMA journal_size_limit=${LOG_BYTES};
         PRAGMA temp_store=MEMORY; PRAGMA query_only=${writable ? 0 : 1}`,
      );
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

export const openForWriting = (path: string): DatabaseSync => openConnection(path, true);

/** Sees the last commit at the start of each statement or transaction; is never blocked by a writer. */
export const openForReading = (path: string): DatabaseSync => openConnection(path, false);

/** For lists that go through the whole store once: keeping what was read would only fill the memory. */
export function openForListing(path: string): DatabaseSync {
  const db = openForReading(path);
  db.exec(`PRAGMA cache_size=-${LISTING_CACHE_KIB}`);
  return db;
}

/** Several statements on one snapshot. */
export function readSnapshot<T>(db: DatabaseSync, work: () => T): T {
  return translatingErrors(() => {
    if (db.isTransaction) return work();
    db.exec('BEGIN');
    try {
      return work();
    } finally {
      db.exec('ROLLBACK');
    }
  });
}
