/** Looking captures up: lists, the nearest in time, the one that a revisit repeats. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Viewer } from '../../../core/access.ts';
import { GarnerError } from '../../../core/errors.ts';
import type { Instant } from '../../../core/model.ts';
import type {
  CaptureQuery,
  CaptureTotals,
  IndexedFile,
  ResolvedRevisit,
  StoredCapture,
} from '../../captures.ts';
import { type AccessFilter, allowedAsJson } from '../access-filter.ts';
import { readSnapshot } from '../database.ts';
import { CAPTURE_COLUMNS, CAPTURE_TABLES, READABLE, readCapture } from './capture-row.ts';
import { collapseText } from './collapse.ts';
import { keyRange } from './key-range.ts';

type Values = Record<string, SQLInputValue>;
type Filter = Partial<Omit<CaptureQuery, 'urlKey' | 'match' | 'limit' | 'collapse' | 'after' | 'reverse'>>;

/** WARC 1.0 has whole seconds: a fraction does not tell two moments apart. */
const SECOND_MS = 1000;

export function createCaptureReader(db: DatabaseSync, access: AccessFilter) {
  const prepared = new Map<string, StatementSync>();
  /** The conditions vary, their number does not: every form is prepared once. */
  const statement = (sql: string): StatementSync => {
    let known = prepared.get(sql);
    if (!known) {
      known = db.prepare(sql);
      known.setAllowUnknownNamedParameters(true);
      prepared.set(sql, known);
    }
    return known;
  };
  const select = (where: readonly string[], order: string): StatementSync =>
    statement(
      `SELECT ${CAPTURE_COLUMNS} FROM ${CAPTURE_TABLES} WHERE ${[...where, READABLE].join(' AND ')} ${order}`,
    );
  const findOne = (where: readonly string[], order: string, values: Values): StoredCapture | undefined => {
    const row = select(where, `${order} LIMIT 1`).get(values);
    return row && readCapture(row);
  };
  const allowed = (viewer: Viewer): Values => ({ allowed: allowedAsJson(access.allowed(viewer)) });

  const list = (query: CaptureQuery, viewer: Viewer): readonly StoredCapture[] => {
    const { collapse, after, reverse, limit } = query;
    const where = [...keyConditions(query), ...filterConditions(query)];
    if (after) {
      where.push(
        reverse
          ? '(c.url_key > :afterKey OR (c.url_key = :afterKey AND (c.at, c.key) < (:afterAt, :afterId)))'
          : '(c.url_key, c.at, c.key) > (:afterKey, :afterAt, :afterId)',
      );
    }
    const order = reverse ? 'ORDER BY c.url_key, c.at DESC, c.key DESC' : 'ORDER BY c.url_key, c.at, c.key';
    const values = { ...keyValues(query), ...filterValues(query), ...afterValues(after), ...allowed(viewer) };
    if (collapse === undefined) {
      return select(where, `${order} LIMIT :limit`)
        .all({ ...values, limit })
        .map(readCapture);
    }
    const found: StoredCapture[] = [];
    let last = after && collapseText({ ...after, ...digestAt(after.key) }, collapse);
    for (const row of select(where, order).iterate(values)) {
      const capture = readCapture(row);
      const text = collapseText(capture, collapse);
      if (text === last) continue;
      last = text;
      found.push(capture);
      if (found.length >= limit) break;
    }
    return found;
  };

  const digestAt = (key: number): { digest?: string } => {
    const digest = statement('SELECT digest FROM capture WHERE key = ?').get(key)?.digest;
    return typeof digest === 'string' ? { digest } : {};
  };

  const findClosest = (
    urlKey: string,
    at: Instant,
    viewer: Viewer,
    filter: Pick<CaptureQuery, 'sources' | 'types' | 'status'> = {},
  ): StoredCapture | undefined => {
    const where = ['c.url_key = :urlKey', ...filterConditions(filter)];
    const values = { urlKey, near: at, ...filterValues(filter), ...allowed(viewer) };
    const before = findOne([...where, 'c.at <= :near'], 'ORDER BY c.at DESC, c.key DESC', values);
    const after = findOne([...where, 'c.at > :near'], 'ORDER BY c.at, c.key', values);
    if (!before || !after) return before ?? after;
    return at - before.at <= after.at - at ? before : after;
  };

  const resolveRevisit = (revisit: StoredCapture, viewer: Viewer): ResolvedRevisit | undefined => {
    const { refersTo, digest, urlKey, at } = revisit;
    // Its own source first, then what is nearest in time.
    const order = `ORDER BY source.name <> :source, abs(c.at - :near), c.key`;
    const values = { source: revisit.source, near: refersTo?.at ?? at, ...allowed(viewer) };
    const notRevisit = `c.type <> 'revisit'`;
    const attempts: [ResolvedRevisit['by'], boolean, string, Values][] = [
      [
        'record-id',
        refersTo?.recordId !== undefined,
        'c.record_id = :id',
        { id: refersTo?.recordId ?? null },
      ],
      [
        'uri-date',
        refersTo?.urlKey !== undefined && refersTo.at !== undefined,
        'c.url_key = :refersKey AND c.at BETWEEN :since AND :until',
        {
          refersKey: refersTo?.urlKey ?? null,
          since: Math.floor((refersTo?.at ?? 0) / SECOND_MS) * SECOND_MS,
          until: Math.floor((refersTo?.at ?? 0) / SECOND_MS) * SECOND_MS + SECOND_MS - 1,
        },
      ],
      [
        'url-digest',
        digest !== undefined,
        'c.digest = :digest AND c.url_key = :urlKey',
        { digest: digest ?? null, urlKey },
      ],
      ['digest', digest !== undefined, 'c.digest = :digest', { digest: digest ?? null }],
    ];
    for (const [by, applies, condition, more] of attempts) {
      const capture = applies ? findOne([condition, notRevisit], order, { ...values, ...more }) : undefined;
      if (capture) return { capture, by };
    }
    return undefined;
  };

  const count = (
    query: Pick<CaptureQuery, 'urlKey' | 'match' | 'sources'>,
    viewer: Viewer,
  ): CaptureTotals => {
    const where = [...keyConditions(query), ...filterConditions(query), READABLE].join(' AND ');
    const row = statement(
      `SELECT count(*) AS captures, count(DISTINCT c.url_key) AS urls, min(c.at) AS first, max(c.at) AS last
       FROM ${CAPTURE_TABLES} WHERE ${where}`,
    ).get({ ...keyValues(query), ...filterValues(query), ...allowed(viewer) });
    const captures = Number(row?.captures ?? 0);
    return {
      captures,
      urls: Number(row?.urls ?? 0),
      ...(captures > 0 && { firstAt: Number(row?.first), lastAt: Number(row?.last) }),
    };
  };

  const findByDigest = (source: string, digest: string, urlKey?: string): StoredCapture | undefined => {
    const where = ['c.digest = :digest', 'source.name = :source', `c.type <> 'revisit'`];
    if (urlKey !== undefined) where.push('c.url_key = :urlKey');
    const values = { digest, source, ...(urlKey !== undefined && { urlKey }), allowed: null };
    return findOne(where, 'ORDER BY c.at DESC, c.key DESC', values);
  };

  const listFiles = (source: string): readonly IndexedFile[] =>
    statement(
      `SELECT capture_file.name, count(*) AS captures, max(c.offset + coalesce(c.length, 0)) AS end
       FROM capture_file JOIN capture AS c ON c.file_id = capture_file.id
       WHERE capture_file.source_id = (SELECT id FROM source WHERE name = ?) GROUP BY capture_file.id ORDER BY capture_file.name`,
    )
      .all(source)
      .map((row) => ({ file: String(row.name), captures: Number(row.captures), end: Number(row.end ?? 0) }));

  const onSnapshot =
    <Arguments extends unknown[], Result>(read: (...values: Arguments) => Result) =>
    (...values: Arguments): Result =>
      readSnapshot(db, () => read(...values));

  return {
    list: onSnapshot(list),
    findClosest: onSnapshot(findClosest),
    resolveRevisit: onSnapshot(resolveRevisit),
    count: onSnapshot(count),
    findByDigest: onSnapshot(findByDigest),
    listFiles: onSnapshot(listFiles),
  };
}

type Keyed = Pick<CaptureQuery, 'urlKey' | 'match'>;

function keyConditions({ match = 'exact' }: Keyed): string[] {
  return match === 'exact' ? ['c.url_key = :urlKey'] : ['c.url_key >= :fromKey', 'c.url_key < :toKey'];
}

function keyValues({ urlKey, match = 'exact' }: Keyed): Values {
  if (urlKey === '' && match !== 'prefix') throw new GarnerError('request.invalid', 'a lookup needs a URL');
  if (match === 'exact') return { urlKey };
  const { from, to } = keyRange(urlKey, match);
  return { fromKey: from, toKey: to };
}

function filterConditions(filter: Filter): string[] {
  const where: string[] = [];
  if (filter.sources) where.push('source.name IN (SELECT value FROM json_each(:sources))');
  if (filter.types) where.push('c.type IN (SELECT value FROM json_each(:types))');
  if (filter.fromAt !== undefined) where.push('c.at >= :fromAt');
  if (filter.untilAt !== undefined) where.push('c.at <= :untilAt');
  if (filter.status !== undefined) where.push('c.status = :status');
  if (filter.mediaType !== undefined) where.push('c.media_type = :mediaType');
  if (filter.digest !== undefined) where.push('c.digest = :digest');
  if (filter.asOpenAsSource) where.push('coalesce(item.own_access, 0) = 0');
  return where;
}

function filterValues(filter: Filter): Values {
  return {
    ...(filter.sources && { sources: JSON.stringify(filter.sources) }),
    ...(filter.types && { types: JSON.stringify(filter.types) }),
    ...(filter.fromAt !== undefined && { fromAt: filter.fromAt }),
    ...(filter.untilAt !== undefined && { untilAt: filter.untilAt }),
    ...(filter.status !== undefined && { status: filter.status }),
    ...(filter.mediaType !== undefined && { mediaType: filter.mediaType }),
    ...(filter.digest !== undefined && { digest: filter.digest }),
  };
}

function afterValues(after: CaptureQuery['after']): Values {
  return after ? { afterKey: after.urlKey, afterAt: after.at, afterId: after.key } : {};
}
