/** The tables of one site model: a file of its own that can be made again from the captures at any time. */

/** Raised when the tables or what is put into them change; older files are then made anew. */
export const MODEL_LAYOUT = 2;

export const MODEL_TABLES = `
CREATE TABLE fact(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE file(
  key INTEGER PRIMARY KEY,
  url TEXT NOT NULL UNIQUE,
  url_key TEXT NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  status INTEGER,
  kind TEXT NOT NULL,
  media_type TEXT,
  size INTEGER,
  sha256 TEXT,
  digest TEXT,
  charset TEXT,
  language TEXT,
  title TEXT,
  described TEXT,
  headers TEXT NOT NULL,
  image TEXT,
  archive TEXT,
  offset INTEGER,
  record_id TEXT,
  repeats_at INTEGER,
  problems TEXT,
  -- Set of what has a place in the logical tree.
  ord INTEGER,
  depth INTEGER
);
CREATE TABLE redirect(
  key INTEGER PRIMARY KEY,
  url TEXT NOT NULL UNIQUE,
  url_key TEXT NOT NULL,
  target TEXT NOT NULL,
  status INTEGER,
  at INTEGER NOT NULL,
  next TEXT,
  file_key INTEGER
);
CREATE TABLE reference(
  key INTEGER PRIMARY KEY,
  from_key INTEGER NOT NULL,
  url TEXT NOT NULL,
  url_key TEXT NOT NULL,
  kind TEXT NOT NULL,
  requisite INTEGER NOT NULL,
  heuristic INTEGER NOT NULL,
  rel TEXT,
  anchor TEXT,
  occurrence INTEGER NOT NULL,
  at INTEGER,
  length INTEGER,
  file_key INTEGER,
  scope TEXT
);
CREATE TABLE embedded(
  key INTEGER PRIMARY KEY,
  page_key INTEGER NOT NULL,
  url TEXT NOT NULL,
  kind TEXT NOT NULL,
  file_key INTEGER,
  via_key INTEGER,
  depth INTEGER NOT NULL,
  ord INTEGER NOT NULL
);
`;
