/** The thread behind `resolve-in-thread.ts`: long statements that must not hold up a server. */
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { resolveModel } from './resolve-model.ts';

const db = new DatabaseSync(String(workerData));
try {
  db.exec('PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-65536; BEGIN');
  resolveModel(db);
  db.exec('COMMIT');
} finally {
  db.close();
}
