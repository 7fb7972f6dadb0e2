/** The captures that a model is made of: those that a snapshot lists, or all of a source. */
import { surtKey } from '../../archive/index.ts';
import { findCapture, readManifest } from '../../archive/items/index.ts';
import type { Viewer } from '../../core/access.ts';
import type { SnapshotLine, WebSnapshot } from '../../formats/web-snapshot.ts';
import type { GarnerStore, StoredCapture } from '../../store/index.ts';

const PAGE = 2000;

/** In the order of URL keys and times. */
export async function* listSourceCaptures(
  { captures }: Pick<GarnerStore, 'captures'>,
  source: string,
  viewer: Viewer,
): AsyncGenerator<StoredCapture> {
  for (let after: StoredCapture | undefined; ; ) {
    const page = await captures.list(
      { urlKey: '', match: 'prefix', sources: [source], ...(after && { after }), limit: PAGE },
      viewer,
    );
    yield* page;
    after = page.at(-1);
    if (page.length < PAGE) return;
  }
}

/**
 * The manifest was written from the index, and so has its order: both are walked together, and neither is
 * held in memory. A line that stands elsewhere is looked up; what has left the index since is left out.
 */
export async function* listSnapshotCaptures(
  store: Pick<GarnerStore, 'captures' | 'blobs'>,
  source: string,
  snapshot: Pick<WebSnapshot, 'manifest'>,
  viewer: Viewer,
): AsyncGenerator<StoredCapture> {
  const indexed = listSourceCaptures(store, source, viewer);
  let next = await indexed.next();
  try {
    for await (const line of readManifest(store, snapshot)) {
      const urlKey = surtKey(line.url);
      while (next.done !== true && isBefore(next.value, urlKey, line.at)) next = await indexed.next();
      let found: StoredCapture | undefined;
      while (!found && next.done !== true && next.value.urlKey === urlKey && next.value.at === line.at) {
        if (isAt(next.value, line)) found = next.value;
        next = await indexed.next();
      }
      found ??= await findCapture(store, source, line, viewer);
      if (found) yield found;
    }
  } finally {
    await indexed.return(undefined);
  }
}

const isAt = (capture: StoredCapture, { file, offset, inner = 0 }: SnapshotLine): boolean =>
  capture.file === file && capture.offset === offset && (capture.inner ?? 0) === inner;

const isBefore = (capture: StoredCapture, urlKey: string, at: number): boolean =>
  capture.urlKey === urlKey ? capture.at < at : capture.urlKey < urlKey;
