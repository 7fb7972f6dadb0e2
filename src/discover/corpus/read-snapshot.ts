/** The documents of a snapshot, read again from the archive: pages, papers and plain texts. */
import { type ContentReading, type PdfReader, textForIndex } from '../../archive/content/index.ts';
import {
  chooseLine,
  findCapture,
  identifierOf,
  openCapture,
  readManifest,
  readRecordContent,
} from '../../archive/items/index.ts';
import { OPERATOR } from '../../core/access.ts';
import { asGarnerError, GarnerError } from '../../core/errors.ts';
import { type SnapshotLine, type WebSnapshot, webSnapshot } from '../../formats/web-snapshot.ts';
import type { GarnerStore } from '../../store/index.ts';

export interface SnapshotReader {
  readonly store: Pick<GarnerStore, 'items' | 'captures' | 'blobs'>;
  readonly dataFolder: string;
  readonly pdf: PdfReader;
}

export type ReadDocument = { readonly url: string; readonly line: SnapshotLine } & (
  | { readonly reading: ContentReading; readonly text: string }
  | { readonly reason: string }
);

/** What a server calls it; many say nothing or something vague. */
const MAY_HAVE_TEXT =
  /^(?:text\/(?:html|plain|markdown)|application\/(?:xhtml\+xml|pdf|x-pdf|octet-stream)|unk|)$/;

export async function getSnapshot(
  { items }: Pick<GarnerStore, 'items'>,
  source: string,
  identifier: string,
): Promise<WebSnapshot> {
  const content = await items.findContent({ source, identifier }, { format: webSnapshot.name }, OPERATOR);
  if (!content) throw new GarnerError('item.unknown', `there is no snapshot ${identifier} in ${source}`);
  return JSON.parse(Buffer.from(content.bytes).toString('utf8')) as WebSnapshot;
}

/** Each URL once, by its best visit; those without any text are left out. */
export async function* readDocuments(
  { store, dataFolder, pdf }: SnapshotReader,
  source: string,
  snapshot: WebSnapshot,
  signal?: AbortSignal,
): AsyncGenerator<ReadDocument> {
  for (const [url, line] of await listPages(store, snapshot)) {
    signal?.throwIfAborted();
    try {
      const capture = await findCapture(store, source, line, OPERATOR);
      if (!capture) throw new GarnerError('archive.record', 'the index does not have it any more');
      const { record } = await openCapture({ captures: store.captures, dataFolder }, capture, OPERATOR);
      const reading = await readRecordContent(record, pdf);
      const parts = textForIndex(reading)?.parts ?? [];
      if (parts.length > 0) yield { url, line, reading, text: reading.text };
      else if (reading.problems[0]) yield { url, line, reason: reading.problems[0].message };
    } catch (thrown) {
      const { code, message } = asGarnerError(thrown);
      if (code === 'internal.bug') throw thrown;
      yield { url, line, reason: message };
    }
  }
}

async function listPages(
  store: SnapshotReader['store'],
  snapshot: WebSnapshot,
): Promise<Map<string, SnapshotLine>> {
  const visits = new Map<string, SnapshotLine[]>();
  for await (const line of readManifest(store, snapshot)) {
    if (!isPage(line)) continue;
    const url = identifierOf(line.url);
    const known = visits.get(url);
    if (known) known.push(line);
    else visits.set(url, [line]);
  }
  const pages = new Map<string, SnapshotLine>();
  for (const [url, lines] of visits) {
    const line = chooseLine(lines);
    if (line) pages.set(url, line);
  }
  return pages;
}

/** An unchanged page may be answered with 304. */
const isPage = ({ url, type, status = 200, mediaType = '' }: SnapshotLine): boolean =>
  (type === 'response' || type === 'revisit' || type === 'resource') &&
  ((status >= 200 && status < 300) || (type === 'revisit' && status === 304)) &&
  (MAY_HAVE_TEXT.test(mediaType) || type === 'revisit') &&
  URL.parse(url)?.pathname !== '/robots.txt';
