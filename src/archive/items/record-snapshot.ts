/** A crawl or import as one item: the manifest of its captures, with the series that it belongs to. */
import { OPERATOR } from '../../core/access.ts';
import type { FieldSpec } from '../../core/model.ts';
import { createJsonExtractor } from '../../formats/extract-json.ts';
import { searchedTexts } from '../../formats/json-texts.ts';
import { type SnapshotLine, type WebSnapshot, webSnapshot } from '../../formats/web-snapshot.ts';
import { makeIndexDocument } from '../../query/index-document.ts';
import type { CommitResult, GarnerStore, StoredCapture } from '../../store/index.ts';

export interface SnapshotDeps {
  readonly store: Pick<GarnerStore, 'items' | 'captures' | 'blobs'>;
  readonly fields: readonly FieldSpec[];
}

export interface SnapshotFacts {
  readonly series: string;
  readonly title?: string;
  /** Archive files of the source; the snapshot lists the captures in them. */
  readonly files: readonly string[];
  /** OAI sets. */
  readonly sets?: readonly string[];
}

const PAGE = 5000;
const MAX_HOSTS = 1000;
const extractFields = createJsonExtractor(webSnapshot);

/** Undefined when the files hold no capture. Given again, the same files make the same item. */
export async function recordSnapshot(
  { store, fields: specs }: SnapshotDeps,
  { source, runId }: { readonly source: string; readonly runId: number },
  { series, title, files, sets }: SnapshotFacts,
): Promise<(CommitResult & { readonly identifier: string }) | undefined> {
  const seen = new Summary();
  const manifest = await store.blobs.put(seen.writing(listCaptures(store, source, new Set(files))));
  if (seen.captures === 0) {
    await store.blobs.delete(manifest.digest);
    return undefined;
  }
  const identifier = snapshotIdentifier(series, seen.firstAt);
  const record: WebSnapshot = {
    webSnapshot: 1,
    identifier,
    series,
    title: title ?? `${series}, ${new Date(seen.firstAt).toISOString().slice(0, 10)}`,
    type: 'Web snapshot',
    startedAt: new Date(seen.firstAt).toISOString(),
    endedAt: new Date(seen.lastAt).toISOString(),
    captures: seen.captures,
    urls: seen.urls,
    hosts: [...seen.hosts].slice(0, MAX_HOSTS),
    files: files.toSorted(),
    manifest: { digest: manifest.digest, size: manifest.size },
  };
  const { fields } = extractFields(record);
  const result = await store.items.commit({
    source,
    runId,
    records: [
      {
        identifier,
        format: webSnapshot.name,
        raw: Buffer.from(JSON.stringify(record)),
        document: makeIndexDocument(fields, specs, searchedTexts(webSnapshot, record)),
        ...(sets && { sets }),
      },
    ],
  });
  return { ...result, identifier };
}

/** `ISCCP:20261115T030000Z`. */
const snapshotIdentifier = (series: string, at: number): string =>
  `${series}:${new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')}`;

async function* listCaptures(
  { captures }: Pick<GarnerStore, 'captures'>,
  source: string,
  files: ReadonlySet<string>,
): AsyncGenerator<StoredCapture> {
  for (let after: StoredCapture | undefined; ; ) {
    const page = await captures.list(
      { urlKey: '', match: 'prefix', sources: [source], ...(after && { after }), limit: PAGE },
      OPERATOR,
    );
    for (const capture of page) if (capture.file !== undefined && files.has(capture.file)) yield capture;
    after = page.at(-1);
    if (page.length < PAGE) return;
  }
}

/** What passes by on its way into the manifest. */
class Summary {
  captures = 0;
  urls = 0;
  firstAt = Number.POSITIVE_INFINITY;
  lastAt = Number.NEGATIVE_INFINITY;
  readonly hosts = new Set<string>();
  #lastKey: string | undefined;

  async *writing(captures: AsyncIterable<StoredCapture>): AsyncGenerator<Uint8Array> {
    for await (const capture of captures) {
      this.captures++;
      if (capture.urlKey !== this.#lastKey) this.urls++;
      this.#lastKey = capture.urlKey;
      this.firstAt = Math.min(this.firstAt, capture.at);
      this.lastAt = Math.max(this.lastAt, capture.at);
      const host = URL.parse(capture.url)?.hostname;
      if (host) this.hosts.add(host);
      const line = lineOf(capture);
      if (line) yield Buffer.from(`${JSON.stringify(line)}\n`);
    }
  }
}

function lineOf(capture: StoredCapture): SnapshotLine | undefined {
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
