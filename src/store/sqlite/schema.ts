/**
 * The tables. Version 1 is the first; `migrate.ts` brings older stores forward. Instants are integer
 * milliseconds, datestamps integer seconds. Keys are ours, identifiers are the world's.
 */
export const SCHEMA_VERSION = 7;

export const SCHEMA = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
-- meta rows: schema_version, store_id, created_at, seq (last commit), datestamp (last assigned, s),
-- block (last id ever given), setup (counts changed setups), todo:… (work that a changed setup left to do)

CREATE TABLE source (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
  access_id INTEGER NOT NULL REFERENCES access_rule(id),
  live_items INTEGER NOT NULL DEFAULT 0, deleted_items INTEGER NOT NULL DEFAULT 0,
  changed_at INTEGER, dropped_at INTEGER,
  fields_digest TEXT  -- of the field definitions its records were extracted with
);
CREATE TABLE format (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE access_rule (id INTEGER PRIMARY KEY, rule TEXT NOT NULL UNIQUE);  -- canonical JSON
CREATE TABLE oai_set (id INTEGER PRIMARY KEY, spec TEXT NOT NULL UNIQUE);
CREATE TABLE view (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, definition TEXT NOT NULL,
  access_id INTEGER NOT NULL REFERENCES access_rule(id), dropped_at INTEGER
);

CREATE TABLE item (
  key INTEGER PRIMARY KEY,               -- also the document id of the index
  source_id INTEGER NOT NULL REFERENCES source(id),
  identifier TEXT NOT NULL,
  oai_identifier TEXT NOT NULL UNIQUE,
  live INTEGER NOT NULL,                 -- 1: some record is live
  access_id INTEGER NOT NULL REFERENCES access_rule(id),  -- effective rule
  own_access INTEGER NOT NULL DEFAULT 0, -- 1: its own rule, 0: the source's
  held_access INTEGER,                   -- set while all its live records are held back: the rule it has otherwise
  first_seen_at INTEGER NOT NULL,
  title TEXT,
  left_public INTEGER NOT NULL DEFAULT 0, -- 1: once readable by all, no longer: lists show it as deleted
  datestamp INTEGER NOT NULL DEFAULT 0,   -- seconds: latest of its records, or later when its fields were read anew
  UNIQUE (source_id, identifier)
);
CREATE INDEX item_identifier ON item(identifier);
-- Lists of items; with all that counting needs
CREATE INDEX item_harvest ON item(datestamp, key, access_id, left_public) WHERE datestamp > 0;
CREATE INDEX item_source_harvest ON item(source_id, datestamp, key, access_id, left_public) WHERE datestamp > 0;

CREATE TABLE record (
  key INTEGER PRIMARY KEY,
  item_key INTEGER NOT NULL REFERENCES item(key),
  source_id INTEGER NOT NULL,
  format_id INTEGER NOT NULL REFERENCES format(id),
  live INTEGER NOT NULL,
  datestamp INTEGER NOT NULL,            -- seconds
  seq INTEGER NOT NULL,                  -- commit that assigned the datestamp
  version INTEGER NOT NULL,              -- newest
  digest BLOB NOT NULL,                  -- sha-256 of the newest raw bytes
  size INTEGER NOT NULL,
  raw_block INTEGER, raw_start INTEGER,  -- of the newest live raw bytes
  made_block INTEGER, made_start INTEGER, made_size INTEGER,  -- transformed bytes
  doc_block INTEGER, doc_start INTEGER, doc_size INTEGER,     -- stored fields, JSON
  rest_size INTEGER,                     -- right behind them: words and the other fields, JSON
  entry_id INTEGER,
  seen_run INTEGER NOT NULL,
  held INTEGER NOT NULL DEFAULT 0,       -- 1: for those only who read everything; see settle-access.ts
  left_public INTEGER NOT NULL DEFAULT 0, -- as that of items
  UNIQUE (item_key, format_id)
);
CREATE INDEX record_harvest ON record(format_id, datestamp, item_key, held, left_public);
CREATE INDEX record_source_harvest ON record(source_id, format_id, datestamp, item_key, held, left_public);
CREATE INDEX record_entry ON record(entry_id);
-- What is held back changes nothing that readers of the item see
CREATE TRIGGER record_added AFTER INSERT ON record WHEN new.held = 0 BEGIN
  UPDATE item SET datestamp = new.datestamp WHERE key = new.item_key AND datestamp < new.datestamp;
END;
CREATE TRIGGER record_stamped AFTER UPDATE OF datestamp ON record WHEN new.held = 0 AND new.datestamp > old.datestamp BEGIN
  UPDATE item SET datestamp = new.datestamp WHERE key = new.item_key AND datestamp < new.datestamp;
END;

CREATE TABLE version (
  record_key INTEGER NOT NULL, number INTEGER NOT NULL,
  at INTEGER NOT NULL, seq INTEGER NOT NULL, run_id INTEGER NOT NULL,
  change TEXT NOT NULL,                  -- added updated deleted restored rolled-back
  digest BLOB, size INTEGER NOT NULL,
  raw_block INTEGER, raw_start INTEGER,
  made_block INTEGER, made_start INTEGER, made_size INTEGER,
  doc_block INTEGER, doc_start INTEGER, doc_size INTEGER, rest_size INTEGER,
  origin TEXT, note TEXT,
  held INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (record_key, number)
) WITHOUT ROWID;
CREATE INDEX version_run ON version(run_id);

-- zstd of at most 32 KB of concatenated bytes, or of one larger record
CREATE TABLE block (id INTEGER PRIMARY KEY, data BLOB NOT NULL);

CREATE TABLE item_set (
  item_key INTEGER NOT NULL, set_id INTEGER NOT NULL,
  since INTEGER NOT NULL, gone INTEGER,  -- seconds; gone NULL: member now. In a:b is in a, too
  PRIMARY KEY (item_key, set_id)
) WITHOUT ROWID;
CREATE INDEX item_set_moved ON item_set(set_id, coalesce(gone, since), item_key);
CREATE TABLE item_view (
  item_key INTEGER NOT NULL, view_id INTEGER NOT NULL,
  since INTEGER NOT NULL, gone INTEGER,
  PRIMARY KEY (item_key, view_id)
) WITHOUT ROWID;
CREATE INDEX item_view_moved ON item_view(view_id, coalesce(gone, since), item_key);

CREATE TABLE run (
  id INTEGER PRIMARY KEY, source_id INTEGER NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL,
  started_at INTEGER NOT NULL, ended_at INTEGER, holder TEXT NOT NULL,
  base_run INTEGER NOT NULL,             -- the first of the interrupted runs that this one goes on with, or itself
  added INTEGER NOT NULL DEFAULT 0, updated INTEGER NOT NULL DEFAULT 0, unchanged INTEGER NOT NULL DEFAULT 0,
  deleted INTEGER NOT NULL DEFAULT 0, invalid INTEGER NOT NULL DEFAULT 0, problems INTEGER NOT NULL DEFAULT 0,
  checkpoint TEXT, message TEXT
);
CREATE INDEX run_source ON run(source_id, id);
CREATE TABLE run_problem (
  id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL, at INTEGER NOT NULL, code TEXT NOT NULL,
  message TEXT NOT NULL, place TEXT, line INTEGER, identifier TEXT
);
CREATE INDEX run_problem_run ON run_problem(run_id, id);
CREATE INDEX run_problem_identifier ON run_problem(identifier) WHERE identifier IS NOT NULL;
CREATE INDEX run_problem_place ON run_problem(place) WHERE place IS NOT NULL;
CREATE TABLE lease (
  source_id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL, pid INTEGER NOT NULL, host TEXT NOT NULL,
  since INTEGER NOT NULL, beat_at INTEGER NOT NULL
);
CREATE TABLE entry (
  id INTEGER PRIMARY KEY, source_id INTEGER NOT NULL, name TEXT NOT NULL,
  digest TEXT NOT NULL,                  -- empty: its records are not complete yet
  size INTEGER NOT NULL, modified_at INTEGER NOT NULL,
  seen_run INTEGER NOT NULL, read_run INTEGER NOT NULL,
  UNIQUE (source_id, name)
);
-- What an origin has and the source has not; see losses.ts
CREATE TABLE loss (
  id INTEGER PRIMARY KEY, source_id INTEGER NOT NULL, list TEXT NOT NULL, name TEXT NOT NULL,
  identifier TEXT, at INTEGER,           -- as its origin calls and dates it
  code TEXT NOT NULL, message TEXT NOT NULL, place TEXT, line INTEGER,
  first_run INTEGER NOT NULL, last_run INTEGER NOT NULL,  -- in which it was missed, and missed again
  accepted_at INTEGER,                   -- when the operator said that it may be missing
  UNIQUE (source_id, name, list)
);

-- Captures: what is kept of which URL. A record of an archive file is in once.
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

-- The index -----------------------------------------------------------------------------------
CREATE TABLE field (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, spec TEXT NOT NULL,
  word_column INTEGER UNIQUE             -- 0…31, for tokenised fields; the rest of the text is 32
);
-- Words: segments of postings (see words/segment-store.ts), their bytes in chunks of up to 32 KB
CREATE TABLE word_segment (
  id INTEGER PRIMARY KEY,                -- never given twice
  first INTEGER NOT NULL, last INTEGER NOT NULL,  -- generations that it covers
  base INTEGER NOT NULL,                 -- documents count from here
  postings INTEGER NOT NULL, positions INTEGER NOT NULL,  -- bytes
  resume BLOB,                           -- a merge under way: the word to go on with
  directory BLOB NOT NULL,               -- first words of the chunks of its dictionary
  docs BLOB NOT NULL                     -- keys and lengths of its documents, keys of removed ones
);
CREATE TABLE word_chunk (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE word_garbage (segment_id INTEGER PRIMARY KEY);  -- merged away; their chunks are still to be deleted
-- df: about how many documents, within a factor of two
CREATE TABLE term (word TEXT PRIMARY KEY, stem TEXT NOT NULL, df INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX term_stem ON term(stem);
-- Dictionary of string values that doc-value columns refer to; equal when folded is equal
CREATE TABLE value (
  field_id INTEGER NOT NULL, ordinal INTEGER NOT NULL, text TEXT NOT NULL, folded TEXT NOT NULL,
  PRIMARY KEY (field_id, ordinal)
) WITHOUT ROWID;
CREATE UNIQUE INDEX value_folded ON value(field_id, folded);
-- Titles in order, for sorting and suggestions. Fresh ones are in an index of their own (see index/title-rows.ts)
CREATE TABLE title (item_key INTEGER PRIMARY KEY, folded TEXT NOT NULL, fresh INTEGER NOT NULL DEFAULT 0);
CREATE INDEX title_folded ON title(folded, item_key) WHERE fresh = 0;
CREATE INDEX title_fresh ON title(folded, item_key) WHERE fresh = 1;
-- Doc-value columns: blocks of 4,096 documents, and the changes since they were written
CREATE TABLE column_block (
  field_id INTEGER NOT NULL, number INTEGER NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY (field_id, number)
) WITHOUT ROWID;
CREATE TABLE column_delta (seq INTEGER PRIMARY KEY, data BLOB NOT NULL);
`;
