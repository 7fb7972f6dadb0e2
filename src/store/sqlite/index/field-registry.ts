/** The configured fields as the index knows them: their ids and their columns of words. */
import type { DatabaseSync } from 'node:sqlite';
import { attributeSpec } from '../../../core/attributes.ts';
import { GarnerError } from '../../../core/errors.ts';
import type { FieldSpec } from '../../../core/model.ts';
import type { ColumnKind } from './column-block.ts';

/** Columns of words beside the rest of the text. */
const MAX_WORD_COLUMNS = 32;

/** presence: running text, of which a column only says that there is some. */
export type ColumnUse = ColumnKind | 'presence';

export interface IndexedField {
  readonly id: number;
  readonly spec: FieldSpec;
  /** Absent for fields that are kept but not indexed. */
  readonly use: ColumnUse | undefined;
  /** Number of its column of words, for tokenised fields. */
  readonly wordColumn: number | undefined;
}

export function columnUse(spec: FieldSpec): ColumnUse | undefined {
  if (!spec.indexed && !spec.facet) return undefined;
  switch (spec.type) {
    case 'text':
      return spec.tokenised ? 'presence' : 'ordinal';
    case 'string':
    case 'uri':
      return 'ordinal';
    case 'number':
      return 'number';
    case 'date':
    case 'interval':
      return 'span';
    case 'bbox':
      return 'box';
  }
}

export function isTokenised(spec: FieldSpec): boolean {
  return spec.tokenised && (spec.type === 'text' || spec.type === 'string' || spec.type === 'uri');
}

interface FieldRow {
  readonly id: number;
  readonly name: string;
  readonly spec: FieldSpec;
  readonly wordColumn: number | undefined;
}

function readRows(db: DatabaseSync): FieldRow[] {
  return db
    .prepare('SELECT id, name, spec, word_column FROM field')
    .all()
    .map((row) => ({
      id: Number(row.id),
      name: String(row.name),
      spec: JSON.parse(String(row.spec)) as FieldSpec,
      wordColumn: row.word_column === null ? undefined : Number(row.word_column),
    }));
}

/** Those of the fields that some writer has registered; the others have no values in the index yet. */
export function readFields(db: DatabaseSync, fields: readonly FieldSpec[]): Map<string, IndexedField> {
  const rows = new Map(readRows(db).map((row) => [row.name, row]));
  const found = new Map<string, IndexedField>();
  for (const spec of fields) {
    const row = rows.get(spec.name);
    if (!row) continue;
    // A column of the old kind cannot be read the new way; it shows as empty until a writer redefines it.
    const use = columnUse(spec) === columnUse(row.spec) ? columnUse(spec) : undefined;
    found.set(spec.name, {
      id: row.id,
      spec,
      use,
      wordColumn: isTokenised(spec) ? row.wordColumn : undefined,
    });
  }
  return found;
}

/** Writes new and changed fields; runs in a write transaction. */
export function registerFields(db: DatabaseSync, fields: readonly FieldSpec[]): Map<string, IndexedField> {
  const rows = readRows(db);
  const byName = new Map(rows.map((row) => [row.name, row]));
  const usedColumns = new Set(rows.map((row) => row.wordColumn));
  let nextId = Math.max(0, ...rows.map((row) => row.id)) + 1;
  const insert = db.prepare('INSERT INTO field (id, name, spec, word_column) VALUES (?, ?, ?, ?)');
  const update = db.prepare('UPDATE field SET id = ?, spec = ?, word_column = ? WHERE name = ?');
  const dropBlocks = db.prepare('DELETE FROM column_block WHERE field_id = ?');
  const dropValues = db.prepare('DELETE FROM value WHERE field_id = ?');

  const takeColumn = (spec: FieldSpec): number | null => {
    if (!isTokenised(spec)) return null;
    for (let column = 0; column < MAX_WORD_COLUMNS; column++) {
      if (usedColumns.has(column)) continue;
      usedColumns.add(column);
      return column;
    }
    throw new GarnerError(
      'config.invalid',
      `Field "${spec.name}" cannot be tokenised: all ${MAX_WORD_COLUMNS} word columns of the index are taken. Declare fewer fields as tokenised.`,
      { details: { field: spec.name, limit: MAX_WORD_COLUMNS } },
    );
  };

  for (const spec of fields) {
    const row = byName.get(spec.name);
    const written = JSON.stringify(spec);
    if (!row) insert.run(nextId++, spec.name, written, takeColumn(spec));
    else if (JSON.stringify(row.spec) !== written) {
      // Values of another kind must not be read as these: a new id leaves them behind.
      const redefined = columnUse(row.spec) !== columnUse(spec);
      if (redefined) {
        dropBlocks.run(row.id);
        dropValues.run(row.id);
      }
      update.run(redefined ? nextId++ : row.id, written, row.wordColumn ?? takeColumn(spec), spec.name);
    }
  }
  return readFields(db, fields);
}

/** Fields of attributes that some writer has registered after the field `afterId`. Ids of these never change. */
export function readAttributes(db: DatabaseSync, afterId: number): IndexedField[] {
  return db
    .prepare(`SELECT id, name FROM field WHERE id > ? AND name GLOB 'attr.*' ORDER BY id`)
    .all(afterId)
    .flatMap((row) => {
      const spec = attributeSpec(String(row.name));
      return spec ? [{ id: Number(row.id), spec, use: columnUse(spec), wordColumn: undefined }] : [];
    });
}

/** The fields as a writer meets them: those of attributes are registered when they first come. */
export class WrittenFields {
  readonly #db: DatabaseSync;
  readonly #attributes = new Map<string, IndexedField>();
  readonly configured: ReadonlyMap<string, IndexedField>;

  constructor(db: DatabaseSync, fields: readonly FieldSpec[]) {
    this.#db = db;
    this.configured = registerFields(db, fields);
  }

  /** Runs in a write transaction. */
  find(name: string): IndexedField | undefined {
    const known = this.configured.get(name) ?? this.#attributes.get(name);
    if (known) return known;
    const spec = attributeSpec(name);
    const field = spec && registerFields(this.#db, [spec]).get(name);
    if (field) this.#attributes.set(name, field);
    return field;
  }

  /** After a rollback: ids that it gave are void. */
  reset(): void {
    this.#attributes.clear();
  }
}
