/** All snapshots that a viewer may see, with what aggregators need of them. */
import type { Viewer } from '../../core/access.ts';
import type { Instant } from '../../core/model.ts';
import { webSnapshot } from '../../formats/web-snapshot.ts';
import { eachRecord, type ItemStore } from '../../store/index.ts';
import { parseSnapshot } from '../snapshot/read-snapshot.ts';

export interface SnapshotEntry {
  readonly source: string;
  readonly identifier: string;
  readonly series: string;
  readonly title: string;
  readonly startedAt: Instant;
  readonly endedAt: Instant;
  readonly datestampAt: Instant;
}

/** Oldest first. */
export async function listSnapshots(
  items: Pick<ItemStore, 'listRecords' | 'findContent'>,
  viewer: Viewer,
): Promise<SnapshotEntry[]> {
  const entries: SnapshotEntry[] = [];
  for await (const record of eachRecord(items, { format: webSnapshot.name }, viewer)) {
    if (record.status !== 'live') continue;
    const content = await items.findContent(record, { format: webSnapshot.name }, viewer);
    if (!content) continue;
    const { identifier, series, title, startedAt, endedAt } = parseSnapshot(content.bytes);
    entries.push({
      source: record.source,
      identifier,
      series,
      title,
      startedAt: Date.parse(startedAt),
      endedAt: Date.parse(endedAt),
      datestampAt: record.datestampAt,
    });
  }
  return entries.sort((a, b) => a.startedAt - b.startedAt);
}
