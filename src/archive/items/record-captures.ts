/**
 * The one way of captures into the store: lines of the capture index, and items with versions that can be
 * searched. May be called again with the same captures, as after a crash: nothing comes in twice.
 */
import { OPERATOR } from '../../core/access.ts';
import { asGarnerError } from '../../core/errors.ts';
import type { FieldSpec, RecordProblem } from '../../core/model.ts';
import { createJsonExtractor } from '../../formats/extract-json.ts';
import { searchedTexts } from '../../formats/json-texts.ts';
import { type WebCapture, webCapture } from '../../formats/web-capture.ts';
import { makeIndexDocument } from '../../query/index-document.ts';
import type {
  AddedCaptures,
  CaptureEntry,
  ChangeCounts,
  CommitBatch,
  GarnerStore,
  IncomingRecord,
} from '../../store/index.ts';
import { type ContentReading, type PdfReader, readContent, setOfType } from '../content/index.ts';
import { CONTENT_LIMITS } from '../content/limits.ts';
import type { ArchiveRecord } from '../read/archive-record.ts';
import { readRecordAt } from '../read/read-record-at.ts';
import { archivePath } from './archive-folder.ts';
import { describeCapture, identifierOf } from './describe-capture.ts';

export interface RecordingDeps {
  readonly store: Pick<GarnerStore, 'items' | 'captures'>;
  /** The fields of the installation. */
  readonly fields: readonly FieldSpec[];
  /** Of the source's archive files. */
  readonly folder: string;
  /** Absent: the text of PDF files is not searched. */
  readonly pdf?: PdfReader;
}

export interface RecordingRun {
  readonly source: string;
  /** It must hold the lease of the source. */
  readonly runId: number;
  /** Software and operator. */
  readonly capturedBy?: string;
}

export interface CaptureBatch extends Pick<CommitBatch, 'checkpoint' | 'problems' | 'readEntries'> {
  /** Their records are synced to the disk. */
  readonly captures: readonly CaptureEntry[];
  /** Content that is at hand, or known not to be readable; that of others is read from the archive files. */
  readonly readings?: ReadonlyMap<CaptureEntry, ContentReading | undefined>;
}

export interface RecordedCaptures extends AddedCaptures {
  readonly counts: ChangeCounts;
  readonly problems: readonly RecordProblem[];
}

const extractFields = createJsonExtractor(webCapture);
/** What the store takes as an identifier. */
const MAX_IDENTIFIER_LENGTH = 2000;
const ITEM_URL = /^(?:https?|ftp|gopher|file|urn):/i;

export async function recordCaptures(
  deps: RecordingDeps,
  run: RecordingRun,
  batch: CaptureBatch,
): Promise<RecordedCaptures> {
  const { store } = deps;
  const problems: RecordProblem[] = [...(batch.problems ?? [])];
  const counts: ChangeCounts = { added: 0, updated: 0, unchanged: 0, deleted: 0, invalid: 0 };
  // First the index: a capture that a crash leaves without its item is given again, and then is known.
  const added = await store.captures.add(run.source, batch.captures.map(withItem));
  const cataloguedItems = new Set<string>();
  const rounds = await inRounds(deps, run, batch.captures, cataloguedItems);
  const last = rounds.length - 1;
  const { source, runId } = run;
  for (const [number, round] of (rounds.length > 0 ? rounds : [[]]).entries()) {
    const records: IncomingRecord[] = [];
    for (const capture of round) {
      const reading = batch.readings?.has(capture)
        ? batch.readings.get(capture)
        : await readFromFile(deps, capture, problems);
      const catalogued = await readCatalogued(store, source, identifierOf(capture.url), cataloguedItems);
      records.push(makeRecord(deps.fields, capture, reading, run.capturedBy, problems, catalogued));
    }
    const isLast = number >= last;
    const result = await store.items.commit({
      source,
      runId,
      records,
      ...(isLast && { problems }),
      ...(isLast && batch.readEntries && { readEntries: batch.readEntries }),
      ...(isLast && batch.checkpoint !== undefined && { checkpoint: batch.checkpoint }),
    });
    for (const name of ['added', 'updated', 'unchanged', 'deleted', 'invalid'] as const)
      counts[name] += result[name];
  }
  return { ...added, counts, problems };
}

/** The item that a capture is a visit of must be named where its identifier is not the URL. */
function withItem(capture: CaptureEntry): CaptureEntry {
  const identifier = identifierOf(capture.url);
  return identifier === capture.url ? capture : { ...capture, item: identifier };
}

/** Successful answers and resources become items; redirects, errors and revisits are captures only. */
export function isVersion({ url, type, status }: Pick<CaptureEntry, 'url' | 'type' | 'status'>): boolean {
  return (
    type !== 'revisit' &&
    ITEM_URL.test(url) &&
    url.length <= MAX_IDENTIFIER_LENGTH &&
    (status === undefined || (status >= 200 && status < 300))
  );
}

type Catalogued = Pick<WebCapture, 'catalogued' | 'cataloguedBy'>;
type CataloguedItems = Pick<GarnerStore['items'], 'findItem' | 'findContent'>;

interface Newest {
  readonly second: number;
  readonly digest: string;
}

/**
 * The captures that are new versions: later than what the item is now, with other content. One commit takes
 * one version of an item, so several make several rounds, oldest first.
 */
async function inRounds(
  { store }: RecordingDeps,
  { source }: RecordingRun,
  captures: readonly CaptureEntry[],
  cataloguedItems: Set<string>,
): Promise<CaptureEntry[][]> {
  const byItem = Map.groupBy(captures.filter(isVersion), ({ url }) => identifierOf(url));
  const known = await Promise.all(
    Array.from(byItem.keys(), (identifier) => findNewest(store, source, identifier, cataloguedItems)),
  );
  const rounds: CaptureEntry[][] = [];
  for (const [index, visits] of [...byItem.values()].entries()) {
    let newest = known[index];
    let round = 0;
    for (const visit of visits.toSorted((a, b) => a.at - b.at)) {
      const second = Math.floor(visit.at / 1000);
      const digest = visit.digest ?? '';
      if (newest && (second <= newest.second || digest === newest.digest)) continue;
      newest = { second, digest };
      const others = rounds[round];
      if (others) others.push(visit);
      else rounds.push([visit]);
      round++;
    }
  }
  return rounds;
}

async function findNewest(
  { items }: RecordingDeps['store'],
  source: string,
  identifier: string,
  cataloguedItems: Set<string>,
): Promise<Newest | undefined> {
  const item = await items.findItem({ source, identifier }, OPERATOR);
  if (item?.status !== 'live' || item.schema !== webCapture.name) return undefined;
  if (item.fields.cataloguedBy) cataloguedItems.add(identifier);
  const [captured] = item.fields.captured ?? [];
  const [digest] = item.fields.digest ?? [];
  const at = typeof captured === 'string' ? Date.parse(captured) : Number.NaN;
  if (Number.isNaN(at)) return undefined;
  return { second: Math.floor(at / 1000), digest: typeof digest === 'string' ? digest : '' };
}

/** What a curator said of the page stays, whatever the page becomes. */
async function readCatalogued(
  { items }: { readonly items: CataloguedItems },
  source: string,
  identifier: string,
  cataloguedItems: ReadonlySet<string>,
): Promise<Catalogued> {
  if (!cataloguedItems.has(identifier)) return {};
  const content = await items.findContent({ source, identifier }, { format: webCapture.name }, OPERATOR);
  if (!content) return {};
  const { catalogued, cataloguedBy } = JSON.parse(Buffer.from(content.bytes).toString()) as WebCapture;
  return { ...(catalogued && { catalogued }), ...(cataloguedBy !== undefined && { cataloguedBy }) };
}

/** The record of a capture that lies in the archive files, for those who commit it themselves. */
export async function makeCaptureRecord(
  deps: Omit<RecordingDeps, 'store'>,
  capture: CaptureEntry,
  capturedBy: string | undefined,
  problems: RecordProblem[],
  known: { readonly items: CataloguedItems; readonly source: string },
): Promise<IncomingRecord> {
  const reading = await readFromFile(deps, capture, problems);
  const identifier = identifierOf(capture.url);
  const item = await known.items.findItem({ source: known.source, identifier }, OPERATOR);
  const cataloguedItems = new Set(item?.fields.cataloguedBy ? [identifier] : []);
  const catalogued = await readCatalogued(known, known.source, identifier, cataloguedItems);
  return makeRecord(deps.fields, capture, reading, capturedBy, problems, catalogued);
}

function makeRecord(
  specs: readonly FieldSpec[],
  capture: CaptureEntry,
  reading: ContentReading | undefined,
  capturedBy: string | undefined,
  problems: RecordProblem[],
  catalogued: Catalogued = {},
): IncomingRecord {
  for (const problem of reading?.problems ?? [])
    problems.push({ ...problem, where: placeOf(capture), identifier: identifierOf(capture.url) });
  const described = describeCapture(capture, reading, capturedBy);
  return captureRecord({ ...described, ...catalogued }, specs, { where: placeOf(capture) });
}

/** As the store takes it in. */
export function captureRecord(
  record: WebCapture,
  specs: readonly FieldSpec[],
  origin: NonNullable<IncomingRecord['origin']>,
): IncomingRecord {
  const { fields } = extractFields(record);
  const sets = setsOfCapture(record);
  return {
    identifier: record.url,
    format: webCapture.name,
    raw: Buffer.from(JSON.stringify(record)),
    document: makeIndexDocument(fields, specs, searchedTexts(webCapture, record)),
    ...(sets && { sets }),
    origin,
  };
}

/** Undefined when nobody said what it is. */
export function setsOfCapture({ described, added }: WebCapture): readonly string[] | undefined {
  const mediaType = described.mediaType ?? added.contentType;
  return mediaType === undefined ? undefined : [setOfType(mediaType)];
}

export const placeOf = ({ file, offset, url }: CaptureEntry): string =>
  file === undefined ? url : `${file}@${offset ?? 0}`;

async function readFromFile(
  deps: Omit<RecordingDeps, 'store'>,
  capture: CaptureEntry,
  problems: RecordProblem[],
): Promise<ContentReading | undefined> {
  const { file, offset, inner } = capture;
  if (file === undefined || offset === undefined) return undefined;
  try {
    const path = archivePath(deps.folder, file);
    const record = await readRecordAt(path, offset, inner === undefined ? {} : { inner });
    return await readRecordContent(record, deps.pdf);
  } catch (thrown) {
    const { code, message } = asGarnerError(thrown);
    if (code === 'internal.bug') throw thrown;
    problems.push({ code, message, where: placeOf(capture), identifier: identifierOf(capture.url) });
    return undefined;
  }
}

/** What a record's content says; of one that is too large to be held, its beginning. Closes the record. */
export async function readRecordContent(record: ArchiveRecord, pdf?: PdfReader): Promise<ContentReading> {
  try {
    const bytes = record.whole ? (await record.content()).bytes : await beginningOf(record);
    const own = record.header('Content-Type');
    const headers = record.http?.headers ?? (own === undefined ? [] : [['Content-Type', own] as const]);
    return await readContent({ url: record.targetUri ?? '', bytes, headers }, pdf ? { pdf } : {});
  } finally {
    await record.close();
  }
}

async function beginningOf(record: ArchiveRecord): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of record.contentStream()) {
    parts.push(part);
    size += part.length;
    if (size > CONTENT_LIMITS.bytes) break;
  }
  return Buffer.concat(parts, size);
}
