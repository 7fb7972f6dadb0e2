/** Brings the tables to today's shape: made new, or migrated step by step after a backup. */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import type { StoreUpdate } from '../admin.ts';
import { writeCopy } from './backup.ts';
import { databasePath } from './database.ts';
import { SCHEMA, SCHEMA_VERSION } from './schema.ts';
import { findSchemaVersion } from './schema-version.ts';

interface Migration {
  /** The version it starts from; it ends one higher. */
  readonly from: number;
  readonly sql: string;
}

/** In `meta` after a migration that dropped the words: the last key whose words were made again. */
export const WORDS_TODO = 'words_todo';

/** In order, none ever changed once released. */
const MIGRATIONS: readonly Migration[] = [
  {
    // Before the first release: fields without their words, no history of documents, lists by record key.
    from: 0,
    sql: `
      ALTER TABLE item ADD COLUMN left_public INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE record ADD COLUMN rest_size INTEGER;
      ALTER TABLE version ADD COLUMN made_block INTEGER;
      ALTER TABLE version ADD COLUMN made_start INTEGER;
      ALTER TABLE version ADD COLUMN made_size INTEGER;
      ALTER TABLE version ADD COLUMN doc_block INTEGER;
      ALTER TABLE version ADD COLUMN doc_start INTEGER;
      ALTER TABLE version ADD COLUMN doc_size INTEGER;
      ALTER TABLE version ADD COLUMN rest_size INTEGER;
      ALTER TABLE run ADD COLUMN base_run INTEGER NOT NULL DEFAULT 0;
      UPDATE run SET base_run = id;
      UPDATE version SET (made_block, made_start, made_size, doc_block, doc_start, doc_size) = (
        SELECT made_block, made_start, made_size, doc_block, doc_start, doc_size FROM record WHERE key = record_key)
      WHERE digest IS NOT NULL AND EXISTS (
        SELECT 1 FROM record WHERE key = record_key AND version = number);
      DROP INDEX record_harvest;
      DROP INDEX record_source_harvest;
      CREATE INDEX record_harvest ON record(format_id, datestamp, item_key);
      CREATE INDEX record_source_harvest ON record(source_id, format_id, datestamp, item_key);
      DROP INDEX item_set_by_set;
      DROP INDEX item_view_by_view;
      CREATE INDEX item_set_moved ON item_set(set_id, coalesce(gone, since), item_key);
      CREATE INDEX item_view_moved ON item_view(view_id, coalesce(gone, since), item_key);
      INSERT INTO meta SELECT 'block', coalesce(max(id), 0) FROM block;
      -- Words come with the next extraction: every source is due for it.
      UPDATE source SET fields_digest = NULL;
    `,
  },
  {
    // Items have a datestamp of their own; who is in a set is in those above it.
    from: 1,
    sql: `
      ALTER TABLE item ADD COLUMN datestamp INTEGER NOT NULL DEFAULT 0;
      UPDATE item SET datestamp = coalesce((SELECT max(datestamp) FROM record WHERE item_key = item.key), 0);
      CREATE INDEX item_harvest ON item(datestamp, key, access_id, left_public) WHERE datestamp > 0;
      CREATE INDEX item_source_harvest ON item(source_id, datestamp, key, access_id, left_public) WHERE datestamp > 0;
      CREATE TRIGGER record_added AFTER INSERT ON record BEGIN
        UPDATE item SET datestamp = new.datestamp WHERE key = new.item_key AND datestamp < new.datestamp;
      END;
      CREATE TRIGGER record_stamped AFTER UPDATE OF datestamp ON record WHEN new.datestamp > old.datestamp BEGIN
        UPDATE item SET datestamp = new.datestamp WHERE key = new.item_key AND datestamp < new.datestamp;
      END;
      -- Cut at the last colon: first the letters behind it, then the colon.
      CREATE TEMP TABLE above AS WITH RECURSIVE up(set_id, spec) AS (
        SELECT id, spec FROM oai_set
        UNION SELECT set_id, rtrim(rtrim(spec, replace(spec, ':', '')), ':') FROM up WHERE instr(spec, ':') > 0)
        SELECT set_id, up.spec FROM up JOIN oai_set ON id = set_id WHERE up.spec <> oai_set.spec;
      INSERT OR IGNORE INTO oai_set (spec) SELECT DISTINCT spec FROM above;
      INSERT OR IGNORE INTO item_set (item_key, set_id, since, gone)
        SELECT item_key, oai_set.id, min(since), CASE WHEN count(gone) = count(*) THEN max(gone) END
        FROM above JOIN item_set USING (set_id) JOIN oai_set USING (spec) GROUP BY item_key, oai_set.id;
      DROP TABLE above;
    `,
  },
  {
    // Captures.
    from: 2,
    sql: `
      CREATE TABLE capture_file (
        id INTEGER PRIMARY KEY, source_id INTEGER NOT NULL REFERENCES source(id), name TEXT NOT NULL,
        UNIQUE (source_id, name)
      );
      CREATE TABLE capture (
        key INTEGER PRIMARY KEY,
        source_id INTEGER NOT NULL REFERENCES source(id),
        file_id INTEGER REFERENCES capture_file(id),
        url_key TEXT NOT NULL,                 -- SURT
        at INTEGER NOT NULL,                   -- milliseconds
        url TEXT NOT NULL,
        item TEXT,                             -- identifier of its item, when that is not the URL
        type TEXT NOT NULL, status INTEGER, media_type TEXT, digest TEXT, redirect TEXT, content_length INTEGER,
        record_id TEXT,
        offset INTEGER, inner INTEGER NOT NULL DEFAULT 0, length INTEGER,
        refers_id TEXT, refers_url TEXT, refers_key TEXT, refers_at INTEGER
      );
      CREATE INDEX capture_url ON capture(url_key, at, key);
      CREATE INDEX capture_digest ON capture(digest, url_key) WHERE digest IS NOT NULL;
      CREATE INDEX capture_record ON capture(record_id) WHERE record_id IS NOT NULL;
      CREATE UNIQUE INDEX capture_place ON capture(file_id, offset, inner);
      CREATE INDEX capture_source ON capture(source_id);
    `,
  },
  {
    // Postings of our own instead of FTS5's; fresh titles apart.
    from: 3,
    sql: `
      DROP TABLE words;
      CREATE TABLE word_segment (
        id INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL, base INTEGER NOT NULL,
        postings INTEGER NOT NULL, positions INTEGER NOT NULL, resume BLOB, directory BLOB NOT NULL, docs BLOB NOT NULL
      );
      CREATE TABLE word_chunk (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
      CREATE TABLE word_garbage (segment_id INTEGER PRIMARY KEY);
      DELETE FROM term;
      ALTER TABLE title ADD COLUMN fresh INTEGER NOT NULL DEFAULT 0;
      DROP INDEX title_folded;
      CREATE INDEX title_folded ON title(folded, item_key) WHERE fresh = 0;
      CREATE INDEX title_fresh ON title(folded, item_key) WHERE fresh = 1;
      INSERT INTO meta (name, value) VALUES ('${WORDS_TODO}', 0);
    `,
  },
  {
    // Another sign between values.
    from: 4,
    sql: `
      DELETE FROM word_segment;
      DELETE FROM word_chunk;
      DELETE FROM word_garbage;
      DELETE FROM term;
      INSERT INTO meta (name, value) VALUES ('${WORDS_TODO}', 0) ON CONFLICT (name) DO UPDATE SET value = 0;
    `,
  },
  {
    // Records are held back one by one.
    from: 5,
    sql: `
      ALTER TABLE item ADD COLUMN held_access INTEGER;
      ALTER TABLE record ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE record ADD COLUMN left_public INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE version ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
      UPDATE record SET left_public = 1 WHERE item_key IN (SELECT key FROM item WHERE left_public = 1);
      DROP INDEX record_harvest;
      DROP INDEX record_source_harvest;
      CREATE INDEX record_harvest ON record(format_id, datestamp, item_key, held, left_public);
      CREATE INDEX record_source_harvest ON record(source_id, format_id, datestamp, item_key, held, left_public);
      DROP TRIGGER record_added;
      DROP TRIGGER record_stamped;
      CREATE TRIGGER record_added AFTER INSERT ON record WHEN new.held = 0 BEGIN
        UPDATE item SET datestamp = new.datestamp WHERE key = new.item_key AND datestamp < new.datestamp;
      END;
      CREATE TRIGGER record_stamped AFTER UPDATE OF datestamp ON record WHEN new.held = 0 AND new.datestamp > old.datestamp BEGIN
        UPDATE item SET datestamp = new.datestamp WHERE key = new.item_key AND datestamp < new.datestamp;
      END;
    `,
  },
  {
    // What is missing is remembered.
    from: 6,
    sql: `
      CREATE TABLE loss (
        id INTEGER PRIMARY KEY, source_id INTEGER NOT NULL, list TEXT NOT NULL, name TEXT NOT NULL,
        identifier TEXT, at INTEGER,           -- as its origin calls and dates it
        code TEXT NOT NULL, message TEXT NOT NULL, place TEXT, line INTEGER,
        first_run INTEGER NOT NULL, last_run INTEGER NOT NULL,  -- in which it was missed, and missed again
        accepted_at INTEGER,                   -- when the operator said that it may be missing
        UNIQUE (source_id, name, list)
      );
    `,
  },
];

/** Called with a connection that may write, before anything else uses the store. */
export function bringUpToDate(
  db: DatabaseSync,
  folder: string,
  now: Instant,
  onUpdate?: (update: StoreUpdate) => void,
): void {
  const found = findSchemaVersion(db);
  refuseNewer(found);
  if (found === SCHEMA_VERSION) return;
  if (found !== undefined) {
    onUpdate?.({ step: 'tables', from: found, to: SCHEMA_VERSION });
    const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
    writeCopy(
      databasePath(folder),
      databasePath(folder).replace(/\.sqlite$/, `-schema-${found}-${stamp}.sqlite`),
    );
  }
  db.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have been quicker while this one waited.
    const version = findSchemaVersion(db);
    refuseNewer(version);
    if (version === undefined) create(db, now);
    else migrate(db, version);
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

export function refuseNewer(version: number | undefined): void {
  if (version !== undefined && version > SCHEMA_VERSION) {
    throw new GarnerError(
      'store.newer',
      `the store has schema version ${version}, this Garner knows up to ${SCHEMA_VERSION}: update Garner`,
      { details: { found: version, known: SCHEMA_VERSION } },
    );
  }
}

function create(db: DatabaseSync, now: Instant): void {
  db.exec(SCHEMA);
  const insert = db.prepare('INSERT INTO meta (name, value) VALUES (?, ?)');
  const rows = { store_id: randomUUID(), created_at: now, seq: 0, datestamp: 0, block: 0, setup: 0 };
  for (const [name, value] of Object.entries(rows)) insert.run(name, value);
  insert.run('schema_version', SCHEMA_VERSION);
}

function migrate(db: DatabaseSync, version: number): void {
  for (let at = version; at < SCHEMA_VERSION; at++) {
    const migration = MIGRATIONS.find(({ from }) => from === at);
    if (!migration) throw new GarnerError('store.corrupt', `no way is known from schema version ${at}`);
    db.exec(migration.sql);
    db.prepare(`UPDATE meta SET value = ? WHERE name = 'schema_version'`).run(at + 1);
  }
}
