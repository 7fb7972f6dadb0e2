/**
 * Changes to a snapshot that is there: a fix, another cataloguing, another format. The item and its identifier
 * stay; it gets a version, with who did it and why, and its datestamp moves. Captures are never changed: one that
 * takes the place of another is listed instead of it, and both stay in the archive.
 */
import { identifierOf, readManifest, snapshotLine, snapshotRecord } from '../../archive/items/index.ts';
import { OPERATOR } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { FieldSpec, ItemRef } from '../../core/model.ts';
import type { EventDriver, ModificationType } from '../../core/version-event.ts';
import type { CataloguedValues } from '../../formats/catalogued.ts';
import type { SnapshotLine, WebSnapshot } from '../../formats/web-snapshot.ts';
import type { CommitResult, GarnerStore, StoredCapture } from '../../store/index.ts';
import { readSnapshot } from '../snapshot/read-snapshot.ts';

export interface Modification {
  readonly type: ModificationType;
  /** Default: the repository. */
  readonly driver?: EventDriver;
  /** Who does it. */
  readonly agent: string;
  readonly reason: string;
  /** Values that are to stand instead of what was extracted; an empty list takes them away. */
  readonly catalogued?: CataloguedValues;
  /** Captures that are to stand for their URLs. */
  readonly captures?: readonly StoredCapture[];
}

export interface ModifyDeps {
  readonly store: Pick<GarnerStore, 'items' | 'captures' | 'blobs'>;
  readonly fields: readonly FieldSpec[];
}

/** The run must hold the lease of the source. */
export async function modifySnapshot(
  { store, fields }: ModifyDeps,
  ref: ItemRef,
  runId: number,
  change: Modification,
): Promise<CommitResult> {
  const { record } = await readSnapshot(store, ref, {}, OPERATOR);
  const { type, driver = 'repository', agent, reason } = change;
  const catalogued = mergeCatalogued(record.catalogued, change.catalogued);
  const { catalogued: _, cataloguedBy, ...rest } = record;
  const curator = Object.keys(change.catalogued ?? {}).length > 0 ? agent : cataloguedBy;
  const modified: WebSnapshot = {
    ...rest,
    ...(change.captures?.length && (await replaceCaptures(store, record, change.captures))),
    ...(catalogued && { catalogued, ...(curator !== undefined && { cataloguedBy: curator }) }),
  };
  return store.items.commit({
    source: ref.source,
    runId,
    records: [snapshotRecord(modified, fields, { type, driver, agent, reason })],
  });
}

/** What is said anew counts; an empty value takes away what was said before. */
export function mergeCatalogued(
  before: CataloguedValues | undefined,
  change: CataloguedValues | undefined,
): CataloguedValues | undefined {
  const merged = Object.entries({ ...before, ...change }).filter(([, value]) => value.length > 0);
  return merged.length > 0 ? Object.fromEntries(merged) : undefined;
}

async function replaceCaptures(
  store: ModifyDeps['store'],
  record: WebSnapshot,
  captures: readonly StoredCapture[],
): Promise<Pick<WebSnapshot, 'manifest' | 'files'>> {
  const wanted = new Map(captures.map((capture) => [identifierOf(capture.url), lineOf(capture)]));
  const left = new Set(wanted.keys());
  async function* lines(): AsyncGenerator<Uint8Array> {
    for await (const line of readManifest(store, record)) {
      const url = identifierOf(line.url);
      const other = wanted.get(url);
      // Of several visits of the URL only the new one stays, at the place of the first.
      if (other && !left.delete(url)) continue;
      yield Buffer.from(`${JSON.stringify(other ?? line)}\n`);
    }
    const [unknown] = left;
    if (unknown !== undefined)
      throw new GarnerError('item.unknown', `${unknown} is not in the snapshot ${record.identifier}`);
  }
  const { digest, size } = await store.blobs.put(lines());
  const files = [...new Set([...record.files, ...captures.flatMap(({ file }) => file ?? [])])].toSorted();
  return { manifest: { digest, size }, files };
}

function lineOf(capture: StoredCapture): SnapshotLine {
  const line = snapshotLine(capture);
  if (line) return line;
  throw new GarnerError('archive.record', `of the capture of ${capture.url} only the index is here`);
}
