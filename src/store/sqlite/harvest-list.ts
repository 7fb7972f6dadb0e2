/**
 * Records in harvest order: (datestamp, key), deleted ones included, closed seconds only. In a view or a set
 * a record's datestamp is the later of its own and of the moment when its item came in or left, and one that
 * left is deleted there. So up to three streams, each in the order of an index, are merged: records whose own
 * datestamp decides, and those whose move into or out of the view, or of the set, does.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Viewer } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import type { ListedRecord, RecordPageRequest } from '../items.ts';
import { type AccessFilter, allowedAsJson, mayRead } from './access-filter.ts';
import { readSnapshot } from './database.ts';
import type { OpenSecond } from './open-second.ts';

/** A list key is item key × this + format id: unique, and in the order of the indexes. */
const FORMATS = 4096;

type Driver = 'record' | 'view' | 'set';

interface Row {
  readonly item_key: number;
  readonly format_id: number;
  readonly format: string;
  readonly source: string;
  readonly identifier: string;
  readonly oai_identifier: string;
  readonly access_id: number;
  readonly live: number;
  readonly gone: number;
  readonly stamp: number;
}

interface Shape {
  readonly source: boolean;
  readonly view: boolean;
  readonly set: boolean;
}

const MOVED = { view: 'coalesce(v.gone, v.since)', set: 'coalesce(s.gone, s.since)' };

/**
 * ?1 format, ?2 source, ?3 view, ?4 set, ?5 first second, ?6 second to stop before, ?7 and ?8 the position
 * (second, item) to go on after, ?9 allowed rules, ?10 limit.
 */
function streamSql(driver: Driver, shape: Shape): string {
  const stamp = driver === 'record' ? 'r.datestamp' : MOVED[driver];
  const order = driver === 'record' ? 'r.item_key' : driver === 'view' ? 'v.item_key' : 's.item_key';
  const tables = {
    record: `record AS r INDEXED BY ${shape.source ? 'record_source_harvest' : 'record_harvest'}`,
    view: 'item_view AS v INDEXED BY item_view_moved',
    set: 'item_set AS s INDEXED BY item_set_moved',
  };
  const from = [tables[driver]];
  if (driver !== 'record') from.push(`record AS r ON r.item_key = ${order} AND r.format_id = ?1`);
  if (shape.view && driver !== 'view')
    from.push('item_view AS v ON v.item_key = r.item_key AND v.view_id = ?3');
  if (shape.set && driver !== 'set') from.push('item_set AS s ON s.item_key = r.item_key AND s.set_id = ?4');
  from.push('item AS i ON i.key = r.item_key');

  const where = ['r.format_id = ?1'];
  if (shape.source) where.push('r.source_id = ?2');
  if (driver === 'view') where.push('v.view_id = ?3');
  if (driver === 'set') where.push('s.set_id = ?4');
  where.push(`(${stamp}, ${order}) > (?7, ?8)`, `${stamp} >= ?5`, `${stamp} < ?6`);
  // The latest moment decides; of equal ones the first of record, view, set.
  if (driver !== 'record') where.push(`r.datestamp < ${stamp}`);
  if (shape.view && driver !== 'view')
    where.push(`${MOVED.view} ${driver === 'record' ? '<=' : '<'} ${stamp}`);
  if (shape.set && driver !== 'set') where.push(`${MOVED.set} <= ${stamp}`);
  where.push('(?9 IS NULL OR i.left_public = 1 OR i.access_id IN (SELECT value FROM json_each(?9)))');

  const gone = [shape.view ? 'v.gone IS NOT NULL' : '0', shape.set ? 's.gone IS NOT NULL' : '0'].join(' OR ');
  return `SELECT r.item_key, r.format_id, r.live, ${stamp} AS stamp, (${gone}) AS gone,
      i.identifier, i.oai_identifier, i.access_id,
      (SELECT name FROM source WHERE id = r.source_id) AS source,
      (SELECT name FROM format WHERE id = r.format_id) AS format
    FROM ${from.join(' CROSS JOIN ')} WHERE ${where.join(' AND ')} ORDER BY ${stamp}, ${order} LIMIT ?10`;
}

export function createHarvestList(
  db: DatabaseSync,
  access: AccessFilter,
  openSecond: OpenSecond,
  clock: () => Instant,
) {
  const statements = new Map<string, StatementSync>();
  const findSource = db.prepare('SELECT id FROM source WHERE name = ?');
  const findView = db.prepare('SELECT id, access_id FROM view WHERE name = ? AND dropped_at IS NULL');
  const findSet = db.prepare('SELECT id FROM oai_set WHERE spec = ?');
  const findFormat = db.prepare('SELECT id FROM format WHERE name = ?');
  const listFormats = db.prepare('SELECT id FROM format ORDER BY id');
  const setsOf = db.prepare(
    `SELECT item_key, spec FROM item_set JOIN oai_set ON oai_set.id = set_id
     WHERE gone IS NULL AND item_key IN (SELECT value FROM json_each(?)) ORDER BY spec`,
  );

  function stream(driver: Driver, shape: Shape): StatementSync {
    const name = [driver, shape.source, shape.view, shape.set].join();
    let statement = statements.get(name);
    if (!statement) {
      statement = db.prepare(streamSql(driver, shape));
      statements.set(name, statement);
    }
    return statement;
  }

  function getSourceId(name: string): number {
    const row = findSource.get(name);
    if (!row)
      throw new GarnerError('source.unknown', `no source is named ${name}`, { details: { source: name } });
    return Number(row.id);
  }

  /** A view that the viewer may not read is as unknown to him as one that is not there. */
  function getViewId(name: string, viewer: Viewer): number {
    const row = findView.get(name);
    if (!row || !mayRead(access.allowed(viewer), Number(row.access_id))) {
      throw new GarnerError('view.unknown', `no view is named ${name}`, { details: { view: name } });
    }
    return Number(row.id);
  }

  function listRows(request: RecordPageRequest, viewer: Viewer, closedBefore: number): Row[] {
    const { after, limit } = request;
    const sourceId = request.source === undefined ? null : getSourceId(request.source);
    const viewId = request.view === undefined ? null : getViewId(request.view, viewer);
    const setId = request.set === undefined ? null : (findSet.get(request.set)?.id ?? -1);
    const shape: Shape = { source: sourceId !== null, view: viewId !== null, set: setId !== null };
    const drivers: Driver[] = [
      'record',
      ...(shape.view ? (['view'] as const) : []),
      ...(shape.set ? (['set'] as const) : []),
    ];
    const first = Math.ceil((request.fromAt ?? 0) / 1000);
    const until =
      request.untilAt === undefined ? Number.MAX_SAFE_INTEGER : Math.floor(request.untilAt / 1000);
    const stop = Math.min(closedBefore, until + 1);
    const rules = allowedAsJson(access.allowed(viewer));
    const formats = request.format === undefined ? listFormats.all() : [findFormat.get(request.format)];

    const rows: Row[] = [];
    for (const format of formats) {
      if (!format) continue;
      const formatId = Number(format.id);
      const position = positionIn(formatId, after);
      for (const driver of drivers) {
        const given = [formatId, sourceId, viewId, setId, Math.max(first, position[0]), stop];
        rows.push(
          ...(stream(driver, shape).all(...given, ...position, rules, limit) as Record<keyof Row, never>[]),
        );
      }
    }
    return rows.sort(inHarvestOrder).slice(0, limit);
  }

  return (request: RecordPageRequest, viewer: Viewer): readonly ListedRecord[] => {
    // Time, note, snapshot: in this order (see OpenSecond).
    const closedBefore = openSecond.closedBefore(Math.floor(clock() / 1000));
    return readSnapshot(db, () => {
      const rows = listRows(request, viewer, closedBefore);
      const allowed = access.allowed(viewer);
      const sets = new Map<number, string[]>();
      for (const row of setsOf.all(JSON.stringify(rows.map((one) => one.item_key)))) {
        const key = Number(row.item_key);
        sets.set(key, [...(sets.get(key) ?? []), String(row.spec)]);
      }
      return rows.map((row): ListedRecord => {
        const readable = mayRead(allowed, row.access_id);
        return {
          source: row.source,
          identifier: row.identifier,
          key: listKey(row),
          oaiIdentifier: row.oai_identifier,
          format: row.format,
          status: row.live === 1 && row.gone === 0 && readable ? 'live' : 'deleted',
          datestampAt: row.stamp * 1000,
          sets: readable ? (sets.get(row.item_key) ?? []) : [],
        };
      });
    });
  };
}

const listKey = (row: Row): number => row.item_key * FORMATS + row.format_id;

const inHarvestOrder = (a: Row, b: Row): number => a.stamp - b.stamp || listKey(a) - listKey(b);

/** Where the stream of one format goes on after a record that may be of another. */
function positionIn(formatId: number, after: RecordPageRequest['after']): [second: number, item: number] {
  if (!after) return [-1, 0];
  const item = Math.floor(after.key / FORMATS);
  return [Math.floor(after.datestampAt / 1000), formatId > after.key % FORMATS ? item - 1 : item];
}
