/** An item opened for packaging: its model, and the parts of its METS document. Whoever opens one disposes of it. */
import { type CopiedTags, findCopiedTags } from '../../archive/trust/copied-tags.ts';
import type { Viewer } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import type { ItemRef } from '../../core/model.ts';
import type { Authorities } from '../../formats/catalogued.ts';
import type { MetsParts } from '../../formats/mets/mets-document.ts';
import { webCapture } from '../../formats/web-capture.ts';
import { type WebSnapshot, webSnapshot } from '../../formats/web-snapshot.ts';
import type { GarnerStore, StoredItem, VersionInfo } from '../../store/index.ts';
import type { PackageChoice } from '../package-form.ts';
import type { SiteModel } from '../site-model/site-model.ts';
import type { SiteModels } from '../site-model/site-models.ts';
import { parseCapture } from '../snapshot/parse-capture.ts';
import { readSnapshot } from '../snapshot/read-snapshot.ts';
import { findLastCataloguing } from '../versions/last-cataloguing.ts';
import { toldEvent } from '../versions/premis-history.ts';
import { openCaptureModel } from './capture-model.ts';
import { type Catalogued, describeCataloguedPage, describePage } from './describe-page.ts';
import { createIds } from './ids.ts';
import { metsUrl, type PackageContext, type Publisher } from './package-context.ts';
import { pageParts } from './page-parts.ts';
import { snapshotParts } from './snapshot-parts.ts';

export interface MetsDeps {
  readonly store: Pick<GarnerStore, 'items' | 'captures' | 'blobs' | 'search'>;
  readonly dataFolder: string;
  readonly models: SiteModels;
  readonly publisher: Publisher;
  /** Lists that curators take their words from. */
  readonly authorities?: Authorities;
}

export interface OpenedPackage {
  readonly model: SiteModel;
  /** The first description is that of the item itself. */
  readonly parts: MetsParts;
}

export interface OpenOptions {
  /** See `createIds`. */
  readonly idScope?: string;
  /** Default: all that it asks for. `none` is for who wants descriptions only. */
  readonly requisites?: 'none';
}

/** What is missing is told before anything is written. */
export async function openPackage(
  deps: MetsDeps,
  ref: ItemRef,
  choice: PackageChoice,
  viewer: Viewer,
  options: OpenOptions = {},
): Promise<OpenedPackage> {
  const item = await deps.store.items.findItem(ref, viewer);
  if (!item) throw new GarnerError('item.unknown', `there is no item ${ref.identifier} in ${ref.source}`);
  const isSnapshot = item.records.some(({ format }) => format === webSnapshot.name);
  return isSnapshot
    ? openSnapshot(deps, item, choice, viewer, options)
    : openCapture(deps, item, choice, viewer, options);
}

async function openSnapshot(
  deps: MetsDeps,
  item: StoredItem,
  choice: PackageChoice,
  viewer: Viewer,
  { idScope }: OpenOptions,
): Promise<OpenedPackage> {
  const snapshot = await readSnapshot(deps.store, item, choice, viewer);
  const model = await deps.models.openSnapshot(snapshot, viewer);
  try {
    // The words of the site are those of its entry page.
    const speaking = choice.page ?? model.facts.entryUrl;
    const copied = await findCopied(deps, { source: item.source, identifier: speaking ?? '' }, viewer);
    const context = contextOf(deps, item, snapshot.history, snapshot.record, idScope);
    return {
      model,
      parts: snapshotParts(model, { ...context, copied, placeRecord: choice.placeRecord }, choice),
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
  { idScope, requisites }: OpenOptions,
): Promise<OpenedPackage> {
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
  const model = await openCaptureModel(deps, item, record, viewer, requisites);
  const page = model.findFile(record.url);
  if (!page) {
    model[Symbol.dispose]();
    throw new GarnerError('archive.record', `the capture of ${record.url} cannot be read`);
  }
  const leafUrl = (identifier: string) => metsUrl(deps.publisher, { source: item.source, identifier });
  const context = contextOf(deps, item, history, record, idScope);
  // Of a capture only the page itself is the item that was catalogued; there is no other page in its document.
  const described = {
    describePage: describeCataloguedPage(context.catalogued),
    copied: await findCopied(deps, item, viewer),
  };
  return { model, parts: pageParts(model, page, { ...context, ...described }, leafUrl) };
}

/** Not for every page of a site: that would be a search for each. */
async function findCopied(
  { store }: MetsDeps,
  ref: ItemRef,
  viewer: Viewer,
): Promise<(CopiedTags & { readonly page: string }) | undefined> {
  const item = await store.items.findItem(ref, viewer);
  const copied = item && (await findCopiedTags(store.search, item, viewer));
  return copied && { ...copied, page: ref.identifier };
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
    describePage,
    catalogued: {
      values: catalogued,
      authorities: deps.authorities ?? {},
      event: cataloguedBy === undefined ? undefined : lastCataloguing(history),
    },
  };
}

function lastCataloguing(history: readonly VersionInfo[]): Catalogued['event'] {
  const { at, event } = findLastCataloguing(history) ?? {};
  if (at === undefined || !event) return undefined;
  return { at, detail: event.reason ?? '', ...(event.agent !== undefined && { agent: event.agent }) };
}
