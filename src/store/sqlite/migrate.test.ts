import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { FIELDS } from '../../../test/contract/store-fixture.ts';
import { ANONYMOUS } from '../../core/access.ts';
import { assembleStore } from './assemble.ts';
import { databasePath } from './database.ts';
import { NO_INDEX } from './no-index.fixture.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { SCHEMA_0 } from './schema-0.fixture.ts';

/** One live record, with its fields in a block, as version 0 wrote them. */
function makeVersion0(folder: string): void {
  const db = new DatabaseSync(databasePath(folder), { enableForeignKeyConstraints: false });
  db.exec(`PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; ${SCHEMA_0}
    INSERT INTO meta VALUES ('schema_version', 0), ('seq', 4), ('datestamp', 1000), ('store_id', 'x'), ('created_at', 1);
    INSERT INTO access_rule VALUES (1, '{"public":true}');
    INSERT INTO source (id, name, access_id, live_items, fields_digest) VALUES (1, 'samples', 1, 1, 'd');
    INSERT INTO format VALUES (1, 'plain');
    INSERT INTO item (key, source_id, identifier, oai_identifier, live, access_id, first_seen_at, title)
      VALUES (1, 1, 'a', 'oai:example.org:samples:a', 1, 1, 5, 'Old');
    INSERT INTO run (id, source_id, kind, status, started_at, holder) VALUES (3, 1, 'import', 'complete', 1, '1@h');`);
  const raw = Buffer.from('<old/>');
  const doc = Buffer.from('{"title":["Old"]}');
  db.prepare('INSERT INTO block VALUES (?, ?)').run(7, zstdCompressSync(Buffer.concat([raw, doc])));
  const digest = hash('sha256', raw, 'buffer');
  db.prepare(
    `INSERT INTO record (key, item_key, source_id, format_id, live, datestamp, seq, version, digest, size,
       raw_block, raw_start, doc_block, doc_start, doc_size, seen_run)
     VALUES (1, 1, 1, 1, 1, 1000, 4, 1, ?, ?, 7, 0, 7, ?, ?, 3)`,
  ).run(digest, raw.length, raw.length, doc.length);
  db.prepare(
    `INSERT INTO version (record_key, number, at, seq, run_id, change, digest, size, raw_block, raw_start)
     VALUES (1, 1, 1000000, 4, 3, 'added', ?, ?, 7, 0)`,
  ).run(digest, raw.length);
  db.close();
}

const open = (folder: string, readOnly = false) =>
  assembleStore(
    {
      folder,
      fields: FIELDS,
      sources: [{ name: 'samples', access: { public: true } }],
      views: [],
      repositoryIdentifier: 'example.org',
    },
    { readOnly },
    NO_INDEX,
  );

/** Every table's columns and every index, however they came to be. */
function shapeOf(folder: string): unknown {
  const db = new DatabaseSync(databasePath(folder));
  const tables = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`).all();
  const shape = tables.map(({ name }) => ({
    name,
    columns: db
      .prepare('SELECT name, type, "notnull" FROM pragma_table_info(?) ORDER BY name')
      .all(String(name))
      .map((column) => ({ ...column })),
  }));
  const indexes = db
    .prepare(
      `SELECT name, replace(sql, char(10), '') AS sql FROM sqlite_schema WHERE type = 'index' ORDER BY name`,
    )
    .all();
  db.close();
  return { shape, indexes: indexes.map((index) => ({ ...index })) };
}

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-migrate-'));
  try {
    await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('migration', () => {
  test('an older store is migrated after a backup, and keeps what it held', () =>
    inFolder(async (folder) => {
      makeVersion0(folder);
      const store = open(folder);
      const item = await store.items.findItem({ source: 'samples', identifier: 'a' }, ANONYMOUS);
      assert.deepEqual(item?.fields, { title: ['Old'] });
      const content = await store.items.findContent(
        { source: 'samples', identifier: 'a' },
        { version: 1 },
        ANONYMOUS,
      );
      assert.equal(Buffer.from(content?.bytes ?? []).toString(), '<old/>');
      assert.deepEqual(await store.admin.verify(), []);
      assert.deepEqual(await store.admin.listStale(), ['samples'], 'its words come with a reindex');
      assert.equal((await store.admin.statistics()).schemaVersion, SCHEMA_VERSION);
      const { id } = await store.runs.startRun('samples', 'rollback');
      await store.items.rollback({ source: 'samples', identifier: 'a' }, { version: 1 }, id);
      assert.deepEqual(await store.admin.verify(), []);
      await store.close();

      const [backup] = readdirSync(folder).filter((name) => name.startsWith('garner-schema-0-'));
      const old = new DatabaseSync(join(folder, backup ?? 'none'));
      assert.deepEqual(
        { ...old.prepare(`SELECT value FROM meta WHERE name = 'schema_version'`).get() },
        { value: 0 },
      );
      old.close();
    }));

  test('a migrated store has the same tables and indexes as a new one', () =>
    inFolder(async (folder) => {
      makeVersion0(folder);
      await open(folder).close();
      await inFolder(async (other) => {
        await open(other).close();
        assert.deepEqual(shapeOf(folder), shapeOf(other));
      });
    }));

  test('a start that only reads migrates too', () =>
    inFolder(async (folder) => {
      makeVersion0(folder);
      const store = open(folder, true);
      assert.equal((await store.admin.statistics()).schemaVersion, SCHEMA_VERSION);
      await store.close();
    }));
});
