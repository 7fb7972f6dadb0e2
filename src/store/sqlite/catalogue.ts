/** Names and their ids as the writer sees them: formats, sets, access rules, sources, views. Ids never change. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { AccessRule } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import type { QueryNode } from '../../query/ast.ts';
import { canonicalRule } from './access-filter.ts';

export interface SourceRow {
  readonly id: number;
  readonly name: string;
  readonly access_id: number;
  readonly live_items: number;
  readonly deleted_items: number;
  readonly changed_at: Instant | null;
  readonly dropped_at: Instant | null;
  readonly fields_digest: string | null;
}

export interface KnownView {
  readonly id: number;
  readonly name: string;
  readonly sources: ReadonlySet<string> | undefined;
  readonly query: QueryNode;
}

/** `definition` of a `view` row. */
export interface ViewDefinition {
  readonly sources?: readonly string[];
  readonly query: QueryNode;
}

/** A table of (id, name) whose rows are made when first named. */
class NameTable {
  readonly #ids = new Map<string, number>();
  readonly #names = new Map<number, string>();
  readonly #insert: StatementSync;
  readonly #byName: StatementSync;
  readonly #byId: StatementSync;

  constructor(db: DatabaseSync, table: string, column: string) {
    this.#insert = db.prepare(`INSERT INTO ${table} (${column}) VALUES (?) ON CONFLICT DO NOTHING`);
    this.#byName = db.prepare(`SELECT id FROM ${table} WHERE ${column} = ?`);
    this.#byId = db.prepare(`SELECT ${column} AS name FROM ${table} WHERE id = ?`);
  }

  id(name: string): number {
    let id = this.#ids.get(name);
    if (id === undefined) {
      let row = this.#byName.get(name);
      if (!row) {
        this.#insert.run(name);
        row = this.#byName.get(name);
      }
      id = Number(row?.id);
      this.#ids.set(name, id);
    }
    return id;
  }

  name(id: number): string {
    let name = this.#names.get(id);
    if (name === undefined) {
      const row = this.#byId.get(id);
      if (!row) throw new GarnerError('store.corrupt', `row ${id} of a table of names is missing`);
      name = String(row.name);
      this.#names.set(id, name);
    }
    return name;
  }

  clear(): void {
    this.#ids.clear();
    this.#names.clear();
  }
}

export class Catalogue {
  readonly formats: NameTable;
  readonly sets: NameTable;
  readonly #rules: NameTable;
  readonly #source: StatementSync;
  readonly #sourceById: StatementSync;
  readonly #sourceNames = new Map<number, string>();
  readonly #listViews: StatementSync;
  #views: readonly KnownView[] = [];
  #viewsOfSetup: number | undefined;

  constructor(db: DatabaseSync) {
    this.formats = new NameTable(db, 'format', 'name');
    this.sets = new NameTable(db, 'oai_set', 'spec');
    this.#rules = new NameTable(db, 'access_rule', 'rule');
    this.#source = db.prepare('SELECT * FROM source WHERE name = ?');
    this.#sourceById = db.prepare('SELECT name FROM source WHERE id = ?');
    this.#listViews = db.prepare(
      'SELECT id, name, definition FROM view WHERE dropped_at IS NULL ORDER BY id',
    );
  }

  getSource(name: string): SourceRow {
    const row = this.#source.get(name);
    if (!row)
      throw new GarnerError('source.unknown', `no source is named ${name}`, { details: { source: name } });
    return row as { [K in keyof SourceRow]: SourceRow[K] };
  }

  sourceName(id: number): string {
    let name = this.#sourceNames.get(id);
    if (name === undefined) {
      name = String(this.#sourceById.get(id)?.name);
      this.#sourceNames.set(id, name);
    }
    return name;
  }

  ruleId(rule: AccessRule): number {
    return this.#rules.id(canonicalRule(rule));
  }

  isPublic(ruleId: number): boolean {
    return this.#rules.name(ruleId) === '{"public":true}';
  }

  /** Views as the last applied setup defines them, whichever process applied it. */
  views(setup: number): readonly KnownView[] {
    if (this.#viewsOfSetup !== setup) {
      this.#views = this.#listViews.all().map((row) => {
        const { sources, query } = JSON.parse(String(row.definition)) as ViewDefinition;
        return { id: Number(row.id), name: String(row.name), sources: sources && new Set(sources), query };
      });
      this.#viewsOfSetup = setup;
    }
    return this.#views;
  }

  /** After a rollback: ids that it gave are void. */
  clear(): void {
    this.formats.clear();
    this.sets.clear();
    this.#rules.clear();
    this.#sourceNames.clear();
    this.#viewsOfSetup = undefined;
  }
}
