/** From the address that a source names to its lists: description → capability lists → resource and change lists. */
import { GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import type { HttpClient } from '../http/index.ts';
import { readInstant, readSitemap, type SitemapEntry } from '../sitemap/sitemap-document.ts';

export interface SyncLists {
  readonly resourceLists: readonly string[];
  readonly changeLists: readonly string[];
}

/** What a document says of itself, and the beginning of what it lists. */
interface ListHead {
  readonly capability: string | undefined;
  readonly about: ReadonlyMap<string, string>;
  readonly entries: readonly SitemapEntry[];
}

const WELL_KNOWN = '/.well-known/resourcesync';
/** A description names sets of resources, not resources. */
const MAX_ENTRIES = 10_000;

export async function findSyncLists(
  client: HttpClient,
  url: string,
  signal?: AbortSignal,
): Promise<SyncLists> {
  const address = new URL(url).pathname === '/' ? new URL(WELL_KNOWN, url).href : url;
  const resourceLists: string[] = [];
  const changeLists: string[] = [];
  const met = new Set<string>();
  const waiting = [address];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (met.has(next)) continue;
    met.add(next);
    const head = await readHead(client, next, signal);
    if (head.capability === 'resourcelist') resourceLists.push(next);
    else if (head.capability === 'changelist') changeLists.push(next);
    else if (head.capability === 'description' || head.capability === 'capabilitylist') {
      for (const { url: inner, about } of head.entries) {
        const capability = about.get('capability');
        if (capability === 'capabilitylist') waiting.push(inner);
        if (capability === 'resourcelist') resourceLists.push(inner);
        if (capability === 'changelist') changeLists.push(inner);
      }
    } else
      throw new GarnerError(
        'source.answer',
        `${next} is no list of ResourceSync (its capability is ${head.capability ?? 'not given'})`,
      );
  }
  if (resourceLists.length === 0 && changeLists.length === 0)
    throw new GarnerError('source.answer', `${address} names neither resource lists nor change lists`);
  return { resourceLists, changeLists };
}

async function readHead(client: HttpClient, url: string, signal?: AbortSignal): Promise<ListHead> {
  let about: ReadonlyMap<string, string> = new Map();
  const entries: SitemapEntry[] = [];
  for await (const part of readSitemap(client, url, signal)) {
    if (part.kind === 'about') about = part.about;
    // Lists of resources are read later, and as streams.
    if (/^(?:resource|change)(?:list|dump)$/.test(about.get('capability') ?? '')) break;
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
