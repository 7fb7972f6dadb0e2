/**
 * The source kind `resourcesync` (NISO Z39.99): all resources at first, in packages where there are some,
 * then what change lists or change dumps tell, as long as they reach back to the last run; digests of the
 * lists are checked.
 */
import { asGarnerError } from '../../core/errors.ts';
import { mapAhead } from '../../core/map-ahead.ts';
import type { Instant } from '../../core/model.ts';
import type { OriginFinding } from '../files/entry.ts';
import {
  type EntrySource,
  type ImportDeps,
  importEntries,
  type KnownEntries,
} from '../files/import-entries.ts';
import type { HttpClient } from '../http/index.ts';
import { FETCH_AHEAD, fetchEntry } from '../remote/remote-entry.ts';
import type { IntakeOptions } from '../run/intake.ts';
import type { ImportReport } from '../run/report.ts';
import type { SitemapEntry } from '../sitemap/sitemap-document.ts';
import { findSyncLists, readListedAt, readPeriod, type SyncLists } from './find-lists.ts';
import { findForeignType, listEntries, noteDeleted, readDigests } from './listed-resource.ts';
import { walkDump } from './read-dump.ts';

export interface ResourceSyncSource extends EntrySource {
  readonly url: string;
}

/** Remembered among the entries: until when the source is known to be up to date. */
const STATE_ENTRY = 'resourcesync:until';

export async function harvestResourceSync(
  deps: ImportDeps & { readonly client: HttpClient },
  source: ResourceSyncSource,
  options: IntakeOptions = {},
): Promise<ImportReport> {
  const walk = (known: KnownEntries) => walkSource(deps.client, source.url, known, options.signal);
  return importEntries(deps, source, options, {
    kind: 'harvest',
    origins: [{ place: source.url, owns: (entry) => entry !== STATE_ENTRY, walk }],
    noun: 'XML or JSON resource',
  });
}

async function* walkSource(
  client: HttpClient,
  url: string,
  known: KnownEntries,
  signal: AbortSignal | undefined,
): AsyncGenerator<OriginFinding> {
  const lists = await findSyncLists(client, url, signal);
  const since = known.get(STATE_ENTRY)?.modifiedAt;
  const { changeLists, changeDumps, resourceLists, resourceDumps } = lists;
  if (since !== undefined && (await coversSince(client, lists, changeLists, since, signal)))
    yield* walkChanges(client, changeLists, since, signal);
  else if (since !== undefined && (await coversSince(client, lists, changeDumps, since, signal)))
    yield* walkDumps(client, changeDumps, 'until', signal);
  // Packages have everything, which is right for the first time; later, few resources differ from what is known.
  else if (resourceLists.length === 0 || (known.size === 0 && (await canRead(client, resourceDumps, signal))))
    yield* walkDumps(client, resourceDumps, 'at', signal);
  else yield* walkResources(client, lists, known, signal);
}

/** Dumps are made seldom and get lost; where lists have the same resources, they take their place. */
async function canRead(
  client: HttpClient,
  dumps: readonly string[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    for (const url of dumps) await readListedAt(client, url, signal);
    return dumps.length > 0;
  } catch (thrown) {
    signal?.throwIfAborted();
    if (asGarnerError(thrown).code === 'internal.bug') throw thrown;
    return false;
  }
}

/** `until`: dumps of changes, which tell of nothing else. */
async function* walkDumps(
  client: HttpClient,
  dumps: readonly string[],
  upTo: 'at' | 'until',
  signal: AbortSignal | undefined,
): AsyncGenerator<OriginFinding> {
  if (upTo === 'until') yield { kind: 'partial' };
  const instants: (Instant | undefined)[] = [];
  for (const url of dumps) {
    instants.push(
      upTo === 'at'
        ? await readListedAt(client, url, signal)
        : (await readPeriod(client, url, signal)).untilAt,
    );
    yield* walkDump(client, url, signal);
  }
  const known = instants.filter((at) => at !== undefined);
  if (known.length === dumps.length)
    yield reachedState(upTo === 'at' ? Math.min(...known) : Math.max(...known));
}

const reachedState = (untilAt: Instant): OriginFinding => ({
  kind: 'reached',
  state: { entry: STATE_ENTRY, digest: 'until', size: 0, modifiedAt: untilAt },
});

/** Whether these lists of changes tell everything since then; else all resources are compared again. */
async function coversSince(
  client: HttpClient,
  { resourceLists, resourceDumps }: SyncLists,
  changes: readonly string[],
  since: Instant,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (changes.length === 0) return false;
  if (resourceLists.length + resourceDumps.length === 0) return true;
  for (const url of changes) {
    const { fromAt } = await readPeriod(client, url, signal);
    if (fromAt === undefined || fromAt > since) return false;
  }
  return true;
}

async function* walkResources(
  client: HttpClient,
  { resourceLists }: SyncLists,
  known: KnownEntries,
  signal: AbortSignal | undefined,
): AsyncGenerator<OriginFinding> {
  // The oldest of the lists: what changed after that is in the change lists.
  const madeAt: (Instant | undefined)[] = [];
  for (const url of resourceLists) madeAt.push(await readListedAt(client, url, signal));
  const read = async (found: SitemapEntry | OriginFinding): Promise<OriginFinding> =>
    'about' in found ? readResource(client, found, known, signal) : found;
  for (const url of resourceLists) yield* mapAhead(listEntries(client, url, signal), FETCH_AHEAD, read);
  const instants = madeAt.filter((at) => at !== undefined);
  if (instants.length > 0 && instants.length === madeAt.length) yield reachedState(Math.min(...instants));
}

async function* walkChanges(
  client: HttpClient,
  changeLists: readonly string[],
  since: Instant,
  signal: AbortSignal | undefined,
): AsyncGenerator<OriginFinding> {
  yield { kind: 'partial' };
  // Of several changes of one resource only the last counts; lists are in order of time (§12.1).
  const changes = new Map<string, SitemapEntry>();
  const problems: OriginFinding[] = [];
  let untilAt = since;
  for (const url of changeLists) {
    for await (const found of listEntries(client, url, signal)) {
      if (!('about' in found)) {
        problems.push(found);
        continue;
      }
      const at = found.modifiedAt;
      if (at !== undefined && at < since) continue;
      changes.delete(found.url);
      changes.set(found.url, found);
      untilAt = Math.max(untilAt, at ?? 0);
    }
  }
  yield* problems;
  const read = async (change: SitemapEntry): Promise<OriginFinding> =>
    change.about.get('change') === 'deleted'
      ? noteDeleted(change.url)
      : readResource(client, change, new Map(), signal);
  yield* mapAhead(iterate(changes.values()), FETCH_AHEAD, read);
  yield reachedState(untilAt);
}

async function* iterate<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}

async function readResource(
  client: HttpClient,
  resource: SitemapEntry,
  known: KnownEntries,
  signal: AbortSignal | undefined,
): Promise<OriginFinding> {
  const { url, modifiedAt = 0 } = resource;
  const reason = findForeignType(resource);
  if (reason !== undefined) return { kind: 'skipped', name: url, reason };
  const digests = readDigests(resource);
  const before = known.get(url);
  if (before) {
    const listed = digests.get('sha256');
    const same =
      listed === undefined ? modifiedAt !== 0 && before.modifiedAt === modifiedAt : listed === before.digest;
    if (same) return { kind: 'unchanged', name: url };
  }
  return fetchEntry(client, { url, modifiedAt, digests }, { signal });
}
