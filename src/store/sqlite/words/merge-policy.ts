/** Which neighbouring segments are merged next. */
import type { SegmentRow } from './segment-store.ts';

/** Fewer are not worth it. */
const FEWEST = 8;
/** No input may have more than this share of all bytes: each merge makes its postings' segment three times larger. */
const LARGEST_SHARE = 1 / 3;

interface GenerationRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The smallest run of neighbours that is worth merging, if any. `merging`: what merges under way cover.
 * Eight equal segments are merged at once; a large one waits until others of its size stand beside it.
 */
export function chooseMerge(
  segments: readonly SegmentRow[],
  merging: readonly GenerationRange[],
): readonly SegmentRow[] | undefined {
  const isFree = (row: SegmentRow) =>
    !merging.some(({ first, last }) => first <= row.last && last >= row.first);
  let best: { from: number; to: number; bytes: number } | undefined;
  for (let from = 0; from + FEWEST <= segments.length; from++) {
    let bytes = 0;
    let largest = 0;
    for (let to = from; to < segments.length; to++) {
      const row = segments[to]!;
      if (!isFree(row)) break;
      const size = row.postings + row.positions + 1;
      bytes += size;
      largest = Math.max(largest, size);
      if (to - from + 1 < FEWEST || largest > bytes * LARGEST_SHARE) continue;
      if (!best || bytes < best.bytes) best = { from, to, bytes };
      break;
    }
  }
  return best && segments.slice(best.from, best.to + 1);
}
