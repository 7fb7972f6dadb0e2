/** Rows of harvest lists: the streams of `harvest-sql.ts`, merged. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Viewer } from '../../core/access.ts';
import type { Instant } from '../../core/model.ts';
import { type AccessFilter, allowedAsJson } from './access-filter.ts';
import type { ScopeIds } from './harvest-names.ts';
import {
  type Basis,
  countSql,
  driversOf,
  extentSql,
  findSql,
  listSql,
  type Shape,
  type Stretch,
  type WantedColumns,
} from './harvest-sql.ts';
import type { OpenSecond } from './open-second.ts';

export interface HarvestRow {
  readonly stamp: number;
  readonly live: number;
  readonly gone: number;
  readonly item_key: number;
  readonly identifier: string;
  readonly oai_identifier: string;
  readonly access_id: number;
  readonly source: string;
  /** Of the record that is listed, or that shows the item; null when none does. */
  readonly format_id: number | null;
}

/** A row with the places of its record's content. */
export interface ContentRow extends HarvestRow {
  readonly record_key: number | null;
  readonly size: number;
  readonly raw_block: number | null;
  readonly raw_start: number | null;
  readonly made_block: number | null;
  readonly made_start: number | null;
  readonly made_size: number | null;
  readonly doc_block: number | null;
  readonly doc_start: number | null;
  readonly doc_size: number | null;
  readonly origin: string | null;
  /** Only where facts were asked for. */
  readonly digest?: Uint8Array;
  readonly change?: string;
  readonly came?: number;
}

/** One entry of a list, as far as measuring needs it. */
export interface ExtentRow {
  readonly stamp: number;
  readonly item_key: number;
  readonly size: number;
}

export interface StreamRange {
  readonly basis: Basis;
  readonly format: number;
  readonly ids: ScopeIds;
  /** Seconds: the first, and the one to stop before. */
  readonly first: number;
  readonly stop: number;
  readonly viewer: Viewer;
}

export function secondsOf(
  { fromAt, untilAt }: { readonly fromAt?: Instant; readonly untilAt?: Instant },
  closedBefore: number,
): { first: number; stop: number } {
  const until = untilAt === undefined ? Number.MAX_SAFE_INTEGER : Math.floor(untilAt / 1000);
  return { first: Math.ceil((fromAt ?? 0) / 1000), stop: Math.min(closedBefore, until + 1) };
}

const shapeOf = (basis: Basis, { source, view, set }: ScopeIds): Shape => ({
  basis,
  source: source !== null,
  view: view !== null,
  set: set !== null,
});

export type Position = readonly [second: number, item: number];

/** Before everything. */
export const START: Position = [-1, 0];

type Row = ReturnType<StatementSync['all']>[number];

export function createHarvestStreams(
  db: DatabaseSync,
  access: AccessFilter,
  openSecond: OpenSecond,
  clock: () => Instant,
) {
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    let statement = statements.get(sql);
    if (!statement) {
      statement = db.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
  const rulesOf = (viewer: Viewer): string | null => allowedAsJson(access.allowed(viewer));
  const bind = ({ format, ids, first, stop, viewer }: StreamRange, [second, item]: Position) => [
    format,
    ids.source,
    ids.view,
    ids.set,
    stop,
    Math.max(first - 1, second),
    item,
    rulesOf(viewer),
  ];
  /** The next rows of one stream: what is left of the position's second, then later ones. */
  const next = (
    range: StreamRange,
    position: Position,
    limit: number,
    rows: (stretch: Stretch, bound: ReturnType<typeof bind>, most: number) => Row[],
  ): Row[] => {
    const bound = bind(range, position);
    const rest = position === START || range.first > position[0] ? [] : rows('rest', bound, limit);
    return rest.length < limit ? [...rest, ...rows('later', bound, limit - rest.length)] : rest;
  };

  return {
    /** Seconds before it are closed. Call before the snapshot is taken (see OpenSecond). */
    closedBefore: (): number => openSecond.closedBefore(Math.floor(clock() / 1000)),

    list(
      range: StreamRange,
      position: Position,
      {
        wanted,
        preferred,
        limit,
      }: { readonly wanted: WantedColumns; readonly preferred: number | null; readonly limit: number },
    ): ContentRow[] {
      const shape = shapeOf(range.basis, range.ids);
      const drivers = driversOf(shape);
      const rows = drivers.flatMap((driver) =>
        next(range, position, limit, (stretch, bound, most) =>
          prepared(listSql(driver, shape, stretch, wanted)).all(...bound, preferred, most),
        ),
      ) as Record<keyof ContentRow, never>[];
      if (drivers.length === 1) return rows;
      const merged: ContentRow[] = rows;
      return merged.sort((a, b) => a.stamp - b.stamp || a.item_key - b.item_key).slice(0, limit);
    },

    /** Unsorted where a list has several streams. */
    extent(range: StreamRange, position: Position, limit: number): ExtentRow[] {
      const shape = shapeOf(range.basis, range.ids);
      return driversOf(shape).flatMap((driver) =>
        next(range, position, limit, (stretch, bound, most) =>
          prepared(extentSql(driver, shape, stretch)).all(...bound, most),
        ),
      ) as Record<keyof ExtentRow, never>[];
    },

    count(range: StreamRange): number {
      const shape = shapeOf(range.basis, range.ids);
      return driversOf(shape).reduce(
        (sum, driver) =>
          sum + Number(prepared(countSql(driver, shape)).get(...bind(range, START))?.count ?? 0),
        0,
      );
    },

    find(
      oaiIdentifier: string,
      { basis, format, ids, viewer }: Pick<StreamRange, 'basis' | 'format' | 'ids' | 'viewer'>,
      preferred: number | null,
    ): ContentRow | undefined {
      const row = prepared(findSql(shapeOf(basis, ids))).get(
        format,
        ids.source,
        ids.view,
        oaiIdentifier,
        preferred,
        null,
        null,
        rulesOf(viewer),
      );
      return row as Record<keyof ContentRow, never> | undefined;
    },
  };
}

export type HarvestStreams = ReturnType<typeof createHarvestStreams>;

export type SetsOfItems = (rows: readonly HarvestRow[]) => ReadonlyMap<number, readonly string[]>;

/** The most specific sets of each item: `a` goes without saying where `a:b` stands. */
export function createSetsOfItems(db: DatabaseSync): SetsOfItems {
  const statement = db.prepare(
    `SELECT item_key, spec FROM item_set JOIN oai_set ON oai_set.id = set_id
     WHERE gone IS NULL AND item_key IN (SELECT value FROM json_each(?)) ORDER BY spec`,
  );
  return (rows) => {
    const sets = new Map<number, string[]>();
    for (const row of statement.all(JSON.stringify(rows.map(({ item_key }) => item_key)))) {
      const key = Number(row.item_key);
      const specs = sets.get(key);
      if (specs) specs.push(String(row.spec));
      else sets.set(key, [String(row.spec)]);
    }
    for (const [key, specs] of sets) if (specs.length > 1) sets.set(key, mostSpecific(specs));
    return sets;
  };
}

export const mostSpecific = (specs: readonly string[]): string[] =>
  specs.filter((spec) => !specs.some((other) => other.startsWith(`${spec}:`)));
