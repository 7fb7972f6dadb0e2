/** The model of one archived page that is an item by itself: the page, and what it is shown with. */
import type { DatabaseSync } from 'node:sqlite';
import { isRequisite } from '../../archive/content/index.ts';
import { surtKey } from '../../archive/index.ts';
import { identifierOf } from '../../archive/items/index.ts';
import type { Viewer } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { ItemRef } from '../../core/model.ts';
import type { WebCapture } from '../../formats/web-capture.ts';
import type { GarnerStore, StoredCapture } from '../../store/index.ts';
import { buildModel, IN_MEMORY } from '../site-model/build-model.ts';
import { readFile } from '../site-model/read-file.ts';
import { SiteModel } from '../site-model/site-model.ts';

/** A style sheet may import another one. */
const MAX_DEPTH = 3;
const MAX_FILES = 2000;
const MAX_LINKS = 2000;
const NEAR = 50;

export async function openCaptureModel(
  deps: { readonly store: Pick<GarnerStore, 'captures'>; readonly dataFolder: string },
  item: ItemRef,
  record: WebCapture,
  viewer: Viewer,
  requisites: 'all' | 'none' = 'all',
): Promise<SiteModel> {
  const { store, dataFolder } = deps;
  const access = { captures: store.captures, dataFolder };
  const { source } = item;
  const page = await findOwn(store, source, record, viewer);
  const chosen = new Map<string, StoredCapture>([[identifierOf(page.url), page]]);
  const followed = new Set<string>();
  let waiting = requisites === 'none' ? [] : [page];
  for (let depth = 0; depth < MAX_DEPTH && waiting.length > 0; depth++) {
    const found: StoredCapture[] = [];
    for (const capture of waiting) {
      const { links } = await readFile(access, capture, viewer);
      for (const link of links) {
        if (depth === 0 && link.kind === 'page') followed.add(link.url);
        if (!isRequisite(link) || chosen.has(link.url) || chosen.size >= MAX_FILES) continue;
        const other = await store.captures.findClosest(surtKey(link.url), page.at, viewer, {
          sources: [source],
        });
        if (!other) continue;
        chosen.set(identifierOf(other.url), other);
        found.push(other);
      }
    }
    waiting = found;
  }
  const captures = [...chosen.values()].sort((a, b) => (a.urlKey < b.urlKey ? -1 : 1));
  const title = record.described.title ?? record.url;
  const db = await buildModel(access, { source, title }, iterate(captures), IN_MEMORY, viewer);
  await markLinks(db, store, source, [...followed].slice(0, MAX_LINKS), viewer);
  return new SiteModel(db);
}

/** The capture that the item's record tells of. */
async function findOwn(
  { captures }: Pick<GarnerStore, 'captures'>,
  source: string,
  { url, added }: WebCapture,
  viewer: Viewer,
): Promise<StoredCapture> {
  const at = Date.parse(added.capturedAt);
  const near = await captures.list(
    { urlKey: surtKey(url), sources: [source], fromAt: at, untilAt: at, limit: NEAR },
    viewer,
  );
  const own =
    near.find(({ file, offset }) => file === added.file && offset === added.offset) ??
    near.find((capture) => identifierOf(capture.url) === url);
  if (!own) throw new GarnerError('archive.record', `the capture of ${url} is not in the index any more`);
  return own;
}

/** Pages of the same source that the page links to are inside of the site, though not of this model. */
async function markLinks(
  db: DatabaseSync,
  { captures }: Pick<GarnerStore, 'captures'>,
  source: string,
  urls: readonly string[],
  viewer: Viewer,
): Promise<void> {
  const mark = db.prepare(
    "UPDATE reference SET scope = 'internal' WHERE url = ? AND requisite = 0 AND file_key IS NULL",
  );
  for (const url of urls) {
    const found = await captures.list({ urlKey: surtKey(url), sources: [source], limit: 1 }, viewer);
    if (found.length > 0) mark.run(url);
  }
}

async function* iterate<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}
