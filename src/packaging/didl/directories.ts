/** What belongs into the directory of a page beside its own file: all that it is shown with, of the same snapshot. */
import { surtKey } from '../../archive/index.ts';
import { identifierOf } from '../../archive/items/index.ts';
import { OPERATOR, type Viewer } from '../../core/access.ts';
import type { GarnerStore, StoredCapture } from '../../store/index.ts';
import type { SiteModel } from '../site-model/site-model.ts';
import type { SiteModels } from '../site-model/site-models.ts';
import type { Snapshot } from '../snapshot/read-snapshot.ts';

export interface DirectoryDeps {
  readonly store: Pick<GarnerStore, 'captures'>;
  readonly models: Pick<SiteModels, 'openSnapshot'>;
}

export interface Directories extends Disposable {
  /** In the order in which the page names them; none for what is no page. */
  listRequisites(capture: StoredCapture): Promise<StoredCapture[]>;
}

/** Other types are never taken for pages, so the model is not asked: it may not be made yet. */
const MAY_BE_PAGE = /html|xml|^text\/plain$/i;

const MOST_KNOWN = 5000;

/** The model is that of all captures: made once. What the viewer may not see is left out, and what only that names. */
export function openDirectories(
  { store, models }: DirectoryDeps,
  snapshot: Snapshot,
  viewer: Viewer,
): Directories {
  const { source } = snapshot.item;
  let opened: SiteModel | undefined;

  /** Most pages are shown with the same few files. */
  const known = new Map<string, StoredCapture | undefined>();

  async function findSeen(url: string, at: number): Promise<StoredCapture | undefined> {
    const key = `${at} ${url}`;
    if (known.has(key)) return known.get(key);
    const found = await store.captures.list(
      { urlKey: surtKey(url), sources: [source], fromAt: at, untilAt: at, limit: 100 },
      viewer,
    );
    if (known.size >= MOST_KNOWN) known.clear();
    const seen = found.find((one) => identifierOf(one.url) === url);
    known.set(key, seen);
    return seen;
  }

  return {
    async listRequisites(capture) {
      if (!MAY_BE_PAGE.test(capture.mediaType ?? 'text/html')) return [];
      opened ??= await models.openSnapshot(snapshot, OPERATOR);
      const page = opened.findFile(identifierOf(capture.url));
      if (page?.kind !== 'page' || page.capturedAt !== capture.at) return [];
      const seen = new Map<string, StoredCapture>();
      for (const { url, capturedAt, via } of opened.requisitesOf(page)) {
        if (via !== undefined && !seen.has(via)) continue;
        const found = await findSeen(url, capturedAt);
        if (found) seen.set(url, found);
      }
      return [...seen.values()];
    },
    [Symbol.dispose]() {
      opened?.[Symbol.dispose]();
    },
  };
}
