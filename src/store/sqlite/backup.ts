/** Copies of the store: whole, consistent, in place at once. */
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { GarnerError } from '../../core/errors.ts';
import { databasePath, openForReading } from './database.ts';
import { moveIntoPlace, syncFolder } from './durable-files.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { findSchemaVersion } from './schema-version.ts';
import { translateSqliteError, translatingErrors } from './sqlite-error.ts';

const COMPANIONS = ['-wal', '-shm'];

/** A copy of what is committed now; writers go on meanwhile. */
export function writeCopy(path: string, target: string): void {
  const temporary = `${target}.${process.pid}.part`;
  rmSync(temporary, { force: true });
  translatingErrors(() => {
    const db = new DatabaseSync(path, { timeout: 10_000, enableForeignKeyConstraints: false });
    try {
      db.prepare('VACUUM INTO ?').run(temporary);
      moveIntoPlace(temporary, target);
    } finally {
      db.close();
      rmSync(temporary, { force: true });
    }
  });
}

/**
 * What lies beside the database: blobs, archived web files, lists of topics, dictionaries, logs. Files there are only
 * added or appended to, so copied after the database they hold all that it mentions.
 */
const BESIDE = ['blobs', 'archive', 'topics', 'dictionary', 'run-logs'];
/** Databases of their own: what crawls have still to do. */
const CRAWLS = 'crawl';

/** Made from the store by those who read it; of another store it would tell what is not so. */
const DERIVED = ['aggregates.sqlite'];

function dropDerived(folder: string): void {
  for (const name of DERIVED)
    for (const end of ['', ...COMPANIONS]) rmSync(join(folder, name + end), { force: true });
}

/** After the store and before the archive files: a crawl that goes on cuts those back to what it knows of them. */
function copyCrawls(fromFolder: string, toFolder: string): void {
  const from = join(fromFolder, CRAWLS);
  const to = join(toFolder, CRAWLS);
  if (!existsSync(from)) return;
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from))
    if (name.endsWith('.sqlite')) writeCopy(join(from, name), join(to, name));
}

/** Those in place know of a later store: they are kept aside like it. */
function setCrawlsAside(folder: string): void {
  const path = join(folder, CRAWLS);
  if (!existsSync(path)) return;
  rmSync(`${path}.replaced`, { recursive: true, force: true });
  renameSync(path, `${path}.replaced`);
}

function copyBeside(fromFolder: string, toFolder: string): void {
  for (const name of BESIDE) {
    const from = join(fromFolder, name);
    if (existsSync(from)) cpSync(from, join(toFolder, name), { recursive: true, preserveTimestamps: true });
  }
}

export function backUp(folder: string, targetFolder: string): void {
  const target = databasePath(targetFolder);
  if (COMPANIONS.some((end) => existsSync(target + end))) {
    throw new GarnerError(
      'request.invalid',
      `${targetFolder} holds a store that is in use; name another folder`,
    );
  }
  mkdirSync(targetFolder, { recursive: true });
  writeCopy(databasePath(folder), target);
  copyCrawls(folder, targetFolder);
  copyBeside(folder, targetFolder);
}

/**
 * Puts a backup in the place of a store that nobody has open. The backup is checked first; what was there
 * before stays beside it as `garner.sqlite.replaced`.
 */
export async function restoreBackup(fromFolder: string, toFolder: string): Promise<void> {
  const source = databasePath(fromFolder);
  const target = databasePath(toFolder);
  if (!existsSync(source)) throw new GarnerError('store.missing', `${fromFolder} holds no backup`);
  checkBackup(source);
  mkdirSync(toFolder, { recursive: true });
  const temporary = `${target}.${process.pid}.part`;
  try {
    // First what the database mentions, then the database.
    copyBeside(fromFolder, toFolder);
    await copyFile(source, temporary);
    if (existsSync(target)) {
      foldLogAlone(target, toFolder);
      renameSync(target, `${target}.replaced`);
      for (const end of COMPANIONS) rmSync(target + end, { force: true });
    }
    setCrawlsAside(toFolder);
    dropDerived(toFolder);
    copyCrawls(fromFolder, toFolder);
    moveIntoPlace(temporary, target);
    syncFolder(toFolder);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function checkBackup(path: string): void {
  translatingErrors(() => {
    const db = openForReading(path);
    try {
      const version = findSchemaVersion(db);
      if (version === undefined) throw new GarnerError('store.corrupt', `${path} is not a backup of a store`);
      if (version > SCHEMA_VERSION)
        throw new GarnerError('store.newer', `${path} was written by a newer Garner`);
      const found = db.prepare('PRAGMA quick_check(1)').get()?.quick_check;
      if (found !== 'ok') throw new GarnerError('store.corrupt', `the backup is damaged: ${String(found)}`);
    } finally {
      db.close();
    }
  });
}

/** In exclusive mode SQLite opens a store in WAL mode only when no other connection has it. */
function foldLogAlone(path: string, folder: string): void {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { timeout: 1000, enableForeignKeyConstraints: false });
    db.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    const cause = translateSqliteError(error);
    // A damaged store is what backups are for.
    if (cause instanceof GarnerError && cause.code === 'store.corrupt') return;
    if (!(cause instanceof GarnerError) || cause.code !== 'store.busy') throw cause;
    throw new GarnerError('store.busy', `the store in ${folder} is open in another process; stop it first`, {
      cause,
    });
  } finally {
    db?.close();
  }
}
