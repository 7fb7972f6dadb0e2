/** The version of the tables in an open database. */
import type { DatabaseSync } from 'node:sqlite';
import { GarnerError } from '../../core/errors.ts';

/** Undefined when there are no tables at all. */
export function findSchemaVersion(db: DatabaseSync): number | undefined {
  const tables = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all();
  if (tables.length === 0) return undefined;
  const version = tables.some(({ name }) => name === 'meta')
    ? db.prepare(`SELECT value FROM meta WHERE name = 'schema_version'`).get()?.value
    : undefined;
  if (typeof version !== 'number') {
    throw new GarnerError('store.corrupt', 'the database is not a store of Garner, or has lost its version');
  }
  return version;
}
