/**
 * A snapshot as one DIDL container: an item for each URL, in it an item with its metadata and one with its
 * content, by value and by reference. Made while it is written: of all its files one chunk is in memory.
 */
import { hash } from 'node:crypto';
import { keepFilesOpen } from '../../archive/index.ts';
import type { Viewer } from '../../core/access.ts';
import { asGarnerError } from '../../core/errors.ts';
import { itemPath } from '../../core/identifiers.ts';
import type { ItemRef } from '../../core/model.ts';
import { DII, OAI_DIDL } from '../../formats/didl/didl.ts';
import { toDublinCore } from '../../formats/dublin-core.ts';
import { createJsonExtractor, parseJson } from '../../formats/extract-json.ts';
import { writeHttpHeader } from '../../formats/http-header.ts';
import { writeOaiDc } from '../../formats/oai-dc.ts';
import { writePremisFile } from '../../formats/premis-file.ts';
import { type WebCapture, webCapture } from '../../formats/web-capture.ts';
import { webSnapshot } from '../../formats/web-snapshot.ts';
import type { GarnerStore } from '../../store/index.ts';
import { xml } from '../../xml/write.ts';
import type { SiteModels } from '../site-model/site-models.ts';
import {
  findListingVersion,
  listResources,
  type Snapshot,
  type SnapshotResource,
} from '../snapshot/read-snapshot.ts';
import { premisHistory } from '../versions/premis-history.ts';
import { end, identifierStatement, start, statement, timeStatement } from './build.ts';
import { type CandidateList, indexCandidates, writeCandidateList } from './candidate-list.ts';
import type { DidlEvent } from './didl-events.ts';
import { type Directories, openDirectories } from './directories.ts';
import { identifierFacts, itemIdentifier, partIdentifier } from './identifier-template.ts';
import { writeMetadataSet } from './metadata-set.ts';
import { PACKED_TYPE, type PackedDirectory, packDirectory } from './pack-directory.ts';
import { createFilePacker, type FilePacker } from './pack-file.ts';
import { PackageXml } from './package-xml.ts';
import { writeDirectory } from './write-directory.ts';

export interface DidlSettings {
  /** Of the items' identifiers, see `identifier-template.ts`. */
  readonly identifier: string;
  /** Packed content that is larger goes by reference only. */
  readonly maxValueBytes: number;
  /** So many packed bytes of a container go by value, in its order. */
  readonly maxContainerBytes: number;
}

export interface DidlDeps {
  readonly store: Pick<GarnerStore, 'items' | 'captures' | 'blobs'>;
  readonly dataFolder: string;
  readonly models: Pick<SiteModels, 'openSnapshot'>;
  readonly repository: { readonly baseUrl: string; readonly identifier: string };
  readonly settings: DidlSettings;
  /** What the snapshot was crawled from, if it was found by engines. */
  readonly findCandidates?: (snapshot: Snapshot) => Promise<CandidateList | undefined>;
}

/** Where packages and their parts are given out. */
export const PACKAGES_PATH = '/packages/';

const DOCUMENT_NAMESPACES = [
  ['xmlns:didl', OAI_DIDL.namespace],
  ['xmlns:dii', DII.namespace],
  ['xmlns:xsi', 'http://www.w3.org/2001/XMLSchema-instance'],
  ['xsi:schemaLocation', `${OAI_DIDL.namespace} ${OAI_DIDL.schema} ${DII.namespace} ${DII.schema}`],
] as const;

const extract = createJsonExtractor(webSnapshot);

export async function* snapshotDidl(
  deps: DidlDeps,
  snapshot: Snapshot,
  viewer: Viewer,
): AsyncGenerator<DidlEvent> {
  const { item, record, version, history } = snapshot;
  const packageUrl = deps.repository.baseUrl + itemPath(item.source, item.identifier, PACKAGES_PATH);
  const candidates = await deps.findCandidates?.(snapshot);
  yield start('DIDL', [...DOCUMENT_NAMESPACES, ['DIDLDocumentId', `${packageUrl}?version=${version}`]]);
  yield start('Container', [['id', `container-${shortDigest(item.oaiIdentifier)}`]]);
  yield* identifierStatement(record.series);
  yield* timeStatement(Date.parse(record.startedAt));
  const last = history.at(-1);
  if (last && history.length > 1) yield* timeStatement(last.at, 'modified');
  yield* statement(
    xml`<dii:RelatedIdentifier relationshipType="urn:garner:package:record">${item.oaiIdentifier}</dii:RelatedIdentifier>`,
  );
  yield* statement(writeOaiDc(toDublinCore(webSnapshot, extract(record).fields)));
  for (const event of premisHistory(item.oaiIdentifier, history)) yield* statement(event);
  if (candidates) yield* statement(writeCandidateList(candidates));
  const findCandidate = indexCandidates(candidates);
  const listing = await findListingVersion(deps.store, snapshot, viewer);
  using directories = openDirectories(deps, snapshot, viewer);
  await using files = keepFilesOpen(MAX_OPEN_FILES);
  const access = { captures: deps.store.captures, dataFolder: deps.dataFolder, files };
  const packFile = createFilePacker(access, viewer);
  let budget = deps.settings.maxContainerBytes;
  for await (const resource of listResources(deps.store, snapshot, viewer)) {
    const packed = await pack(packFile, resource, directories);
    const byValue = 'sha256' in packed && packed.size <= deps.settings.maxValueBytes && packed.size <= budget;
    if (byValue) budget -= packed.size;
    const described = await findDescription(deps, snapshot, resource, viewer);
    const set = writeMetadataSet({
      resource,
      described,
      candidate: findCandidate(resource.url),
      ...('sha256' in packed ? { packed } : { problem: packed }),
    });
    const ref = deps.repository.baseUrl + directoryPath(item, listing, resource.url, resource.capture.at);
    yield* resourceItem(deps, snapshot, { ...resource, ref, packed, byValue, set });
  }
  yield end('Container');
  yield end('DIDL');
}

const MAX_OPEN_FILES = 64;

type PackProblem = { readonly code: string; readonly message: string };

/** A capture that cannot be read still has its item, with the reason. */
async function pack(
  packFile: FilePacker,
  { capture }: SnapshotResource,
  directories: Directories,
): Promise<PackedDirectory | PackProblem> {
  try {
    const requisites = await directories.listRequisites(capture);
    return await packDirectory(packFile, [capture, ...requisites]);
  } catch (thrown) {
    const { code, message } = asGarnerError(thrown);
    if (!/^(?:archive|source)\./.test(code)) throw thrown;
    return { code, message };
  }
}

/** As it was known when the snapshot was recorded. */
async function findDescription(
  { store }: DidlDeps,
  { item, recordedAt }: Snapshot,
  { url }: SnapshotResource,
  viewer: Viewer,
): Promise<WebCapture | undefined> {
  const ref = { source: item.source, identifier: url };
  const content = await store.items.findContent(ref, { format: webCapture.name, at: recordedAt }, viewer);
  const value = content && parseJson(content.bytes);
  return isWebCapture(value) ? value : undefined;
}

const isWebCapture = (value: unknown): value is WebCapture =>
  typeof value === 'object' && value !== null && 'webCapture' in value && 'extracted' in value;

interface WrittenResource extends SnapshotResource {
  /** Where its directory can be had. */
  readonly ref: string;
  readonly packed: PackedDirectory | PackProblem;
  readonly byValue: boolean;
  /** Its metadata, one element. */
  readonly set: string;
}

async function* resourceItem(
  { settings, repository }: DidlDeps,
  { item, record }: Snapshot,
  { url, capture, ref, packed, byValue, set }: WrittenResource,
): AsyncGenerator<DidlEvent> {
  const facts = identifierFacts(record, repository.identifier);
  const identifier = itemIdentifier(settings.identifier, facts, url);
  // One OAI-PMH answer may hold several documents, and ids are unique in all of it.
  const id = shortDigest(`${item.oaiIdentifier} ${url}`);
  yield start('Item', [['id', `item-${id}`]]);
  yield* identifierStatement(identifier);
  yield* timeStatement(capture.at);

  yield start('Item', [['id', `metadata-${id}`]]);
  yield* identifierStatement(partIdentifier(identifier, 'METADATA'));
  yield* timeStatement(capture.at);
  yield start('Component');
  yield start('Resource', [['mimeType', 'application/xml']]);
  yield { kind: 'markup', markup: set };
  yield end('Resource');
  yield end('Component');
  yield end('Item');

  yield start('Item', [['id', `data-${id}`]]);
  yield* identifierStatement(partIdentifier(identifier, 'DATA'));
  yield* timeStatement(capture.at);
  if ('sha256' in packed && packed.headers.length > 0) yield* statement(writeHttpHeader(packed.headers));
  yield start('Component');
  if ('sha256' in packed) {
    const { size, sha256 } = packed;
    yield* statement(writePremisFile({ url: ref, size, mediaType: PACKED_TYPE, sha256 }));
    yield* statement(writeDirectory(packed.files));
  }
  if (!byValue) yield* statement(referenceOnly(settings, packed));
  if (byValue && 'sha256' in packed) {
    yield start('Resource', [
      ['mimeType', PACKED_TYPE],
      ['encoding', 'base64'],
    ]);
    yield { kind: 'value', bytes: packed.open() };
    yield end('Resource');
  }
  yield start('Resource', [
    ['mimeType', PACKED_TYPE],
    ['ref', ref],
  ]);
  yield end('Resource');
  yield end('Component');
  yield end('Item');
  yield end('Item');
}

function referenceOnly(settings: DidlSettings, packed: PackedDirectory | PackProblem): string {
  const why =
    'sha256' in packed
      ? `by reference only: of ${packed.size} bytes; by value go up to ${settings.maxValueBytes} of one URL and ${settings.maxContainerBytes} of a container`
      : `by reference only: ${packed.message}`;
  const element = new PackageXml();
  return element.root('delivery', element.text('note', why), { by: 'reference' });
}

/** The address of the directory of one capture, as this version of the snapshot has it: the moment in 17 digits. */
function directoryPath(item: ItemRef, version: number, url: string, at: number): string {
  const digits = new Date(at).toISOString().replace(/\D/g, '');
  const query = new URLSearchParams({ url, at: digits, version: String(version) });
  return `${itemPath(item.source, item.identifier, PACKAGES_PATH)}?${query}`;
}

const shortDigest = (text: string): string => hash('sha256', text, 'hex').slice(0, 20);
