/** What lies in the directories of the archive origin. */
import { surtKey } from '../../archive/index.ts';
import type { Viewer } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { CaptureIndex, CaptureQuery, StoredCapture } from '../../store/index.ts';
import type { ArchiveAddress } from '../archive-address.ts';

const LISTED_URLS = 500;
const LISTED_TIMES = 1000;

export interface ArchivedUrls {
  /** One of each URL. */
  readonly captures: readonly StoredCapture[];
  /** Where the list goes on. */
  readonly next?: StoredCapture;
}

export async function listArchivedUrls(
  index: Pick<CaptureIndex, 'list'>,
  source: string,
  after: CaptureQuery['after'],
  viewer: Viewer,
): Promise<ArchivedUrls> {
  const captures = await index.list(
    {
      urlKey: '',
      match: 'prefix',
      sources: [source],
      collapse: 'url',
      limit: LISTED_URLS,
      ...(after && { after }),
    },
    viewer,
  );
  if (captures.length === 0) throw new GarnerError('item.unknown', `nothing is archived as ${source}`);
  const last = captures.at(-1);
  return { captures, ...(captures.length === LISTED_URLS && last && { next: last }) };
}

/** Newest first. */
export async function listTimes(
  index: Pick<CaptureIndex, 'list'>,
  source: string,
  url: string,
  viewer: Viewer,
): Promise<readonly StoredCapture[]> {
  const query = { urlKey: surtKey(url), sources: [source], reverse: true, limit: LISTED_TIMES };
  const captures = await index.list(query, viewer);
  if (captures.length === 0) throw new GarnerError('item.unknown', `there is no capture of ${url}`);
  return captures;
}

/** In that second, of exactly this URL if there is one; else the nearest. */
export async function getCaptureAt(
  index: Pick<CaptureIndex, 'list' | 'findClosest'>,
  { source, url = '', at = 0 }: ArchiveAddress,
  viewer: Viewer,
): Promise<StoredCapture> {
  const sources = [source];
  const urlKey = surtKey(url);
  const sameSecond = await index.list({ urlKey, sources, fromAt: at, untilAt: at + 999, limit: 100 }, viewer);
  const exact = sameSecond.find((capture) => capture.url === url) ?? sameSecond[0];
  const capture = exact ?? (await index.findClosest(urlKey, at, viewer, { sources }));
  if (!capture) throw new GarnerError('item.unknown', `there is no capture of ${url}`);
  return capture;
}
