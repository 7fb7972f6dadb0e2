/** From the address that a source names to its lists: description → capability lists → resource and change lists. */
import { GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import type { HttpClient } from '../http/index.ts';
import { readInstant, readSitemap, type SitemapEntry } from '../sitemap/sitemap-document.ts';

export interface SyncLists {
  readonly resourceLists: readonly string[];
  readonly changeLists: readonly string[];
  /** Lists of packages with the same resources, and with the same changes. */
  readonly resourceDumps: readonly string[];
  readonly changeDumps: readonly string[];
}

const CAPABILITIES = {
  resourcelist: 'resourceLists',
  changelist: 'changeLists',
  resourcedump: 'resourceDumps',
  changedump: 'changeDumps',
} as const;

const isListing = (capability: string | undefined): capability is keyof typeof CAPABILITIES =>
  capability !== undefined && Object.hasOwn(CAPABILITIES, capability);

/** What a document says of itself, and the beginning of what it lists. */
interface ListHead {
  readonly capability: string | undefined;
  readonly about: ReadonlyMap<string, string>;
  readonly entries: readonly SitemapEntry[];
}

const WELL_KNOWN = '/.well-known/resourcesync';
/** A description names sets of resources, not resources. */
const MAX_ENTRIES = 10_000;
const SHOWN_CHOICES = 20;

export async function findSyncLists(
  client: HttpClient,
  url: string,
  signal?: AbortSignal,
): Promise<SyncLists> {
  const address = new URL(url).pathname === '/' ? new URL(WELL_KNOWN, url).href : url;
  const lists: Record<keyof SyncLists, string[]> = {
    resourceLists: [],
    changeLists: [],
    resourceDumps: [],
    changeDumps: [],
  };
  const head = await readHead(client, address, signal);
  if (isListing(head.capability)) {
    lists[CAPABILITIES[head.capability]].push(address);
    return lists;
  }
  const capabilities =
    head.capability === 'description' ? await chooseCapabilities(client, address, head, signal) : head;
  if (capabilities.capability !== 'capabilitylist')
    throw new GarnerError(
      'source.answer',
      `${address} is no list of ResourceSync (its capability is ${capabilities.capability ?? 'not given'})`,
    );
  for (const { url: inner, about } of capabilities.entries) {
    const capability = about.get('capability');
    if (isListing(capability)) lists[CAPABILITIES[capability]].push(inner);
  }
  if (Object.values(lists).every(({ length }) => length === 0))
    throw new GarnerError('source.answer', `${address} names neither lists nor dumps of resources`);
  return lists;
}

/** A source is one set of resources; which of several, only its operator can tell. */
async function chooseCapabilities(
  client: HttpClient,
  address: string,
  { entries }: ListHead,
  signal?: AbortSignal,
): Promise<ListHead> {
  const urls = entries
    .filter(({ about }) => about.get('capability') === 'capabilitylist')
    .map(({ url }) => url);
  const [url] = urls;
  if (url === undefined)
    throw new GarnerError('source.answer', `${address} names no capability list of ResourceSync`);
  if (urls.length > 1)
    throw new GarnerError(
      'source.choice',
      `${address} describes ${urls.length} sets of resources; set the url of the source to one of ` +
        `${urls.slice(0, SHOWN_CHOICES).join(', ')}${urls.length > SHOWN_CHOICES ? ' …' : ''}`,
    );
  return readHead(client, url, signal);
}

async function readHead(client: HttpClient, url: string, signal?: AbortSignal): Promise<ListHead> {
  let about: ReadonlyMap<string, string> = new Map();
  const entries: SitemapEntry[] = [];
  for await (const part of readSitemap(client, url, signal)) {
    if (part.kind === 'about') about = part.about;
    // Lists of resources are read later, and as streams.
    if (isListing(about.get('capability'))) break;
    if (part.kind === 'url' || part.kind === 'sitemap') entries.push(part);
    if (entries.length > MAX_ENTRIES) break;
  }
  return { capability: about.get('capability'), about, entries };
}

/** The period that a change list covers; `until` is absent while it is open. */
export async function readPeriod(
  client: HttpClient,
  url: string,
  signal?: AbortSignal,
): Promise<{ fromAt: Instant | undefined; untilAt: Instant | undefined }> {
  const { about } = await readHead(client, url, signal);
  const at = (name: string) => readInstant(about.get(name) ?? '');
  return { fromAt: at('from'), untilAt: at('until') };
}

/** When a resource list was made: changes after that are in change lists. */
export async function readListedAt(
  client: HttpClient,
  url: string,
  signal?: AbortSignal,
): Promise<Instant | undefined> {
  const { about } = await readHead(client, url, signal);
  return readInstant(about.get('at') ?? about.get('modified') ?? '');
}
