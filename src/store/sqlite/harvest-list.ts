/** Records of one format, or of all, in harvest order; see `harvest-sql.ts`. Headers only. */
import type { DatabaseSync } from 'node:sqlite';
import type { Viewer } from '../../core/access.ts';
import type { ListedRecord, RecordPageRequest } from '../items.ts';
import { type AccessFilter, mayRead } from './access-filter.ts';
import { readSnapshot } from './database.ts';
import type { HarvestNames } from './harvest-names.ts';
import { type HarvestRow, type HarvestStreams, type SetsOfItems, secondsOf } from './harvest-streams.ts';

/** A list key is item key × this + format id: unique, and in the order of the indexes. */
const FORMATS = 4096;

export function createHarvestList(
  db: DatabaseSync,
  access: AccessFilter,
  names: HarvestNames,
  streams: HarvestStreams,
  setsOfItems: SetsOfItems,
) {
  function listRows(request: RecordPageRequest, viewer: Viewer, closedBefore: number): HarvestRow[] {
    const ids = names.scope(request, viewer);
    const formats = request.format === undefined ? names.formats() : [names.format(request.format)];
    const rows = formats.flatMap((format) =>
      streams.list(
        { basis: 'record', format, ids, ...secondsOf(request, closedBefore), viewer },
        positionIn(format, request.after),
        { wanted: { content: false, facts: false }, preferred: null, limit: request.limit },
      ),
    );
    return rows.sort(inHarvestOrder).slice(0, request.limit);
  }

  return (request: RecordPageRequest, viewer: Viewer): readonly ListedRecord[] => {
    const closedBefore = request.open ? Number.MAX_SAFE_INTEGER : streams.closedBefore();
    return readSnapshot(db, () => {
      const rows = listRows(request, viewer, closedBefore);
      const allowed = access.allowed(viewer);
      const sets = setsOfItems(rows);
      return rows.map((row): ListedRecord => {
        const readable = mayRead(allowed, row.access_id);
        return {
          source: row.source,
          identifier: row.identifier,
          key: listKey(row),
          oaiIdentifier: row.oai_identifier,
          format: names.formatName(row.format_id ?? 0),
          status: row.live === 1 && row.gone === 0 && readable ? 'live' : 'deleted',
          datestampAt: row.stamp * 1000,
          sets: readable ? (sets.get(row.item_key) ?? []) : [],
        };
      });
    });
  };
}

const listKey = (row: HarvestRow): number => row.item_key * FORMATS + (row.format_id ?? 0);

const inHarvestOrder = (a: HarvestRow, b: HarvestRow): number => a.stamp - b.stamp || listKey(a) - listKey(b);

/** Where the stream of one format goes on after a record that may be of another. */
function positionIn(formatId: number, after: RecordPageRequest['after']): [second: number, item: number] {
  if (!after) return [-1, 0];
  const item = Math.floor(after.key / FORMATS);
  return [Math.floor(after.datestampAt / 1000), formatId > after.key % FORMATS ? item - 1 : item];
}
