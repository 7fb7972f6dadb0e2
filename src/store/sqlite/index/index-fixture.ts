/** For tests: a real store file with just the rows that the index needs around it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { AccessRule } from '../../../core/access.ts';
import { PUBLIC } from '../../../core/access.ts';
import type { FieldSpec } from '../../../core/model.ts';
import type { MatchDocument } from '../../../query/matcher.ts';
import type { SearchIndex } from '../../search.ts';
import { canonicalRule } from '../access-filter.ts';
import { BlockWriter } from '../blocks.ts';
import { openForReading, openForWriting } from '../database.ts';
import type { DocChange, IndexWriter } from '../doc-change.ts';
import { SCHEMA } from '../schema.ts';
import { documentWriter, findTitle } from '../stored-document.ts';
import { createIndexWriter, createSearchIndex } from './index.ts';

export interface FixtureDocument extends MatchDocument {
  readonly access?: AccessRule;
}

export class IndexFixture {
  readonly path: string;
  readonly db: DatabaseSync;
  readonly writer: IndexWriter;
  readonly search: SearchIndex;
  readonly #folder = mkdtempSync(join(tmpdir(), 'garner-index-'));
  readonly #fields: readonly FieldSpec[];
  readonly #opened: DatabaseSync[] = [];
  readonly #blocks: BlockWriter;
  readonly #keys = new Map<string, number>();
  #seq = 0;
  #lastBlock = 0;

  constructor(fields: readonly FieldSpec[]) {
    this.#fields = fields;
    this.path = join(this.#folder, 'store.sqlite');
    this.db = openForWriting(this.path);
    this.#opened.push(this.db);
    this.db.exec(`PRAGMA synchronous=OFF; ${SCHEMA}`);
    this.writer = createIndexWriter(this.db, fields);
    this.#blocks = new BlockWriter(this.db, () => ++this.#lastBlock);
    this.search = this.openSearch();
  }

  /** Another reader, on a connection of its own. */
  openSearch(): SearchIndex {
    const db = openForReading(this.path);
    this.#opened.push(db);
    return createSearchIndex(db, this.#fields);
  }

  keyOf(id: string): number {
    return this.#keys.get(id) ?? -1;
  }

  /** One commit. */
  commit(documents: readonly FixtureDocument[], removedIds: readonly string[] = []): void {
    this.transact(() => this.apply(documents, removedIds));
  }

  transact(work: () => void): void {
    this.db.exec('BEGIN IMMEDIATE');
    work();
    this.db.exec('COMMIT');
  }

  /** Within the caller's transaction. */
  apply(documents: readonly FixtureDocument[], removedIds: readonly string[] = []): void {
    const seq = ++this.#seq;
    const changes = documents.map((document) => this.#put(document, seq));
    const removed = removedIds.map((id) => this.keyOf(id));
    for (const key of removed) this.db.prepare('UPDATE item SET live = 0 WHERE key = ?').run(key);
    this.#blocks.flush();
    this.writer.apply(seq, changes, removed);
  }

  defineView(name: string, access: AccessRule): void {
    this.db
      .prepare('INSERT INTO view (name, definition, access_id) VALUES (?, ?, ?)')
      .run(name, '{}', this.#accessId(access));
  }

  close(): void {
    for (const db of this.#opened) db.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #put(document: FixtureDocument, seq: number): DocChange {
    const accessId = this.#accessId(document.access ?? PUBLIC);
    const sourceId = this.#id('source', 'name', document.source, accessId);
    const formatId = this.#id('format', 'name', document.schema);
    const title = findTitle(document.fields);
    const name = `${document.source} ${document.id}`;
    const key = this.#keys.get(document.id) ?? this.#keys.size + 1;
    this.#keys.set(document.id, key);
    const { bytes, docSize, restSize } = documentWriter(this.#fields)(document);
    const { block, start } = this.#blocks.append(bytes);
    this.db
      .prepare(
        `INSERT OR REPLACE INTO item (key, source_id, identifier, oai_identifier, live, access_id, first_seen_at, title)
         VALUES (?, ?, ?, ?, 1, ?, 0, ?)`,
      )
      .run(key, sourceId, document.id, name, accessId, title ?? null);
    this.db
      .prepare(
        `INSERT OR REPLACE INTO record (key, item_key, source_id, format_id, live, datestamp, seq, version, digest, size,
           raw_block, raw_start, doc_block, doc_start, doc_size, rest_size, seen_run)
         VALUES (?, ?, ?, ?, 1, ?, ?, 1, x'00', ?, ?, ?, ?, ?, ?, ?, 1)`,
      )
      .run(
        key,
        key,
        sourceId,
        formatId,
        document.updatedAt / 1000,
        seq,
        docSize,
        block,
        start,
        block,
        start,
        docSize,
        restSize,
      );
    return {
      key,
      sourceId,
      formatId,
      accessId,
      setIds: document.sets.map((spec) => this.#id('oai_set', 'spec', spec)),
      viewIds: document.views.map((view) => this.#viewId(view)),
      updatedAt: document.updatedAt,
      title,
      fields: document.fields,
      words: document.words,
    };
  }

  #viewId(name: string): number {
    const row = this.db.prepare('SELECT id FROM view WHERE name = ?').get(name);
    if (row) return Number(row.id);
    this.defineView(name, PUBLIC);
    return this.#viewId(name);
  }

  #accessId(rule: AccessRule): number {
    return this.#id('access_rule', 'rule', canonicalRule(rule));
  }

  #id(table: string, column: string, value: string, accessId?: number): number {
    const row = this.db.prepare(`SELECT id FROM ${table} WHERE ${column} = ?`).get(value);
    if (row) return Number(row.id);
    if (accessId === undefined) this.db.prepare(`INSERT INTO ${table} (${column}) VALUES (?)`).run(value);
    else this.db.prepare(`INSERT INTO ${table} (${column}, access_id) VALUES (?, ?)`).run(value, accessId);
    return this.#id(table, column, value, accessId);
  }
}

/** A document with what tests rarely care about filled in. */
export function fixtureDocument(id: string, more: Partial<FixtureDocument> = {}): FixtureDocument {
  return {
    id,
    source: 'test',
    schema: 'dc',
    sets: [],
    views: [],
    updatedAt: 0,
    fields: {},
    words: {},
    ...more,
  };
}
