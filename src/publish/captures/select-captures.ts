/** Which captures an export takes: all visits of the items that a query finds, within a time. */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { surtKey } from '../../archive/index.ts';
import { identifierOf } from '../../archive/items/index.ts';
import type { Viewer } from '../../core/access.ts';
import type { Instant, ItemRef } from '../../core/model.ts';
import { webCapture } from '../../formats/web-capture.ts';
import type { SnapshotLine, WebSnapshot } from '../../formats/web-snapshot.ts';
import type { QueryNode } from '../../query/ast.ts';
import type { GarnerStore, Hit, StoredCapture } from '../../store/index.ts';

export interface CaptureChoice {
  readonly query: QueryNode;
  readonly sources?: readonly string[];
  readonly fromAt?: Instant;
  readonly untilAt?: Instant;
}

export interface ChosenPage {
  readonly source: string;
  readonly url: string;
  readonly title: string | undefined;
  readonly mediaType: string | undefined;
  /** Oldest first; at least one. */
  readonly captures: readonly StoredCapture[];
}

const PAGE = 200;
const VISITS = 1000;

export async function* selectPages(
  store: Pick<GarnerStore, 'search' | 'captures'>,
  { query, sources, fromAt, untilAt }: CaptureChoice,
  viewer: Viewer,
): AsyncGenerator<ChosenPage> {
  const time = { ...(fromAt !== undefined && { fromAt }), ...(untilAt !== undefined && { untilAt }) };
  for (let after: string | undefined; ; ) {
    const { hits, next } = await store.search.search(
      {
        query,
        ...(sources && { sources }),
        // An order that does not change while pages are read.
        sort: { by: 'updated', direction: 'asc' },
        limit: PAGE,
        ...(after !== undefined && { after }),
      },
      viewer,
    );
    for (const hit of hits) {
      if (hit.schema !== webCapture.name) continue;
      const captures = await listVisits(store, hit, time, viewer);
      if (captures.length > 0) yield pageOf(hit, captures);
    }
    if (next === undefined) return;
    after = next;
  }
}

async function listVisits(
  { captures }: Pick<GarnerStore, 'captures'>,
  { source, identifier }: ItemRef,
  time: Pick<CaptureChoice, 'fromAt' | 'untilAt'>,
  viewer: Viewer,
): Promise<StoredCapture[]> {
  const visits: StoredCapture[] = [];
  for (let after: StoredCapture | undefined; ; ) {
    const page = await captures.list(
      { urlKey: surtKey(identifier), sources: [source], ...time, ...(after && { after }), limit: VISITS },
      viewer,
    );
    // Several URLs have one key; and of some captures only the index is here.
    visits.push(...page.filter(({ url, file }) => identifierOf(url) === identifier && file !== undefined));
    after = page.at(-1);
    if (page.length < VISITS) return visits;
  }
}

const pageOf = ({ source, identifier, title, fields }: Hit, captures: StoredCapture[]): ChosenPage => {
  const [mediaType] = fields.mediaType ?? [];
  return {
    source,
    url: identifier,
    title,
    mediaType: typeof mediaType === 'string' ? mediaType : undefined,
    captures,
  };
};

/** All visits of the given items. */
export async function* selectItems(
  store: Pick<GarnerStore, 'captures'>,
  items: AsyncIterable<ItemRef>,
  viewer: Viewer,
): AsyncGenerator<ChosenPage> {
  for await (const { source, identifier } of items) {
    const captures = await listVisits(store, { source, identifier }, {}, viewer);
    if (captures.length === 0) continue;
    yield { source, url: identifier, title: undefined, mediaType: captures.at(-1)?.mediaType, captures };
  }
}

/** All pages of a snapshot, with the captures that it lists. */
export async function* selectSnapshot(
  store: Pick<GarnerStore, 'items' | 'captures' | 'blobs'>,
  snapshot: ItemRef,
  viewer: Viewer,
  /** Absent: the newest. */
  version?: number,
): AsyncGenerator<ChosenPage> {
  const content = await store.items.findContent(snapshot, version === undefined ? {} : { version }, viewer);
  if (!content) return;
  const { manifest }: WebSnapshot = JSON.parse(Buffer.from(content.bytes).toString('utf8'));
  const listed = new Map<string, Set<string>>();
  const input = Readable.from(store.blobs.read(manifest.digest), { objectMode: false });
  for await (const line of createInterface({ input })) {
    const { url, file, offset, inner }: SnapshotLine = JSON.parse(line);
    const identifier = identifierOf(url);
    const places = listed.get(identifier) ?? new Set();
    listed.set(identifier, places.add(placeText({ file, offset, inner })));
  }
  for (const [identifier, places] of listed) {
    const visits = await listVisits(store, { source: snapshot.source, identifier }, {}, viewer);
    const captures = visits.filter((capture) => places.has(placeText(capture)));
    if (captures.length === 0) continue;
    const item = await store.items.findItem({ source: snapshot.source, identifier }, viewer);
    const mediaType = captures.at(-1)?.mediaType;
    yield { source: snapshot.source, url: identifier, title: item?.title, mediaType, captures };
  }
}

const placeText = (place: {
  readonly file?: string | undefined;
  readonly offset?: number | undefined;
  readonly inner?: number | undefined;
}): string => `${place.file} ${place.offset} ${place.inner ?? 0}`;
