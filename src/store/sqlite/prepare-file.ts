/** The file of the store before anything reads it: made, migrated or refused. */
import { existsSync, mkdirSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { GarnerError } from '../../core/errors.ts';
import type { FieldSpec, Instant } from '../../core/model.ts';
import type { StoreSetup, StoreUpdate } from '../admin.ts';
import { databasePath, openForReading, openForWriting } from './database.ts';
import type { IndexWriter } from './doc-change.ts';
import { bringUpToDate, refuseNewer } from './migrate.ts';
import { areWordsDue, restoreWords } from './restore-words.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { findSchemaVersion } from './schema-version.ts';
import { translatingErrors } from './sqlite-error.ts';

type CreateWriter = (db: DatabaseSync, fields: readonly FieldSpec[]) => IndexWriter;
type StoreFile = Pick<StoreSetup, 'folder' | 'fields'>;

export function prepareFile(
  { folder, fields }: StoreFile,
  readOnly: boolean,
  clock: () => Instant,
  createWriter: CreateWriter,
): void {
  const path = databasePath(folder);
  if (readOnly) {
    if (!existsSync(path)) throw new GarnerError('store.missing', `${folder} holds no store`);
    if (withConnection(openForReading(path), (db) => isReady(db, folder))) return;
  } else mkdirSync(folder, { recursive: true });
  withConnection(openForWriting(path), (db) => {
    bringUpToDate(db, folder, clock());
    if (areWordsDue(db)) for (const _ of restoreWords(db, fields, createWriter));
  });
}

/** The same beforehand, for those who wait and want to hear how far it is; nothing where no store is yet. */
export async function updateFile(
  { folder, fields }: StoreFile,
  createWriter: CreateWriter,
  onUpdate: (update: StoreUpdate) => void,
): Promise<void> {
  const path = databasePath(folder);
  if (!existsSync(path)) return;
  const db = openForWriting(path);
  let isOld = false;
  const tell = (update: StoreUpdate) => {
    isOld = true;
    onUpdate(update);
  };
  try {
    translatingErrors(() => bringUpToDate(db, folder, Date.now(), tell));
    if (areWordsDue(db))
      for (const { done, total } of restoreWords(db, fields, createWriter)) {
        tell({ step: 'words', done, total });
        // Whoever wants to stop it is heard between two chunks; the next start goes on there.
        await setImmediate();
      }
    if (isOld) tell({ step: 'done' });
  } finally {
    db.close();
  }
}

function isReady(db: DatabaseSync, folder: string): boolean {
  const version = findSchemaVersion(db);
  if (version === undefined) throw new GarnerError('store.missing', `${folder} holds no store`);
  refuseNewer(version);
  return version === SCHEMA_VERSION && !areWordsDue(db);
}

function withConnection<T>(db: DatabaseSync, work: (db: DatabaseSync) => T): T {
  try {
    return translatingErrors(() => work(db));
  } finally {
    db.close();
  }
}
