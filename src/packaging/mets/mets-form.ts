/** Snapshots and captures as METS, for downloads and for OAI-PMH. */
import type { Viewer } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { ItemRef } from '../../core/model.ts';
import type { Authorities } from '../../formats/catalogued.ts';
import { METS, type MetsParts } from '../../formats/mets/mets-document.ts';
import { writeMets } from '../../formats/mets/write-mets.ts';
import { webCapture } from '../../formats/web-capture.ts';
import { type WebSnapshot, webSnapshot } from '../../formats/web-snapshot.ts';
import type { GarnerStore, HarvestRecord, StoredItem, VersionInfo } from '../../store/index.ts';
import type { PackageChoice, PackageForm } from '../package-form.ts';
import type { SiteModel } from '../site-model/site-model.ts';
import type { SiteModels } from '../site-model/site-models.ts';
import { parseCapture } from '../snapshot/parse-capture.ts';
import { readSnapshot } from '../snapshot/read-snapshot.ts';
import { toldEvent } from '../versions/premis-history.ts';
import { openCaptureModel } from './capture-model.ts';
import { type Catalogued, type DescribePage, describeCataloguedPage, describePage } from './describe-page.ts';
import { createIds } from './ids.ts';
import { metsUrl, type PackageContext, type Publisher } from './package-context.ts';
import { pageParts } from './page-parts.ts';
import { snapshotParts } from './snapshot-parts.ts';

export interface MetsDeps {
  readonly store: Pick<GarnerStore, 'items' | 'captures' | 'blobs'>;
  readonly dataFolder: string;
  readonly models: SiteModels;
  readonly publisher: Publisher;
  readonly describePage?: DescribePage;
  /** Lists that curators take their words from. */
  readonly authorities?: Authorities;
}

const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
/** Few large pieces go through streams faster than many small ones. */
const CHUNK = 64 * 1024;

export function metsForm(deps: MetsDeps): PackageForm {
  return {
    name: METS.prefix,
    label: 'METS',
    mediaType: 'application/xml',
    extension: '.mets.xml',
    madeOf: [webSnapshot.name, webCapture.name],
    write: async (ref, choice, viewer) => stream(await open(deps, ref, choice, viewer), XML_DECLARATION),
  };
}

/** As OAI-PMH offers them. */
export function metsItemForms(deps: MetsDeps) {
  return [webSnapshot.name, webCapture.name].map((madeOf) => ({
    ...METS,
    madeOf,
    content: 'raw' as const,
    render: async (record: ItemRef & Pick<HarvestRecord, 'oaiIdentifier'>, viewer: Viewer) =>
      stream(await open(deps, record, {}, viewer, record.oaiIdentifier)),
  }));
}

/** Small documents, such as aggregators, at once. */
export const metsText = (parts: MetsParts): string => XML_DECLARATION + [...writeMets(parts)].join('');

interface Opened {
  readonly model: SiteModel;
  readonly parts: MetsParts;
}

/** What is missing is told before anything is written. `idScope`: see `createIds`. */
async function open(
  deps: MetsDeps,
  ref: ItemRef,
  choice: PackageChoice,
  viewer: Viewer,
  idScope?: string,
): Promise<Opened> {
  const item = await deps.store.items.findItem(ref, viewer);
  if (!item) throw new GarnerError('item.unknown', `there is no item ${ref.identifier} in ${ref.source}`);
  const isSnapshot = item.records.some(({ format }) => format === webSnapshot.name);
  return isSnapshot
    ? openSnapshot(deps, item, choice, viewer, idScope)
    : openCapture(deps, item, choice, viewer, idScope);
}

async function openSnapshot(
  deps: MetsDeps,
  item: StoredItem,
  choice: PackageChoice,
  viewer: Viewer,
  idScope?: string,
): Promise<Opened> {
  const snapshot = await readSnapshot(deps.store, item, choice, viewer);
  const model = await deps.models.openSnapshot(snapshot, viewer);
  try {
    return {
      model,
      parts: snapshotParts(model, contextOf(deps, item, snapshot.history, snapshot.record, idScope), choice),
    };
  } catch (error) {
    model[Symbol.dispose]();
    throw error;
  }
}

async function openCapture(
  deps: MetsDeps,
  item: StoredItem,
  choice: PackageChoice,
  viewer: Viewer,
  idScope?: string,
): Promise<Opened> {
  const { items } = deps.store;
  const wanted = {
    format: webCapture.name,
    ...(choice.version !== undefined && { version: choice.version }),
    ...(choice.at !== undefined && { at: choice.at }),
  };
  const content = await items.findContent(item, wanted, viewer);
  if (!content)
    throw new GarnerError('version.unknown', `"${item.identifier}" is no capture, or has no such version`);
  const record = parseCapture(content.bytes);
  const history = (await items.listHistory(item, viewer)).filter(
    ({ format, version }) => format === webCapture.name && version <= content.version,
  );
  const model = await openCaptureModel(deps, item, record, viewer);
  const page = model.findFile(record.url);
  if (!page) {
    model[Symbol.dispose]();
    throw new GarnerError('archive.record', `the capture of ${record.url} cannot be read`);
  }
  const leafUrl = (identifier: string) => metsUrl(deps.publisher, { source: item.source, identifier });
  const context = contextOf(deps, item, history, record, idScope);
  const described = deps.describePage ?? describeCataloguedPage(context.catalogued);
  // Of a capture only the page itself is the item that was catalogued; there is no other page in its document.
  return { model, parts: pageParts(model, page, { ...context, describePage: described }, leafUrl) };
}

function contextOf(
  deps: MetsDeps,
  item: StoredItem,
  history: readonly VersionInfo[],
  { catalogued = {}, cataloguedBy }: Pick<WebSnapshot, 'catalogued' | 'cataloguedBy'>,
  idScope: string | undefined,
): PackageContext {
  const times = history.map(({ at }) => at);
  const events = history.map((version) => ({ at: version.at, ...toldEvent(version) }));
  return {
    publisher: deps.publisher,
    item,
    createdAt: Math.min(...times, item.firstSeenAt),
    modifiedAt: Math.max(...times, item.firstSeenAt),
    isPublic: item.access.public === true,
    events,
    ids: createIds(idScope),
    describePage: deps.describePage ?? describePage,
    catalogued: {
      values: catalogued,
      authorities: deps.authorities ?? {},
      event: cataloguedBy === undefined ? undefined : lastCataloguing(history),
    },
  };
}

function lastCataloguing(history: readonly VersionInfo[]): Catalogued['event'] {
  const { at, event } =
    history
      .toSorted((a, b) => b.version - a.version)
      .find((version) => version.event?.type === 'recataloguing') ?? {};
  if (at === undefined || !event) return undefined;
  return { at, detail: event.reason ?? '', ...(event.agent !== undefined && { agent: event.agent }) };
}

/** Closes the model when it was read, or when nobody reads on. */
async function* stream({ model, parts }: Opened, before = ''): AsyncGenerator<string> {
  try {
    let chunk = before;
    for (const piece of writeMets(parts)) {
      chunk += piece;
      if (chunk.length < CHUNK) continue;
      yield chunk;
      chunk = '';
    }
    yield chunk;
  } finally {
    model[Symbol.dispose]();
  }
}
