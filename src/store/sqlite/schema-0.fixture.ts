/** The tables as version 0 had them. Never changes. */
export const SCHEMA_0 = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE source (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
  access_id INTEGER NOT NULL REFERENCES access_rule(id),
  live_items INTEGER NOT NULL DEFAULT 0, deleted_items INTEGER NOT NULL DEFAULT 0,
  changed_at INTEGER, dropped_at INTEGER,
  fields_digest TEXT
);
CREATE TABLE format (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE access_rule (id INTEGER PRIMARY KEY, rule TEXT NOT NULL UNIQUE);
CREATE TABLE oai_set (id INTEGER PRIMARY KEY, spec TEXT NOT NULL UNIQUE);
CREATE TABLE view (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, definition TEXT NOT NULL,
  access_id INTEGER NOT NULL REFERENCES access_rule(id), dropped_at INTEGER
);
CREATE TABLE item (
  key INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source(id),
  identifier TEXT NOT NULL,
  oai_identifier TEXT NOT NULL UNIQUE,
  live INTEGER NOT NULL,
  access_id INTEGER NOT NULL REFERENCES access_rule(id),
  own_access INTEGER NOT NULL DEFAULT 0,
  first_seen_at INTEGER NOT NULL,
  title TEXT,
  UNIQUE (source_id, identifier)
);
CREATE INDEX item_identifier ON item(identifier);
CREATE TABLE record (
  key INTEGER PRIMARY KEY,
  item_key INTEGER NOT NULL REFERENCES item(key),
  source_id INTEGER NOT NULL,
  format_id INTEGER NOT NULL REFERENCES format(id),
  live INTEGER NOT NULL,
  datestamp INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  version INTEGER NOT NULL,
  digest BLOB NOT NULL,
  size INTEGER NOT NULL,
  raw_block INTEGER, raw_start INTEGER,
  made_block INTEGER, made_start INTEGER, made_size INTEGER,
  doc_block INTEGER, doc_start INTEGER, doc_size INTEGER,
  entry_id INTEGER,
  seen_run INTEGER NOT NULL,
  UNIQUE (item_key, format_id)
);
CREATE INDEX record_harvest ON record(format_id, datestamp, key);
CREATE INDEX record_source_harvest ON record(source_id, format_id, datestamp, key);
CREATE INDEX record_entry ON record(entry_id);
CREATE TABLE version (
  record_key INTEGER NOT NULL, number INTEGER NOT NULL,
  at INTEGER NOT NULL, seq INTEGER NOT NULL, run_id INTEGER NOT NULL,
  change TEXT NOT NULL,
  digest BLOB, size INTEGER NOT NULL,
  raw_block INTEGER, raw_start INTEGER,
  origin TEXT, note TEXT,
  PRIMARY KEY (record_key, number)
) WITHOUT ROWID;
CREATE INDEX version_run ON version(run_id);
CREATE TABLE block (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE item_set (
  item_key INTEGER NOT NULL, set_id INTEGER NOT NULL,
  since INTEGER NOT NULL, gone INTEGER,
  PRIMARY KEY (item_key, set_id)
) WITHOUT ROWID;
CREATE INDEX item_set_by_set ON item_set(set_id, item_key);
CREATE TABLE item_view (
  item_key INTEGER NOT NULL, view_id INTEGER NOT NULL,
  since INTEGER NOT NULL, gone INTEGER,
  PRIMARY KEY (item_key, view_id)
) WITHOUT ROWID;
CREATE INDEX item_view_by_view ON item_view(view_id, item_key);
CREATE TABLE run (
  id INTEGER PRIMARY KEY, source_id INTEGER NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL,
  started_at INTEGER NOT NULL, ended_at INTEGER, holder TEXT NOT NULL,
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
  digest TEXT NOT NULL,
  size INTEGER NOT NULL, modified_at INTEGER NOT NULL,
  seen_run INTEGER NOT NULL, read_run INTEGER NOT NULL,
  UNIQUE (source_id, name)
);
CREATE TABLE field (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, spec TEXT NOT NULL,
  word_column INTEGER UNIQUE
);
CREATE VIRTUAL TABLE words USING fts5(
  c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20, c21, c22, c23, c24, c25, c26, c27, c28, c29, c30, c31, rest,
  content='', contentless_delete=1, tokenize='ascii'
);
CREATE TABLE term (word TEXT PRIMARY KEY, stem TEXT NOT NULL, df INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX term_stem ON term(stem);
CREATE TABLE value (
  field_id INTEGER NOT NULL, ordinal INTEGER NOT NULL, text TEXT NOT NULL, folded TEXT NOT NULL,
  PRIMARY KEY (field_id, ordinal)
) WITHOUT ROWID;
CREATE UNIQUE INDEX value_folded ON value(field_id, folded);
CREATE TABLE title (item_key INTEGER PRIMARY KEY, folded TEXT NOT NULL);
CREATE INDEX title_folded ON title(folded, item_key);
CREATE TABLE column_block (
  field_id INTEGER NOT NULL, number INTEGER NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY (field_id, number)
) WITHOUT ROWID;
CREATE TABLE column_delta (seq INTEGER PRIMARY KEY, data BLOB NOT NULL);
`;
