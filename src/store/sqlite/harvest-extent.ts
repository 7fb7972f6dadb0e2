/** How far harvest lists go that may hold only so much: where lists are cut into documents and packages. */
import type { Viewer } from '../../core/access.ts';
import type { ExtentRequest, HarvestExtent, HarvestPosition } from '../harvest.ts';
import type { HarvestNames } from './harvest-names.ts';
import { type ExtentRow, type HarvestStreams, START, secondsOf } from './harvest-streams.ts';

export function createMeasure({
  names,
  streams,
}: {
  readonly names: HarvestNames;
  readonly streams: HarvestStreams;
}) {
  /** The next entries of all formats in harvest order, one more than fit. */
  function listRows(request: ExtentRequest, viewer: Viewer, closedBefore: number): ExtentRow[] {
    const { formats, after, upTo, fromAt, limit } = request;
    const bounds = secondsOf(
      { ...(fromAt !== undefined && { fromAt }), ...(upTo && { untilAt: upTo.datestampAt }) },
      closedBefore,
    );
    const ids = names.scope(request, viewer);
    const position = after ? ([secondOf(after), after.key] as const) : START;
    const ranges = formats
      ? formats.map((format) => ({ basis: 'record' as const, format: names.format(format) }))
      : [{ basis: 'item' as const, format: names.format(undefined) }];
    const rows = ranges.flatMap((range) =>
      streams.extent({ ...range, ids, ...bounds, viewer }, position, limit + 1),
    );
    if (ranges.length > 1 || ids.view !== null || ids.set !== null)
      rows.sort((a, b) => a.stamp - b.stamp || a.item_key - b.item_key);
    return upTo ? rows.filter((row) => !isBehind(row, upTo)) : rows;
  }

  return (request: ExtentRequest, viewer: Viewer, closedBefore: number): HarvestExtent => {
    const { limit, maxBytes = Number.POSITIVE_INFINITY } = request;
    const rows = listRows(request, viewer, closedBefore);
    let end = 0;
    let bytes = 0;
    while (end < rows.length) {
      const next = endOfItem(rows, end);
      let size = 0;
      for (let i = end; i < next; i++) size += rows[i]?.size ?? 0;
      if (end > 0 && (next > limit || bytes + size > maxBytes)) break;
      bytes += size;
      end = next;
    }
    const [first, last] = [rows[0], rows[end - 1]];
    return {
      records: end,
      bytes,
      ...(first && { first: positionOf(first) }),
      ...(last && { last: positionOf(last) }),
      more: end < rows.length,
      completeUntilAt: (closedBefore - 1) * 1000,
    };
  };
}

const secondOf = ({ datestampAt }: HarvestPosition): number => Math.floor(datestampAt / 1000);

const positionOf = ({ stamp, item_key }: ExtentRow): HarvestPosition => ({
  datestampAt: stamp * 1000,
  key: item_key,
});

const isBehind = (row: ExtentRow, position: HarvestPosition): boolean =>
  row.stamp > secondOf(position) || (row.stamp === secondOf(position) && row.item_key > position.key);

function endOfItem(rows: readonly ExtentRow[], start: number): number {
  const first = rows[start];
  let end = start + 1;
  while (rows[end]?.item_key === first?.item_key && rows[end]?.stamp === first?.stamp) end++;
  return end;
}
