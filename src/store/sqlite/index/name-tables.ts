/** Names of sources, schemas, sets and views by the ids that columns hold. Few, and read again as they grow. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { SCHEMA_COLUMN, SET_COLUMN, SOURCE_COLUMN, VIEW_COLUMN } from './columns.ts';

/** Fields that the store fills with names. */
export const NAME_COLUMNS: ReadonlyMap<string, number> = new Map([
  ['source', SOURCE_COLUMN],
  ['schema', SCHEMA_COLUMN],
  ['set', SET_COLUMN],
  ['view', VIEW_COLUMN],
]);

export class NameTables {
  readonly #statements: ReadonlyMap<string, StatementSync>;

  constructor(db: DatabaseSync) {
    this.#statements = new Map([
      ['source', db.prepare('SELECT id, name, access_id FROM source')],
      ['schema', db.prepare('SELECT id, name, NULL AS access_id FROM format')],
      ['set', db.prepare('SELECT id, spec AS name, NULL AS access_id FROM oai_set')],
      ['view', db.prepare('SELECT id, name, access_id FROM view WHERE dropped_at IS NULL')],
    ]);
  }

  /** All names of one of those fields. */
  list(field: string): { id: number; name: string; accessId: number | undefined }[] {
    return (this.#statements.get(field)?.all() ?? []).map((row) => ({
      id: Number(row.id),
      name: String(row.name),
      accessId: row.access_id === null ? undefined : Number(row.access_id),
    }));
  }
}
