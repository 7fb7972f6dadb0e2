/**
 * The SQL of harvest lists. In a view or a set a record's datestamp is the later of its own and of the moment
 * when its item came in or left, and one that left is deleted there. So a list is up to three streams, each
 * in the order of an index: entries whose own datestamp decides, and those whose move into or out of the
 * view, or of the set, does. No entry is in two of them.
 */

/** What is listed: records of one format, or items. */
export type Basis = 'record' | 'item';
/** What decides on the datestamp. */
export type Driver = 'own' | 'view' | 'set';

/**
 * What follows a position: the rest of its second, then all later seconds. As one condition on (second, item)
 * SQLite would enter most of the indexes by the second alone, and read all of it for each page; it may hold a
 * whole import.
 */
export type Stretch = 'rest' | 'later';

export interface Shape {
  readonly basis: Basis;
  readonly source: boolean;
  readonly view: boolean;
  readonly set: boolean;
}

const MOVED = { view: 'coalesce(v.gone, v.since)', set: 'coalesce(s.gone, s.since)' };

export const driversOf = ({ view, set }: Shape): Driver[] => [
  'own',
  ...(view ? (['view'] as const) : []),
  ...(set ? (['set'] as const) : []),
];

const ALLOWED = 'i.access_id IN (SELECT value FROM json_each(?8))';

/** Readable, or once readable by all: of these lists tell that they are gone. */
const VISIBLE = {
  item: `(?8 IS NULL OR i.left_public = 1 OR ${ALLOWED})`,
  record: `(?8 IS NULL OR r.left_public = 1 OR (r.held = 0 AND ${ALLOWED}))`,
};

/** Whether it is there, for whoever may read the item. */
const LIVE = { item: 'i.live', record: '(r.live = 1 AND (?8 IS NULL OR r.held = 0))' };

interface Stream {
  readonly from: string;
  readonly where: string;
  readonly order: string;
  readonly stamp: string;
  readonly key: string;
}

/**
 * ?1 format, ?2 source, ?3 view, ?4 set, ?5 second to stop before, ?6 and ?7 the position (second, item) to go
 * on after, ?8 allowed rules.
 */
function buildStream(driver: Driver, { basis, source, view, set }: Shape, stretch: Stretch): Stream {
  const own = basis === 'item' ? 'i.datestamp' : 'r.datestamp';
  const stamp = driver === 'own' ? own : MOVED[driver];
  const ownKey = basis === 'item' ? 'i.key' : 'r.item_key';
  const key = driver === 'own' ? ownKey : driver === 'view' ? 'v.item_key' : 's.item_key';
  const from: string[] = [];
  if (driver === 'view') from.push('item_view AS v INDEXED BY item_view_moved');
  if (driver === 'set') from.push('item_set AS s INDEXED BY item_set_moved');
  if (driver === 'own' && basis === 'item')
    from.push(`item AS i INDEXED BY ${source ? 'item_source_harvest' : 'item_harvest'}`);
  if (driver === 'own' && basis === 'record')
    from.push(`record AS r INDEXED BY ${source ? 'record_source_harvest' : 'record_harvest'}`);
  if (driver !== 'own' && basis === 'record')
    from.push(`record AS r ON r.item_key = ${key} AND r.format_id = ?1`);
  if (view && driver !== 'view') from.push(`item_view AS v ON v.item_key = ${key} AND v.view_id = ?3`);
  if (set && driver !== 'set') from.push(`item_set AS s ON s.item_key = ${key} AND s.set_id = ?4`);
  if (driver !== 'own' || basis === 'record') from.push(`item AS i ON i.key = ${key}`);

  // First, since of two lower bounds on one column SQLite takes the one that was said first.
  const where: string[] =
    stretch === 'rest' ? [`${stamp} = ?6`, `${key} > ?7`, '?6 < ?5'] : [`${stamp} > ?6`, `${stamp} < ?5`];
  if (basis === 'record') where.push('r.format_id = ?1');
  // Says to the planner that the partial indexes hold all that is asked for.
  else where.push('i.datestamp > 0');
  if (source) where.push(basis === 'item' ? 'i.source_id = ?2' : 'r.source_id = ?2');
  if (driver === 'view') where.push('v.view_id = ?3');
  if (driver === 'set') where.push('s.set_id = ?4');
  // The latest moment decides; of equal ones the first of own, view, set.
  if (driver !== 'own') where.push(`${own} < ${stamp}`);
  if (view && driver !== 'view') where.push(`${MOVED.view} ${driver === 'own' ? '<=' : '<'} ${stamp}`);
  if (set && driver !== 'set') where.push(`${MOVED.set} <= ${stamp}`);
  where.push(VISIBLE[basis]);
  return {
    from: from.join(' CROSS JOIN '),
    where: where.join(' AND '),
    order: stretch === 'rest' ? key : `${stamp}, ${key}`,
    stamp,
    key,
  };
}

/** The live record that shows an item: of the preferred format, else the first; see `findIndexedRecord`. */
const showing = (itemKey: string, preferred: string): string =>
  `(SELECT key FROM record WHERE item_key = ${itemKey} AND live = 1
    ORDER BY held, format_id = ${preferred} DESC, key LIMIT 1)`;

const gone = ({ view, set }: Shape): string =>
  [view ? 'v.gone IS NOT NULL' : '0', set ? 's.gone IS NOT NULL' : '0'].join(' OR ');

const ITEM_COLUMNS = `i.key AS item_key, i.identifier, i.oai_identifier, i.access_id,
  (SELECT name FROM source WHERE id = i.source_id) AS source`;

const contentColumns = (record: string): string =>
  `${record}.key AS record_key, ${record}.format_id, ${record}.size,
  ${record}.raw_block, ${record}.raw_start, ${record}.made_block, ${record}.made_start, ${record}.made_size,
  ${record}.doc_block, ${record}.doc_start, ${record}.doc_size,
  (SELECT origin FROM version WHERE record_key = ${record}.key AND number = ${record}.version) AS origin`;

/** Of lists of records. `came`: into the view or set with the last change, or after it. */
const factColumns = ({ view, set }: Shape): string => `, r.digest, r.size,
  (SELECT change FROM version WHERE record_key = r.key AND number = r.version) AS change,
  (${view ? 'v.since >= r.datestamp' : '0'} OR ${set ? 's.since >= r.datestamp' : '0'}) AS came`;

export interface WantedColumns {
  readonly content: boolean;
  readonly facts: boolean;
}

/** ?9 preferred format, ?10 limit. */
export function listSql(driver: Driver, shape: Shape, stretch: Stretch, wanted: WantedColumns): string {
  const { from, where, order, stamp, key } = buildStream(driver, shape, stretch);
  const record = shape.basis === 'item' ? 'c' : 'r';
  const columns = wanted.content
    ? contentColumns(record)
    : `${shape.basis === 'item' ? 'NULL' : 'r.format_id'} AS format_id`;
  const content =
    shape.basis === 'item' && wanted.content ? ` LEFT JOIN record AS c ON c.key = ${showing(key, '?9')}` : '';
  return `SELECT ${stamp} AS stamp, ${LIVE[shape.basis]} AS live, (${gone(shape)}) AS gone, ${ITEM_COLUMNS},
      ${columns}${wanted.facts && shape.basis === 'record' ? factColumns(shape) : ''}
    FROM ${from}${content} WHERE ${where} ORDER BY ${order} LIMIT ?10`;
}

/** From the beginning: all seconds are later ones. */
export function countSql(driver: Driver, shape: Shape): string {
  const { from, where } = buildStream(driver, shape, 'later');
  return `SELECT count(*) AS count FROM ${from} WHERE ${where}`;
}

/** Of each entry where it stands, and how many bytes the viewer gets of it. ?9 limit. */
export function extentSql(driver: Driver, shape: Shape, stretch: Stretch): string {
  const { from, where, order, stamp, key } = buildStream(driver, shape, stretch);
  const size = shape.basis === 'item' ? '0' : `iif(${LIVE.record} AND (?8 IS NULL OR ${ALLOWED}), r.size, 0)`;
  return `SELECT ${stamp} AS stamp, ${key} AS item_key, ${size} AS size
    FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ?9`;
}

/** ?1 format, ?2 source, ?3 view, ?4 OAI identifier, ?5 preferred format, ?8 allowed rules. */
export function findSql(shape: Shape): string {
  const { basis, source, view } = shape;
  const own = basis === 'item' ? 'i.datestamp' : 'r.datestamp';
  const record = basis === 'item' ? 'c' : 'r';
  return `SELECT ${view ? `max(${own}, ${MOVED.view})` : own} AS stamp,
      ${LIVE[basis]} AS live, (${gone({ ...shape, set: false })}) AS gone,
      ${ITEM_COLUMNS}, ${contentColumns(record)}
    FROM item AS i
    ${basis === 'record' ? 'JOIN record AS r ON r.item_key = i.key AND r.format_id = ?1' : `LEFT JOIN record AS c ON c.key = ${showing('i.key', '?5')}`}
    ${view ? 'JOIN item_view AS v ON v.item_key = i.key AND v.view_id = ?3' : ''}
    WHERE i.oai_identifier = ?4 ${source ? 'AND i.source_id = ?2' : ''} AND ${VISIBLE[basis]}`;
}
