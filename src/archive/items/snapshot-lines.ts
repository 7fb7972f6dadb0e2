/** The manifest of a snapshot: its lines, and which of several visits of a URL stands for it. */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { OPERATOR, type Viewer } from '../../core/access.ts';
import type { SnapshotLine, WebSnapshot } from '../../formats/web-snapshot.ts';
import type { GarnerStore, StoredCapture } from '../../store/index.ts';
import { surtKey } from '../cdx/surt.ts';

export async function* readManifest(
  { blobs }: Pick<GarnerStore, 'blobs'>,
  { manifest }: Pick<WebSnapshot, 'manifest'>,
): AsyncGenerator<SnapshotLine> {
  const input = Readable.from(blobs.read(manifest.digest), { objectMode: false });
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
    if (line !== '') yield JSON.parse(line) as SnapshotLine;
}

/** The newest with a good answer; if there is none, the newest. */
export function chooseLine<Line extends Pick<SnapshotLine, 'at' | 'offset' | 'status'>>(
  visits: readonly Line[],
): Line | undefined {
  const sorted = visits.toSorted((a, b) => a.at - b.at || a.offset - b.offset);
  return sorted.findLast(({ status = 200 }) => status >= 200 && status < 300) ?? sorted.at(-1);
}

/** Undefined when the viewer may not see it. */
export async function findCapture(
  { captures }: Pick<GarnerStore, 'captures'>,
  source: string,
  { url, at, file, offset, inner = 0 }: Pick<SnapshotLine, 'url' | 'at' | 'file' | 'offset' | 'inner'>,
  viewer: Viewer,
): Promise<StoredCapture | undefined> {
  const found = await captures.list(
    { urlKey: surtKey(url), sources: [source], fromAt: at, untilAt: at, limit: 100 },
    viewer,
  );
  return found.find((one) => one.file === file && one.offset === offset && (one.inner ?? 0) === inner);
}

/** Whether nothing of what the source has captured is hidden from the viewer. */
export async function seesAllCaptures(
  { captures }: Pick<GarnerStore, 'captures'>,
  source: string,
  viewer: Viewer,
): Promise<boolean> {
  if (viewer.role !== 'reader') return true;
  const all = { urlKey: '', match: 'prefix', sources: [source] } as const;
  const [own, whole] = await Promise.all([captures.count(all, viewer), captures.count(all, OPERATOR)]);
  return own.captures === whole.captures;
}

/** The lines of captures that the viewer may see. */
export async function* readSeenLines(
  store: Pick<GarnerStore, 'captures' | 'blobs'>,
  source: string,
  snapshot: Pick<WebSnapshot, 'manifest'>,
  viewer: Viewer,
): AsyncGenerator<SnapshotLine> {
  const seesAll = await seesAllCaptures(store, source, viewer);
  for await (const line of readManifest(store, snapshot))
    if (seesAll || (await findCapture(store, source, line, viewer))) yield line;
}

/** Undefined for a capture of which only the index is here. */
export function snapshotLine(capture: StoredCapture): SnapshotLine | undefined {
  const { url, at, type, status, mediaType, digest, recordId, file, offset, inner, length } = capture;
  if (file === undefined || offset === undefined) return undefined;
  return {
    url,
    at,
    type,
    ...(status !== undefined && { status }),
    ...(mediaType !== undefined && { mediaType }),
    ...(digest !== undefined && { digest }),
    ...(recordId !== undefined && { recordId }),
    file,
    offset,
    ...(inner !== undefined && { inner }),
    ...(length !== undefined && { length }),
  };
}
