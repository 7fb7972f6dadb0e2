/**
 * Aggregates on disk: one row for each group, and of every product the group it is in. Several processes
 * may keep them up to date; each change begins with a look at what the others did.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { HarvestPosition } from '../../store/index.ts';
import { Aggregate } from './aggregate.ts';
import type { GroupPath } from './grouping.ts';
import { summaryFromJson, summaryToJson } from './summary-json.ts';

const VERSION = 2;
const BUSY_TIMEOUT_MS = 30_000;

const SCHEMA = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE grp (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,             -- JSON; groups of groups have a row for their number only
  products INTEGER NOT NULL,
  loose INTEGER NOT NULL,                -- 1: loose, 2: and shrunk
  data TEXT                              -- summaries by attribute, JSON
) STRICT;
CREATE TABLE product (key INTEGER PRIMARY KEY, grp INTEGER NOT NULL) STRICT;  -- grp 0: in none, but known
`;

export interface Group {
  readonly id: number;
  readonly path: GroupPath;
  aggregate: Aggregate;
}

export class AggregateState {
  readonly #db: DatabaseSync;
  readonly #limit: number;
  /** Groups of products, by path as JSON. */
  readonly #groups = new Map<string, Group>();
  readonly #byId = new Map<number, Group>();
  readonly #changed = new Set<Group>();
  readonly #sql;
  #seq = -1;
  #lastKey = 0;

  /** `settings`: whatever the aggregates depend on; when it changed they begin anew. */
  constructor(dataFolder: string, limit: number, settings: string) {
    mkdirSync(dataFolder, { recursive: true });
    this.#limit = limit;
    this.#db = new DatabaseSync(join(dataFolder, 'aggregates.sqlite'), { timeout: BUSY_TIMEOUT_MS });
    this.#db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL');
    this.#begin(`${VERSION} ${settings}`);
    this.#sql = {
      meta: this.#db.prepare('SELECT value FROM meta WHERE name = ?'),
      setMeta: this.#db.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)'),
      groups: this.#db.prepare('SELECT * FROM grp WHERE data IS NOT NULL'),
      groupId: this.#db.prepare('SELECT id FROM grp WHERE path = ?'),
      addGroup: this.#db.prepare('INSERT INTO grp (path, products, loose) VALUES (?, 0, 0) RETURNING id'),
      putGroup: this.#db.prepare('UPDATE grp SET products = ?, loose = ?, data = ? WHERE id = ?'),
      groupOf: this.#db.prepare('SELECT grp FROM product WHERE key = ?'),
      putProduct: this.#db.prepare('INSERT OR REPLACE INTO product (key, grp) VALUES (?, ?)'),
      emptyGroup: this.#db.prepare('UPDATE product SET grp = 0 WHERE grp = ?'),
      lastProduct: this.#db.prepare('SELECT max(key) AS key FROM product'),
      countProducts: this.#db.prepare('SELECT count(*) AS count FROM product'),
    };
  }

  /** How far the changes of the store are in. */
  get position(): HarvestPosition | undefined {
    const written = this.#sql.meta.get('position')?.value;
    return typeof written === 'string' ? (JSON.parse(written) as HarvestPosition) : undefined;
  }

  /** Counts all changes, whoever made them. */
  get seq(): number {
    return Number(this.#sql.meta.get('seq')?.value ?? 0);
  }

  /** Groups that have products. */
  groups(): readonly Group[] {
    this.#refresh();
    return [...this.#groups.values()].filter(({ aggregate }) => aggregate.products > 0);
  }

  /** The number of any group, also of one of groups; the root has 0. Undefined: there is no such group. */
  numberOf(path: GroupPath): number | undefined {
    if (path.length === 0) return 0;
    const id = this.#sql.groupId.get(JSON.stringify(path))?.id;
    return id === undefined ? undefined : Number(id);
  }

  /** Whether a change of the item was ever taken in. */
  knows(key: number): boolean {
    return this.#sql.groupOf.get(key) !== undefined;
  }

  /** Items whose changes were taken in, also those that are gone. */
  countKnown(): number {
    return Number(this.#sql.countProducts.get()?.count ?? 0);
  }

  /** In one transaction. `work` is not called, and false given, when another process moved on from `from`. */
  change(from: HarvestPosition | undefined, work: () => HarvestPosition | undefined): boolean {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      this.#refresh();
      const isMine = JSON.stringify(from) === JSON.stringify(this.position);
      if (isMine) {
        const position = work();
        if (position) this.#sql.setMeta.run('position', JSON.stringify(position));
        this.#write();
      }
      this.#db.exec('COMMIT');
      return isMine;
    } catch (error) {
      this.#db.exec('ROLLBACK');
      this.#forget();
      throw error;
    }
  }

  /** These four only within a change. */
  groupOfProduct(key: number): Group | undefined {
    if (key > this.#lastKey) return undefined;
    const row = this.#sql.groupOf.get(key);
    return row && this.#byId.get(Number(row.grp));
  }

  /** The group at the path, which will be written. */
  openGroup(path: GroupPath): Group {
    const name = JSON.stringify(path);
    let group = this.#groups.get(name);
    if (!group) {
      for (let length = 1; length < path.length; length++) this.#number(path.slice(0, length));
      group = { id: this.#number(path), path, aggregate: new Aggregate(this.#limit) };
      this.#groups.set(name, group);
      this.#byId.set(group.id, group);
    }
    this.#changed.add(group);
    return group;
  }

  /** Without a group: it is gone. */
  putProduct(key: number, group?: Group): void {
    this.#sql.putProduct.run(key, group?.id ?? 0);
    this.#lastKey = Math.max(this.#lastKey, key);
  }

  /** Forgets what is in the group: it is gathered anew. */
  emptyGroup(path: GroupPath): Group {
    const group = this.openGroup(path);
    this.#sql.emptyGroup.run(group.id);
    group.aggregate = new Aggregate(this.#limit);
    return group;
  }

  close(): void {
    this.#db.close();
  }

  #begin(settings: string): void {
    this.#db.exec('BEGIN IMMEDIATE');
    const has = this.#db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get();
    const known = has && this.#db.prepare("SELECT value FROM meta WHERE name = 'settings'").get()?.value;
    if (known !== settings) {
      this.#db.exec('DROP TABLE IF EXISTS meta; DROP TABLE IF EXISTS grp; DROP TABLE IF EXISTS product');
      this.#db.exec(SCHEMA);
      this.#db.prepare("INSERT INTO meta (name, value) VALUES ('settings', ?)").run(settings);
    }
    this.#db.exec('COMMIT');
  }

  #number(path: GroupPath): number {
    const name = JSON.stringify(path);
    return Number((this.#sql.groupId.get(name) ?? this.#sql.addGroup.get(name))?.id);
  }

  #refresh(): void {
    const { seq } = this;
    if (seq === this.#seq) return;
    this.#forget();
    for (const row of this.#sql.groups.iterate()) {
      const path = JSON.parse(String(row.path)) as GroupPath;
      const aggregate = new Aggregate(this.#limit);
      aggregate.products = Number(row.products);
      aggregate.loose = Number(row.loose) >= 1;
      aggregate.shrunk = row.loose === 2;
      for (const [key, json] of Object.entries(JSON.parse(String(row.data)) as Record<string, unknown>)) {
        const summary = summaryFromJson(json);
        if (summary) aggregate.attributes.set(key, summary);
        else aggregate.loose = true;
      }
      const group = { id: Number(row.id), path, aggregate };
      this.#groups.set(String(row.path), group);
      this.#byId.set(group.id, group);
    }
    this.#lastKey = Number(this.#sql.lastProduct.get()?.key ?? 0);
    this.#seq = seq;
  }

  #write(): void {
    for (const { id, aggregate } of this.#changed) {
      const data = JSON.stringify(
        Object.fromEntries([...aggregate.attributes].map(([key, summary]) => [key, summaryToJson(summary)])),
      );
      this.#sql.putGroup.run(aggregate.products, looseness(aggregate), data, id);
    }
    this.#changed.clear();
    this.#seq = this.seq + 1;
    this.#sql.setMeta.run('seq', String(this.#seq));
  }

  #forget(): void {
    this.#groups.clear();
    this.#byId.clear();
    this.#changed.clear();
    this.#seq = -1;
  }
}

const looseness = ({ loose, shrunk }: Aggregate): number => (shrunk ? 2 : loose ? 1 : 0);
