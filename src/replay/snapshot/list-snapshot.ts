/** A snapshot as its page shows it: a page of its captures, and how many there are of each host. */
import { findCapture, readSeenLines, seesAllCaptures } from '../../archive/items/index.ts';
import type { Viewer } from '../../core/access.ts';
import type { ItemRef } from '../../core/model.ts';
import type { SnapshotComparison, SnapshotLine, WebSnapshot } from '../../formats/web-snapshot.ts';
import type { GarnerStore, StoredCapture } from '../../store/index.ts';

export interface SnapshotHost {
  readonly host: string;
  readonly captures: number;
}

export interface SnapshotListing {
  readonly series: string;
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  /** Those that the viewer may see; the numbers tell of no others. */
  readonly captures: readonly StoredCapture[];
  /** Those with the most captures first. */
  readonly hosts: readonly SnapshotHost[];
  readonly hostCount: number;
  /** With the snapshot before; not for those who may not see everything: it counts all. */
  readonly comparison?: SnapshotComparison;
}

const PER_PAGE = 100;
const SHOWN_HOSTS = 50;
/** Manifests never change, so what was counted holds. */
const KEPT_COUNTS = 50;

type SnapshotStore = Pick<GarnerStore, 'items' | 'captures' | 'blobs'>;

export class SnapshotLister {
  readonly #store: SnapshotStore;
  readonly #hosts = new Map<string, readonly SnapshotHost[]>();

  constructor(store: SnapshotStore) {
    this.#store = store;
  }

  /** Undefined when the item has no content that the viewer may read. */
  async list(item: ItemRef, asked: number, viewer: Viewer): Promise<SnapshotListing | undefined> {
    const content = await this.#store.items.findContent(item, {}, viewer);
    if (!content) return undefined;
    const record = JSON.parse(Buffer.from(content.bytes).toString('utf8')) as WebSnapshot;
    const lines = () => readSeenLines(this.#store, item.source, record, viewer);
    const seesAll = await seesAllCaptures(this.#store, item.source, viewer);
    const hosts = seesAll ? await this.#knownHosts(record, lines()) : await countHosts(lines());
    const total = hosts.reduce((sum, { captures }) => sum + captures, 0);
    const pages = Math.max(1, Math.ceil(total / PER_PAGE));
    const page = Math.min(Math.max(1, asked), pages);
    const captures: StoredCapture[] = [];
    let number = 0;
    for await (const line of lines()) {
      if (number >= page * PER_PAGE) break;
      if (number++ < (page - 1) * PER_PAGE) continue;
      const capture = await findCapture(this.#store, item.source, line, viewer);
      if (capture) captures.push(capture);
    }
    return {
      series: record.series,
      page,
      pages,
      total,
      captures,
      hosts: hosts.slice(0, SHOWN_HOSTS),
      hostCount: hosts.length,
      ...(seesAll && record.comparedWith && { comparison: record.comparedWith }),
    };
  }

  async #knownHosts(
    { manifest: { digest } }: WebSnapshot,
    lines: AsyncIterable<SnapshotLine>,
  ): Promise<readonly SnapshotHost[]> {
    const known = this.#hosts.get(digest);
    if (known) return known;
    const hosts = await countHosts(lines);
    const [oldest] = this.#hosts.keys();
    if (this.#hosts.size >= KEPT_COUNTS && oldest !== undefined) this.#hosts.delete(oldest);
    this.#hosts.set(digest, hosts);
    return hosts;
  }
}

async function countHosts(lines: AsyncIterable<SnapshotLine>): Promise<readonly SnapshotHost[]> {
  const counts = new Map<string, number>();
  for await (const { url } of lines) {
    const host = URL.parse(url)?.host || 'without a host';
    counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  return Array.from(counts, ([host, captures]) => ({ host, captures })).sort(
    (a, b) => b.captures - a.captures || (a.host < b.host ? -1 : 1),
  );
}
