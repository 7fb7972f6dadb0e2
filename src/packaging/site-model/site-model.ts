/** A finished model, to be read: whole tables in order, or by page. */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { LinkKind } from '../../archive/content/index.ts';
import { GarnerError } from '../../core/errors.ts';
import type {
  EmbeddedFile,
  FileKind,
  LinkScope,
  ModelFile,
  ModelLink,
  Redirect,
  Requisite,
  SiteFacts,
} from './model-types.ts';

type Row = Record<string, SQLOutputValue>;

/** Where a table is gone on with: behind the row of this key. */
export interface PageRequest {
  readonly after: number;
  readonly limit: number;
}

export class SiteModel implements Disposable {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #whenClosed: (() => void) | undefined;
  readonly facts: SiteFacts;

  /** `title`: what it is called now; a model outlives its names. `whenClosed`: for one that is not kept. */
  constructor(db: DatabaseSync, title?: string, whenClosed?: () => void) {
    this.#db = db;
    this.#whenClosed = whenClosed;
    const facts = db.prepare("SELECT value FROM fact WHERE name = 'site'").get()?.value;
    if (typeof facts !== 'string') throw new GarnerError('store.corrupt', 'a site model has no facts');
    const stored: SiteFacts = JSON.parse(facts);
    this.facts = title === undefined ? stored : { ...stored, title };
  }

  /** All that has a place in the logical tree: the entry page first, then by distance from it, then by URL. */
  *pages(): Generator<ModelFile> {
    yield* this.#files('WHERE ord IS NOT NULL ORDER BY ord');
  }

  *files(kind?: FileKind): Generator<ModelFile> {
    if (kind === undefined) yield* this.#files('ORDER BY url');
    else yield* this.#files('WHERE kind = ? ORDER BY url', kind);
  }

  /** The files that one page is shown with, without itself. */
  *filesOf(page: Pick<ModelFile, 'key'>): Generator<ModelFile> {
    yield* this.#files(
      `WHERE key IN (SELECT file_key FROM embedded WHERE page_key = ? AND file_key <> page_key) ORDER BY url`,
      page.key,
    );
  }

  findFile(url: string): ModelFile | undefined {
    return this.#files('WHERE url = ?', url).next().value ?? undefined;
  }

  /** What was captured of the page's embedded files, in the order in which they are named. */
  requisitesOf(page: Pick<ModelFile, 'key'>): Requisite[] {
    // Of several rows with the same file SQLite gives the one that has the minimum.
    return this.#statement(
      `SELECT f.url, f.at, v.url AS via, min(e.depth) AS depth, e.ord FROM embedded AS e
         JOIN file AS f ON f.key = e.file_key LEFT JOIN file AS v ON v.key = e.via_key
         WHERE e.page_key = ? AND f.kind <> 'error' GROUP BY f.key ORDER BY depth, e.ord`,
    )
      .all(page.key)
      .map(
        ({ url, at, via }): Requisite => ({
          url: String(url),
          capturedAt: Number(at),
          ...(typeof via === 'string' && { via }),
        }),
      );
  }

  /** Links of one page that lead to something in the model, in their order. */
  *internalLinks(page: Pick<ModelFile, 'key'>): Generator<ModelLink> {
    yield* this.#statement(
      `SELECT ${LINK_COLUMNS} WHERE r.from_key = ? AND r.requisite = 0 AND r.scope = 'internal' ORDER BY r.key`,
    )
      .all(page.key)
      .map(readLink);
  }

  /** Of all pages, in the order of `pages`. */
  *allInternalLinks(): Generator<ModelLink> {
    for (const { key } of this.#statement(
      'SELECT key FROM file WHERE ord IS NOT NULL ORDER BY ord',
    ).iterate())
      yield* this.internalLinks({ key: Number(key) });
  }

  listFiles({ after, limit }: PageRequest, kind?: FileKind): ModelFile[] {
    const where = kind === undefined ? '' : 'AND kind = ?3';
    const values = kind === undefined ? [after, limit] : [after, limit, kind];
    return [...this.#files(`WHERE key > ?1 ${where} ORDER BY key LIMIT ?2`, ...values)];
  }

  listLinks({ after, limit }: PageRequest): ModelLink[] {
    return this.#statement(
      `SELECT ${LINK_COLUMNS} WHERE r.requisite = 0 AND r.key > ? ORDER BY r.key LIMIT ?`,
    )
      .all(after, limit)
      .map(readLink);
  }

  listEmbedded({ after, limit }: PageRequest): EmbeddedFile[] {
    return this.#statement(
      `SELECT e.key, p.url AS page, e.url, e.kind, e.file_key, v.url AS via FROM embedded AS e
         JOIN file AS p ON p.key = e.page_key LEFT JOIN file AS v ON v.key = e.via_key
         WHERE e.key > ? ORDER BY e.key LIMIT ?`,
    )
      .all(after, limit)
      .map(
        (row): EmbeddedFile => ({
          key: Number(row.key),
          page: String(row.page),
          url: String(row.url),
          kind: String(row.kind) as LinkKind,
          ...(typeof row.file_key === 'number' && { fileKey: row.file_key }),
          ...(typeof row.via === 'string' && { via: row.via }),
        }),
      );
  }

  listRedirects({ after, limit }: PageRequest): Redirect[] {
    return this.#statement(
      `SELECT r.key, r.url, r.target, r.status, r.at, f.url AS leads_to FROM redirect AS r
         LEFT JOIN file AS f ON f.key = r.file_key WHERE r.key > ? ORDER BY r.key LIMIT ?`,
    )
      .all(after, limit)
      .map(
        (row): Redirect => ({
          key: Number(row.key),
          url: String(row.url),
          target: String(row.target),
          ...(typeof row.status === 'number' && { status: row.status }),
          capturedAt: Number(row.at),
          ...(typeof row.leads_to === 'string' && { leadsTo: row.leads_to }),
        }),
      );
  }

  [Symbol.dispose](): void {
    this.#db.close();
    this.#whenClosed?.();
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  *#files(clause: string, ...values: (string | number)[]): Generator<ModelFile> {
    for (const row of this.#statement(`SELECT * FROM file ${clause}`).iterate(...values)) yield readRow(row);
  }
}

const LINK_COLUMNS = `r.key, p.url AS page, r.url, r.kind, r.anchor, r.rel, r.scope, r.occurrence, r.at, r.length,
  t.url AS target FROM reference AS r JOIN file AS p ON p.key = r.from_key LEFT JOIN file AS t ON t.key = r.file_key`;

function readLink(row: Row): ModelLink {
  const { key, page, url, kind, anchor, rel, scope, occurrence, at, length, target } = row;
  return {
    key: Number(key),
    page: String(page),
    url: String(url),
    kind: String(kind) as LinkKind,
    ...(typeof anchor === 'string' && { anchor }),
    ...(typeof rel === 'string' && { rel }),
    scope: String(scope) as LinkScope,
    ...(typeof target === 'string' && { target }),
    occurrence: Number(occurrence),
    ...(typeof at === 'number' && { at }),
    ...(typeof length === 'number' && { length }),
  };
}

function readRow(row: Row): ModelFile {
  const text = (name: string): string | undefined => (typeof row[name] === 'string' ? row[name] : undefined);
  const number = (name: string): number | undefined =>
    typeof row[name] === 'number' ? row[name] : undefined;
  const json = <T>(name: string): T | undefined => {
    const written = text(name);
    return written === undefined ? undefined : (JSON.parse(written) as T);
  };
  const archive = text('archive');
  const file: { -readonly [K in keyof ModelFile]: ModelFile[K] | undefined } = {
    key: Number(row.key),
    url: String(row.url),
    capturedAt: Number(row.at),
    captureType: String(row.type),
    status: number('status'),
    kind: String(row.kind) as FileKind,
    mediaType: text('media_type'),
    size: number('size'),
    sha256: text('sha256'),
    payloadDigest: text('digest'),
    charset: text('charset'),
    language: text('language'),
    title: text('title'),
    described: json('described'),
    headers: json('headers'),
    image: json('image'),
    stored: archive === undefined ? undefined : { file: archive, offset: number('offset') ?? 0 },
    recordId: text('record_id'),
    repeatsAt: number('repeats_at'),
    problems: json('problems') ?? [],
    depth: number('depth'),
  };
  return file as ModelFile;
}
