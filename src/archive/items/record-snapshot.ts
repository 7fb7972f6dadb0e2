/** A crawl or import as one item: the manifest of its captures, with the series that it belongs to. */
import { OPERATOR } from '../../core/access.ts';
import { OWN_SET_ROOTS, SET_SPEC_PATTERN } from '../../core/identifiers.ts';
import type { FieldSpec } from '../../core/model.ts';
import type { VersionEvent } from '../../core/version-event.ts';
import { createJsonExtractor } from '../../formats/extract-json.ts';
import { searchedTexts } from '../../formats/json-texts.ts';
import { webCapture } from '../../formats/web-capture.ts';
import { type SnapshotComparison, type WebSnapshot, webSnapshot } from '../../formats/web-snapshot.ts';
import { makeIndexDocument } from '../../query/index-document.ts';
import {
  type CommitResult,
  eachRecord,
  type GarnerStore,
  type IncomingRecord,
  type StoredCapture,
} from '../../store/index.ts';
import { findCopiedTags } from '../trust/copied-tags.ts';
import { compareSnapshots } from './compare-snapshots.ts';
import { identifierOf } from './describe-capture.ts';
import { doubtCopied } from './judge-captures.ts';
import { DescriptionMerger, type MergedDescription, type TrustRule } from './merge-descriptions.ts';
import { readManifest, snapshotLine } from './snapshot-lines.ts';

/** How a snapshot is held against the one before it. */
export interface SnapshotComparing {
  readonly dataFolder: string;
  /** Of words in common, from which on two texts are essentially the same. */
  readonly threshold: number;
  /** A snapshot that is essentially the one before becomes a version of that one. */
  readonly fold: boolean;
}

export interface SnapshotDeps {
  /** Without `search`, tags that were copied from other sites are not known. */
  readonly store: Pick<GarnerStore, 'items' | 'captures' | 'blobs'> & Partial<Pick<GarnerStore, 'search'>>;
  readonly fields: readonly FieldSpec[];
  /** Absent: snapshots are not compared. */
  readonly comparing?: SnapshotComparing;
  /** Which values of resources may speak for the whole; absent: all. */
  readonly isTrusted?: TrustRule;
}

export interface SnapshotFacts {
  readonly series: string;
  readonly title?: string;
  /** Archive files of the source; the snapshot lists the captures in them. */
  readonly files: readonly string[];
  /** OAI sets; absent: the series. */
  readonly sets?: readonly string[];
  /** The ranked list that it was crawled from; kept with it as JSON. */
  readonly candidates?: unknown;
}

interface RecordingRun {
  readonly source: string;
  readonly runId: number;
}

const PAGE = 5000;
const MAX_HOSTS = 1000;
/** Items that are asked for at once. */
const ITEMS_AT_ONCE = 100;
const extractFields = createJsonExtractor(webSnapshot);

/** Undefined when the files hold no capture. Given again, the same files make the same item. */
export async function recordSnapshot(
  deps: SnapshotDeps,
  run: RecordingRun,
  { series, title, files, sets, candidates }: SnapshotFacts,
): Promise<(CommitResult & { readonly identifier: string }) | undefined> {
  const { store } = deps;
  const { source } = run;
  const seen = new Summary();
  const manifest = await store.blobs.put(seen.writing(listCaptures(store, source, new Set(files))));
  if (seen.captures === 0) {
    await store.blobs.delete(manifest.digest);
    return undefined;
  }
  const identifier = await chooseIdentifier(store, source, { series, at: seen.firstAt, files });
  const before = deps.comparing && (await findBefore(store, source, series, identifier));
  const comparison =
    deps.comparing &&
    before &&
    (await compareSnapshots({ store, source, ...deps.comparing }, before, { manifest }));
  const described = await describeAll(deps, run, manifest);
  const facts: WebSnapshot = {
    webSnapshot: 1,
    identifier,
    series,
    title: title ?? `${series}, ${new Date(seen.firstAt).toISOString().slice(0, 16).replace('T', ' ')}`,
    type: 'Web snapshot',
    startedAt: new Date(seen.firstAt).toISOString(),
    endedAt: new Date(seen.lastAt).toISOString(),
    captures: seen.captures,
    urls: seen.urls,
    hosts: [...seen.hosts].slice(0, MAX_HOSTS),
    files: files.toSorted(),
    manifest: { digest: manifest.digest, size: manifest.size },
    ...(Object.keys(described).length > 0 && { described }),
    ...(comparison && { comparedWith: comparison }),
    ...(candidates !== undefined && { candidates: await putJson(store, candidates) }),
  };
  const isFolded =
    deps.comparing?.fold === true &&
    before !== undefined &&
    comparison !== undefined &&
    isEssentiallySame(comparison);
  const record = isFolded ? foldInto(before, facts) : facts;
  const event: VersionEvent = { type: isFolded ? 'recapture' : 'capture', driver: 'creator' };
  const inSets = sets ?? (isSetOfOwn(series) ? [series] : undefined);
  const result = await store.items.commit({
    ...run,
    records: [{ ...snapshotRecord(record, deps.fields, event), ...(inSets && { sets: inSets }) }],
  });
  return { ...result, identifier: record.identifier };
}

/** Some roots have a meaning already. */
const isSetOfOwn = (series: string): boolean =>
  SET_SPEC_PATTERN.test(series) && !OWN_SET_ROOTS.includes(series.split(':', 1)[0] ?? '');

/** As the store takes it in. */
export function snapshotRecord(
  record: WebSnapshot,
  specs: readonly FieldSpec[],
  event: VersionEvent,
): IncomingRecord {
  const { fields } = extractFields(record);
  return {
    identifier: record.identifier,
    format: webSnapshot.name,
    raw: Buffer.from(JSON.stringify(record)),
    document: makeIndexDocument(fields, specs, searchedTexts(webSnapshot, record)),
    origin: { event },
  };
}

/** The newest of the series that is older; moments in identifiers have one order with time. */
async function findBefore(
  { items }: Pick<GarnerStore, 'items'>,
  source: string,
  series: string,
  identifier: string,
): Promise<WebSnapshot | undefined> {
  let newest: string | undefined;
  for await (const { identifier: other, status } of eachRecord(
    items,
    { format: webSnapshot.name, source },
    OPERATOR,
  ))
    if (status === 'live' && other.startsWith(`${series}:`) && other < identifier && other > (newest ?? ''))
      newest = other;
  const content =
    newest === undefined ? undefined : await items.findContent({ source, identifier: newest }, {}, OPERATOR);
  return content && (JSON.parse(Buffer.from(content.bytes).toString()) as WebSnapshot);
}

const isEssentiallySame = ({ changed, added, gone }: SnapshotComparison): boolean =>
  changed + added + gone === 0;

/** What a curator said of the old one stays. */
function foldInto(before: WebSnapshot, facts: WebSnapshot): WebSnapshot {
  // Given again, as after a crash: it is in already.
  if (before.manifest.digest === facts.manifest.digest) return before;
  const { identifier, title, startedAt, catalogued, cataloguedBy } = before;
  const files = [...new Set([...before.files, ...facts.files])].toSorted();
  return {
    ...facts,
    identifier,
    title,
    startedAt,
    files,
    ...(catalogued && { catalogued }),
    ...(cataloguedBy !== undefined && { cataloguedBy }),
  };
}

async function describeAll(
  { store, fields, isTrusted }: SnapshotDeps,
  run: RecordingRun,
  manifest: WebSnapshot['manifest'],
): Promise<MergedDescription> {
  const { source } = run;
  const copied = new Set<string>();
  // What another site said before describes that one.
  const isOwn: TrustRule = (element, value, item) =>
    !((element === 'description' || element === 'subject') && copied.has(item.identifier)) &&
    (isTrusted?.(element, value, item) ?? true);
  const merger = new DescriptionMerger(isOwn);
  let last: string | undefined;
  let waiting: string[] = [];
  const flush = async (): Promise<void> => {
    const items = await Promise.all(
      waiting.map((identifier) => store.items.findItem({ source, identifier }, OPERATOR)),
    );
    waiting = [];
    for (const item of items) {
      if (item?.status !== 'live' || item.schema !== webCapture.name) continue;
      const found = store.search && (await findCopiedTags(store.search, item, OPERATOR));
      if (found) {
        copied.add(item.identifier);
        await doubtCopied({ store, fields }, run, item.identifier, found.reason);
      }
      merger.add(item);
    }
  };
  for await (const { url } of readManifest(store, { manifest })) {
    const identifier = identifierOf(url);
    if (identifier === last) continue;
    last = identifier;
    if (waiting.push(identifier) >= ITEMS_AT_ONCE) await flush();
  }
  await flush();
  return merger.merge();
}

async function putJson(
  { blobs }: Pick<GarnerStore, 'blobs'>,
  value: unknown,
): Promise<WebSnapshot['manifest']> {
  const { digest, size } = await blobs.put(
    (async function* () {
      yield Buffer.from(JSON.stringify(value));
    })(),
  );
  return { digest, size };
}

/**
 * `ISCCP:20261115T030000Z`. Of several that began in one second, each has its own, in the order in which they came:
 * `ISCCP:20261115T030000Z.02` is behind the first and before whatever begins later. One that has files of this
 * snapshot is this snapshot.
 */
async function chooseIdentifier(
  { items }: Pick<GarnerStore, 'items'>,
  source: string,
  { series, at, files }: { readonly series: string; readonly at: number; readonly files: readonly string[] },
): Promise<string> {
  const plain = `${series}:${new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')}`;
  for (let number = 1; ; number++) {
    const identifier = number === 1 ? plain : `${plain}.${String(number).padStart(2, '0')}`;
    const known = await items.findContent({ source, identifier }, { format: webSnapshot.name }, OPERATOR);
    if (!known || readSnapshotFiles(known.bytes).some((file) => files.includes(file))) return identifier;
  }
}

const readSnapshotFiles = (bytes: Uint8Array): readonly string[] =>
  (JSON.parse(Buffer.from(bytes).toString()) as WebSnapshot).files;

/** As open as the snapshot itself, which tells of all of them: hosts, how many, and what they say. */
async function* listCaptures(
  { captures }: Pick<GarnerStore, 'captures'>,
  source: string,
  files: ReadonlySet<string>,
): AsyncGenerator<StoredCapture> {
  for (let after: StoredCapture | undefined; ; ) {
    const page = await captures.list(
      {
        urlKey: '',
        match: 'prefix',
        sources: [source],
        asOpenAsSource: true,
        ...(after && { after }),
        limit: PAGE,
      },
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
      const line = snapshotLine(capture);
      if (line) yield Buffer.from(`${JSON.stringify(line)}\n`);
    }
  }
}
