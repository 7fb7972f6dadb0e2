/**
 * The frontier of one crawl. All changes go into one open transaction, which is committed from time to
 * time after the archive file was synced: a process that is killed leaves the state of its last commit.
 */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import type { Cookie, CookieChange } from '../../net/cookie-jar.ts';
import type { CaptureEntry } from '../../store/captures.ts';
import type { UrlPlace } from '../scope/scope.ts';
import { StoredCounts } from './counts.ts';
import {
  FRONTIER_MIGRATIONS,
  FRONTIER_SCHEMA,
  FRONTIER_VERSION,
  URL_STATES,
  type UrlState,
} from './schema.ts';

export interface Job {
  readonly id: number;
  readonly prefix: string;
  readonly startedAt: Instant;
  /** Goes on with what a run before did not finish. */
  readonly resumed: boolean;
}

export interface QueuedUrl {
  readonly id: number;
  readonly url: string;
  readonly host: string;
  readonly priority: number;
  readonly place: UrlPlace;
  readonly via?: string;
  readonly attempts: number;
  readonly dueAt: Instant;
}

export interface NewUrl {
  readonly key: string;
  readonly url: string;
  readonly host: string;
  readonly priority: number;
  readonly place: UrlPlace;
  readonly via?: string;
}

/** A capture on its way into the store. */
export interface OutboxEntry {
  readonly id: number;
  readonly entry: CaptureEntry;
}

/** An archive file that crawls wrote. */
export interface JobFile {
  readonly name: string;
  /** What lies behind, no commit knows of. */
  readonly end: number;
  readonly captures: number;
}

export interface KnownUrl {
  readonly id: number;
  readonly state: number;
  readonly status?: number;
  readonly visits: number;
}

/** URLs met lately; most links of a site lead to pages that are known already. */
const MAX_RECENT = 500_000;

export class Frontier {
  readonly #db: DatabaseSync;
  readonly job: Job;
  readonly tallies: StoredCounts;
  readonly families: StoredCounts;
  readonly #recent = new Set<string>();
  readonly #statements: ReturnType<typeof prepareStatements>;

  constructor(db: DatabaseSync, job: Job) {
    this.#db = db;
    this.job = job;
    this.tallies = new StoredCounts(db, 'tally', job.id);
    this.families = new StoredCounts(db, 'family', job.id);
    this.#statements = prepareStatements(db);
    db.exec('BEGIN IMMEDIATE');
  }

  /** Makes everything up to now durable. The archive must be synced. */
  commit(progress: unknown): void {
    this.tallies.flush();
    this.families.flush();
    this.#statements.progress.run(JSON.stringify(progress), this.job.id);
    this.#db.exec('COMMIT; BEGIN IMMEDIATE');
  }

  /** Whether it certainly is known; the key of most URLs is the URL itself. */
  isRecent(key: string): boolean {
    return this.#recent.has(key);
  }

  knows(key: string): boolean {
    return this.#recent.has(key) || this.#statements.find.get(this.job.id, key) !== undefined;
  }

  find(key: string): KnownUrl | undefined {
    const row = this.#statements.find.get(this.job.id, key);
    if (!row) return undefined;
    return {
      id: Number(row.id),
      state: Number(row.state),
      visits: Number(row.visits),
      ...(row.status !== null && { status: Number(row.status) }),
    };
  }

  /** For URLs that are not known yet. */
  add(url: NewUrl, excluded?: string): QueuedUrl {
    const { lastInsertRowid } = this.#statements.insert.run(
      this.job.id,
      url.key,
      url.url,
      url.host,
      excluded === undefined ? URL_STATES.queued : URL_STATES.excluded,
      url.priority,
      JSON.stringify(url.place),
      url.via ?? null,
      excluded ?? null,
    );
    if (this.#recent.size >= MAX_RECENT) this.#recent.clear();
    this.#recent.add(url.key);
    return { ...url, id: Number(lastInsertRowid), attempts: 0, dueAt: 0 };
  }

  finish(
    id: number,
    state: Exclude<UrlState, 'queued'>,
    outcome: { status?: number; reason?: string },
  ): void {
    this.#statements.finish.run(URL_STATES[state], outcome.status ?? null, outcome.reason ?? null, id);
  }

  /** To be fetched again: after a failure, or since a cookie may open it now. */
  requeue(id: number, attempts: number, dueAt: Instant): QueuedUrl | undefined {
    this.#statements.requeue.run(attempts, dueAt, id);
    const row = this.#statements.byId.get(id);
    return row && readQueued(row);
  }

  listHosts(): { host: string; queued: number }[] {
    return this.#statements.hosts
      .all(this.job.id)
      .map((row) => ({ host: String(row.host), queued: Number(row.queued) }));
  }

  /** The next of a host, in the order in which they are to be fetched. */
  listQueued(host: string, limit: number): QueuedUrl[] {
    return this.#statements.queued.all(this.job.id, host, limit).map(readQueued);
  }

  addToOutbox(entry: CaptureEntry): OutboxEntry {
    const { lastInsertRowid } = this.#statements.outboxAdd.run(JSON.stringify(entry));
    return { id: Number(lastInsertRowid), entry };
  }

  listOutbox(): OutboxEntry[] {
    return this.#statements.outboxList
      .all()
      .map((row) => ({ id: Number(row.id), entry: JSON.parse(String(row.entry)) as CaptureEntry }));
  }

  removeFromOutbox(upTo: number): void {
    this.#statements.outboxRemove.run(upTo);
  }

  /** A capture whose records end there. They come in any order. */
  addToFile(name: string, end: number): void {
    this.#statements.addToFile.run(name, this.job.id, end);
  }

  listFiles(): JobFile[] {
    return this.#statements.files.all(this.job.id).map(readFile);
  }

  /** Of all crawls of the source. */
  listAllFiles(): JobFile[] {
    return this.#statements.allFiles.all().map(readFile);
  }

  addArea(url: string): void {
    this.#statements.addArea.run(this.job.id, url);
  }

  listAreas(): string[] {
    return this.#statements.areas.all(this.job.id).map((row) => String(row.url));
  }

  findRobots(origin: string): { at: Instant; status: number; body: Uint8Array } | undefined {
    const row = this.#statements.findRobots.get(this.job.id, origin);
    if (!row || !(row.body instanceof Uint8Array)) return undefined;
    return { at: Number(row.at), status: Number(row.status), body: row.body };
  }

  putRobots(origin: string, robots: { at: Instant; status: number; body: Uint8Array }): void {
    this.#statements.putRobots.run(this.job.id, origin, robots.at, robots.status, robots.body);
  }

  listCookies(): Cookie[] {
    return this.#statements.cookies
      .all(this.job.id)
      .map((row) => reviveCookie(JSON.parse(String(row.cookie)) as StoredCookie));
  }

  putCookie({ key, cookie }: CookieChange): void {
    if (cookie) this.#statements.putCookie.run(this.job.id, key, JSON.stringify(cookie));
    else this.#statements.dropCookie.run(this.job.id, key);
  }

  /** The job is done: nothing of it is resumed. What became of each URL stays until the next job begins. */
  end(at: Instant, progress: unknown): void {
    this.#statements.end.run(at, this.job.id);
    this.commit(progress);
  }

  close(): void {
    this.#db.exec('ROLLBACK');
    this.#db.close();
  }
}

/** JSON has no infinity: a cookie that lasts as long as its job has null there. */
type StoredCookie = Omit<Cookie, 'expiresAt'> & { readonly expiresAt: number | null };
const reviveCookie = (stored: StoredCookie): Cookie => ({
  ...stored,
  expiresAt: stored.expiresAt ?? Number.POSITIVE_INFINITY,
});

const readFile = (row: Record<string, unknown>): JobFile => ({
  name: String(row.name),
  end: Number(row.end),
  captures: Number(row.captures),
});

function readQueued(row: Record<string, unknown>): QueuedUrl {
  return {
    id: Number(row.id),
    url: String(row.url),
    host: String(row.host),
    priority: Number(row.priority),
    place: JSON.parse(String(row.place)) as UrlPlace,
    attempts: Number(row.attempts),
    dueAt: Number(row.due_at),
    ...(typeof row.via === 'string' && { via: row.via }),
  };
}

function prepareStatements(db: DatabaseSync) {
  return {
    progress: db.prepare('UPDATE job SET progress = ? WHERE id = ?'),
    find: db.prepare('SELECT id, state, status, visits FROM url WHERE job_id = ? AND key = ?'),
    insert: db.prepare(
      'INSERT INTO url (job_id, key, url, host, state, priority, place, via, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    finish: db.prepare('UPDATE url SET state = ?, status = ?, reason = ?, visits = visits + 1 WHERE id = ?'),
    requeue: db.prepare('UPDATE url SET state = 0, attempts = ?, due_at = ? WHERE id = ?'),
    byId: db.prepare('SELECT * FROM url WHERE id = ?'),
    hosts: db.prepare(
      'SELECT host, COUNT(*) AS queued FROM url WHERE job_id = ? AND state = 0 GROUP BY host',
    ),
    queued: db.prepare(
      'SELECT * FROM url WHERE job_id = ? AND host = ? AND state = 0 ORDER BY priority, id LIMIT ?',
    ),
    outboxAdd: db.prepare('INSERT INTO outbox (entry) VALUES (?)'),
    outboxList: db.prepare('SELECT id, entry FROM outbox ORDER BY id'),
    outboxRemove: db.prepare('DELETE FROM outbox WHERE id <= ?'),
    addToFile: db.prepare(
      'INSERT INTO archive_file (name, job_id, end, captures) VALUES (?, ?, ?, 1) ON CONFLICT (name) DO UPDATE SET end = max(end, excluded.end), captures = captures + 1',
    ),
    files: db.prepare('SELECT * FROM archive_file WHERE job_id = ? ORDER BY name'),
    allFiles: db.prepare('SELECT * FROM archive_file ORDER BY name'),
    addArea: db.prepare('INSERT OR IGNORE INTO area (job_id, url) VALUES (?, ?)'),
    areas: db.prepare('SELECT url FROM area WHERE job_id = ?'),
    findRobots: db.prepare('SELECT at, status, body FROM robots WHERE job_id = ? AND origin = ?'),
    putRobots: db.prepare(
      'INSERT OR REPLACE INTO robots (job_id, origin, at, status, body) VALUES (?, ?, ?, ?, ?)',
    ),
    cookies: db.prepare('SELECT cookie FROM cookie WHERE job_id = ?'),
    putCookie: db.prepare('INSERT OR REPLACE INTO cookie (job_id, key, cookie) VALUES (?, ?, ?)'),
    dropCookie: db.prepare('DELETE FROM cookie WHERE job_id = ? AND key = ?'),
    end: db.prepare('UPDATE job SET ended_at = ? WHERE id = ?'),
  };
}

export interface JobStart {
  readonly path: string;
  readonly source: string;
  readonly runId: number;
  readonly seeds: readonly string[];
  readonly now: Instant;
  /** Forget what a run before did not finish. */
  readonly fresh?: boolean;
}

/** Goes on with the job that was not finished, or starts one. The caller holds the lease of the source. */
export function openFrontier({ path, source, runId, seeds, now, fresh }: JobStart): Frontier {
  mkdirSync(dirname(path), { recursive: true });
  const db = new DatabaseSync(path, { timeout: 10_000, enableForeignKeyConstraints: false });
  try {
    db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA fullfsync=1; PRAGMA cache_size=-65536');
    prepareSchema(db, path);
    if (fresh === true) db.prepare('UPDATE job SET ended_at = ? WHERE ended_at IS NULL').run(now);
    const open = db.prepare('SELECT * FROM job WHERE ended_at IS NULL ORDER BY id DESC LIMIT 1').get();
    if (open) {
      db.prepare('UPDATE job SET run_id = ? WHERE id = ?').run(runId, open.id ?? 0);
      const job = { id: Number(open.id), prefix: String(open.prefix), startedAt: Number(open.started_at) };
      return new Frontier(db, { ...job, resumed: true });
    }
    for (const table of ['url', 'family', 'area', 'robots', 'cookie']) db.exec(`DELETE FROM ${table}`);
    const prefix = freePrefix(db, `${source}-${new Date(now).toISOString().replace(/\D/g, '').slice(0, 14)}`);
    const { lastInsertRowid } = db
      .prepare('INSERT INTO job (run_id, started_at, prefix, seeds) VALUES (?, ?, ?, ?)')
      .run(runId, now, prefix, JSON.stringify(seeds));
    return new Frontier(db, { id: Number(lastInsertRowid), prefix, startedAt: now, resumed: false });
  } catch (error) {
    db.close();
    throw error;
  }
}

function prepareSchema(db: DatabaseSync, path: string): void {
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
  if (version > FRONTIER_VERSION)
    throw new GarnerError('store.newer', `${path} was written by a newer Garner`);
  if (version === FRONTIER_VERSION) return;
  const steps = version === 0 ? [FRONTIER_SCHEMA] : [];
  for (let from = version; from > 0 && from < FRONTIER_VERSION; from++)
    steps.push(FRONTIER_MIGRATIONS[from] ?? '');
  db.exec(`BEGIN; ${steps.join('')} PRAGMA user_version=${FRONTIER_VERSION}; COMMIT`);
}

/** Two jobs may begin in one second. */
function freePrefix(db: DatabaseSync, wanted: string): string {
  const taken = db.prepare('SELECT 1 FROM job WHERE prefix = ?');
  let prefix = wanted;
  for (let n = 2; taken.get(prefix); n++) prefix = `${wanted}${String.fromCharCode(95 + n)}`;
  return prefix;
}
