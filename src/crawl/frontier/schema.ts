/** The frontier's own file: what is known, done and to do of a source's crawls. */

export const FRONTIER_VERSION = 2;

/** URLs that are fetched right now are `queued` on the disk: a process that dies has fetched nothing. */
export const URL_STATES = { queued: 0, done: 1, failed: 2, excluded: 3 } as const;
export type UrlState = keyof typeof URL_STATES;

/** Since version 2. `captures`: of an archive file, so that a store that has fewer is seen. */
const COOKIES_AND_COUNTS = `
CREATE TABLE cookie (job_id INTEGER NOT NULL, key TEXT NOT NULL, cookie TEXT NOT NULL, PRIMARY KEY (job_id, key)) STRICT, WITHOUT ROWID;
ALTER TABLE archive_file ADD COLUMN captures INTEGER NOT NULL DEFAULT 0;
`;

export const FRONTIER_SCHEMA = `
CREATE TABLE job (
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  -- Begins the names of the job's archive files.
  prefix TEXT NOT NULL UNIQUE,
  seeds TEXT NOT NULL,
  progress TEXT
) STRICT;
CREATE TABLE url (
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  url TEXT NOT NULL,
  host TEXT NOT NULL,
  state INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  place TEXT NOT NULL,
  via TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL DEFAULT 0,
  visits INTEGER NOT NULL DEFAULT 0,
  status INTEGER,
  reason TEXT,
  UNIQUE (job_id, key)
) STRICT;
CREATE INDEX url_queued ON url (job_id, host, priority, id) WHERE state = 0;
-- Records that are in an archive file but not yet in the capture index.
CREATE TABLE outbox (id INTEGER PRIMARY KEY, entry TEXT NOT NULL) STRICT;
-- How far each archive file is accounted for; what lies behind was written by a process that died.
CREATE TABLE archive_file (name TEXT PRIMARY KEY, job_id INTEGER NOT NULL, end INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE tally (job_id INTEGER NOT NULL, name TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (job_id, name)) STRICT, WITHOUT ROWID;
CREATE TABLE family (job_id INTEGER NOT NULL, name TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (job_id, name)) STRICT, WITHOUT ROWID;
CREATE TABLE area (job_id INTEGER NOT NULL, url TEXT NOT NULL, PRIMARY KEY (job_id, url)) STRICT, WITHOUT ROWID;
CREATE TABLE robots (job_id INTEGER NOT NULL, origin TEXT NOT NULL, at INTEGER NOT NULL, status INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (job_id, origin)) STRICT, WITHOUT ROWID;
${COOKIES_AND_COUNTS}`;

/** From the version that it stands for to the next. */
export const FRONTIER_MIGRATIONS: Readonly<Record<number, string>> = { 1: COOKIES_AND_COUNTS };
