/**
 * Retention: of the versions of a snapshot that are old enough the newest few keep their content, with the first
 * and every pinned one. What is forgotten is only what no other version needs; archive files are never touched.
 */
import { OPERATOR } from '../../core/access.ts';
import type { Instant } from '../../core/model.ts';
import { webSnapshot } from '../../formats/web-snapshot.ts';
import { eachRecord, type GarnerStore, type VersionInfo } from '../../store/index.ts';
import { parseSnapshot } from '../snapshot/read-snapshot.ts';

export interface RetentionPolicy {
  /** How many versions keep their content; 0: all. */
  readonly keepVersions: number;
  /** Younger ones stay. */
  readonly before: Instant;
}

type ThinningStore = Pick<GarnerStore, 'items' | 'blobs'>;

/** Which versions of one history may go. */
export function chooseThinned(
  history: readonly VersionInfo[],
  { keepVersions, before }: RetentionPolicy,
): number[] {
  if (keepVersions === 0) return [];
  const newestFirst = history.toSorted((a, b) => b.version - a.version);
  return newestFirst
    .slice(Math.max(1, keepVersions))
    .filter(
      ({ version, at, pinned, thinned, digest }) =>
        version > 1 && at < before && pinned !== true && thinned !== true && digest !== undefined,
    )
    .map(({ version }) => version)
    .toReversed();
}

/**
 * References in packages name the oldest version that lists the same captures: it stays as long as one of the
 * versions whose packages lead to it does. `lists`: what each version has, oldest first.
 */
function withoutReferred(old: readonly number[], lists: ReadonlyMap<number, readonly string[]>): number[] {
  const needed = new Set([...lists].flatMap(([version, digests]) => (old.includes(version) ? [] : digests)));
  const referred = new Set<number>();
  for (const [version, digests] of lists)
    for (const digest of digests) if (needed.delete(digest)) referred.add(version);
  return old.filter((version) => !referred.has(version));
}

/** All snapshots of a source; the run must hold its lease. Gives how many versions were thinned out. */
export async function thinSnapshots(
  store: ThinningStore,
  source: string,
  runId: number,
  policy: RetentionPolicy,
): Promise<number> {
  let count = 0;
  for await (const { identifier } of eachRecord(store.items, { format: webSnapshot.name, source }, OPERATOR))
    count += await thinOne(store, { source, identifier }, runId, policy);
  return count;
}

async function thinOne(
  { items, blobs }: ThinningStore,
  ref: { readonly source: string; readonly identifier: string },
  runId: number,
  policy: RetentionPolicy,
): Promise<number> {
  const history = await ofSnapshot();
  const old = chooseThinned(history, policy);
  if (old.length === 0) return 0;
  const lists = new Map(
    await Promise.all(history.map(async ({ version }) => [version, await listsOf(version)] as const)),
  );
  const chosen = withoutReferred(old, lists);
  const thinned = await items.thinVersions(ref, { format: webSnapshot.name, versions: chosen }, runId);
  const kept = new Set(
    [...lists].flatMap(([version, digests]) => (thinned.includes(version) ? [] : digests)),
  );
  const forgotten = new Set(thinned.flatMap((version) => lists.get(version) ?? []));
  for (const digest of forgotten) if (!kept.has(digest)) await blobs.delete(digest);
  return thinned.length;

  async function ofSnapshot(): Promise<VersionInfo[]> {
    const history = await items.listHistory(ref, OPERATOR);
    return history
      .filter(({ format }) => format === webSnapshot.name)
      .toSorted((a, b) => a.version - b.version);
  }

  /** Manifests are blobs; several versions may share one. */
  async function listsOf(version: number): Promise<string[]> {
    const content = await items.findContent(ref, { format: webSnapshot.name, version }, OPERATOR);
    return content ? [parseSnapshot(content.bytes).manifest.digest] : [];
  }
}
