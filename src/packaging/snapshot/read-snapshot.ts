/** A snapshot as it is now or was: its record, its history, and the captures that it lists, one URL at a time. */
import { surtKey } from '../../archive/index.ts';
import { chooseLine, findCapture, identifierOf, readManifest } from '../../archive/items/index.ts';
import type { Viewer } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { Instant, ItemRef } from '../../core/model.ts';
import { parseJson } from '../../formats/extract-json.ts';
import { type SnapshotLine, type WebSnapshot, webSnapshot } from '../../formats/web-snapshot.ts';
import type { GarnerStore, StoredCapture, StoredItem, VersionInfo } from '../../store/index.ts';
import { thinnedVersion } from '../../store/thinned-version.ts';

export interface SnapshotChoice {
  /** Default: the newest. */
  readonly version?: number | undefined;
  /** The version that was current then. */
  readonly at?: Instant | undefined;
}

export interface Snapshot {
  readonly item: StoredItem;
  readonly record: WebSnapshot;
  readonly version: number;
  /** When the first version came in: by then its captures were in the store. */
  readonly recordedAt: Instant;
  /** Up to this version, oldest first. */
  readonly history: readonly VersionInfo[];
}

/** One URL of a snapshot. */
export interface SnapshotResource {
  readonly url: string;
  /** The newest with a good answer; if there is none, the newest. */
  readonly capture: StoredCapture;
  /** How often the URL was captured. */
  readonly visits: number;
}

type SnapshotStore = Pick<GarnerStore, 'items' | 'captures' | 'blobs'>;

/** `item.unknown` when the viewer has no such item; `version.unknown` when it is no snapshot in that
 * version, `version.thinned` when it was. */
export async function readSnapshot(
  { items }: Pick<GarnerStore, 'items'>,
  ref: ItemRef,
  choice: SnapshotChoice,
  viewer: Viewer,
): Promise<Snapshot> {
  const item = await items.findItem(ref, viewer);
  if (!item) throw new GarnerError('item.unknown', `there is no item ${ref.identifier} in ${ref.source}`);
  const content = await items.findContent(
    ref,
    {
      format: webSnapshot.name,
      ...(choice.version !== undefined && { version: choice.version }),
      ...(choice.at !== undefined && { at: choice.at }),
    },
    viewer,
  );
  if (!content) {
    const history = await items.listHistory(ref, viewer);
    const ofSnapshot = history.filter(({ format }) => format === webSnapshot.name);
    throw (
      thinnedVersion(ref, ofSnapshot, choice) ??
      new GarnerError('version.unknown', `"${ref.identifier}" is no snapshot, or has no such version`)
    );
  }
  const history = (await items.listHistory(ref, viewer))
    .filter(({ format, version }) => format === webSnapshot.name && version <= content.version)
    .toSorted((a, b) => a.version - b.version);
  return {
    item,
    record: parseSnapshot(content.bytes),
    version: content.version,
    recordedAt: history[0]?.at ?? item.firstSeenAt,
    history,
  };
}

/** The oldest version that lists the same captures: what is made of those is the same. Retention keeps it. */
export async function findListingVersion(
  { items }: Pick<GarnerStore, 'items'>,
  { item, record, version, history }: Snapshot,
  viewer: Viewer,
): Promise<number> {
  for (const old of history) {
    if (old.version >= version || old.thinned || old.digest === undefined) continue;
    const content = await items.findContent(item, { format: webSnapshot.name, version: old.version }, viewer);
    if (content && parseSnapshot(content.bytes).manifest.digest === record.manifest.digest)
      return old.version;
  }
  return version;
}

export function parseSnapshot(bytes: Uint8Array): WebSnapshot {
  const value = parseJson(bytes);
  if (isSnapshot(value)) return value;
  throw new GarnerError('store.corrupt', 'a stored description of a snapshot is none');
}

const isSnapshot = (value: unknown): value is WebSnapshot =>
  typeof value === 'object' && value !== null && 'webSnapshot' in value && 'manifest' in value;

/** In the order of the manifest, which is that of URL keys; memory holds the visits of one key. */
export async function* listResources(
  store: SnapshotStore,
  { item, record }: Pick<Snapshot, 'record'> & { readonly item: ItemRef },
  viewer: Viewer,
): AsyncGenerator<SnapshotResource> {
  let key: string | undefined;
  let lines: SnapshotLine[] = [];
  for await (const line of readManifest(store, record)) {
    const urlKey = surtKey(line.url);
    if (urlKey !== key) {
      yield* resourcesOf(store, item.source, lines, viewer);
      lines = [];
    }
    key = urlKey;
    lines.push(line);
  }
  yield* resourcesOf(store, item.source, lines, viewer);
}

async function* resourcesOf(
  store: SnapshotStore,
  source: string,
  lines: readonly SnapshotLine[],
  viewer: Viewer,
): AsyncGenerator<SnapshotResource> {
  for (const [url, visits] of Map.groupBy(lines, (line) => identifierOf(line.url))) {
    const chosen = chooseLine(visits);
    const capture = chosen && (await findCapture(store, source, chosen, viewer));
    if (capture) yield { url, capture, visits: visits.length };
  }
}
