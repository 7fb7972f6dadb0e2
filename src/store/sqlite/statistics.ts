/** Numbers about the store as a whole. */
import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { StoreStatistics } from '../admin.ts';
import { databasePath, readSnapshot } from './database.ts';

export function createStatistics(db: DatabaseSync, folder: string): () => StoreStatistics {
  const numbers = db.prepare(
    `SELECT (SELECT value FROM meta WHERE name = 'schema_version') AS schemaVersion,
       (SELECT value FROM meta WHERE name = 'seq') AS seq,
       (SELECT coalesce(sum(live_items + deleted_items), 0) FROM source) AS items,
       (SELECT coalesce(sum(live_items), 0) FROM source) AS liveItems,
       (SELECT count(*) FROM version) AS versions`,
  );
  return () =>
    readSnapshot(db, () => {
      const row = numbers.get();
      return {
        schemaVersion: Number(row?.schemaVersion),
        seq: Number(row?.seq),
        items: Number(row?.items),
        liveItems: Number(row?.liveItems),
        versions: Number(row?.versions),
        bytes: fileBytes(databasePath(folder)) + fileBytes(`${databasePath(folder)}-wal`),
      };
    });
}

const fileBytes = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
