/**
 * The source kind `resourcesync` (NISO Z39.99): all resources at first, then what change lists tell, as
 * long as they reach back to the last run; digests of the lists are checked.
 */
import type { Instant } from '../../core/model.ts';
import type { OriginFinding } from '../files/entry.ts';
import {
  type EntrySource,
  type ImportDeps,
  importEntries,
  type KnownEntries,
} from '../files/import-entries.ts';
import type { HttpClient } from '../http/index.ts';
import { mapAhead } from '../remote/map-ahead.ts';
import { FETCH_AHEAD, fetchEntry } from '../remote/remote-entry.ts';
import type { IntakeOptions } from '../run/intake.ts';
import type { ImportReport } from '../run/report.ts';
import { readAllEntries, type SitemapEntry } from '../sitemap/sitemap-document.ts';
import { findSyncLists, readListedAt, readPeriod, type SyncLists } from './find-lists.ts';

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
  if (since !== undefined && (await coversSince(client, lists, since, signal)))
    yield* walkChanges(client, lists.changeLists, since, signal);
  else yield* walkResources(client, lists, known, signal);
}

const noteState = (untilAt: Instant): OriginFinding => ({
  kind: 'noted',
  state: { entry: STATE_ENTRY, digest: 'until', size: 0, modifiedAt: untilAt },
});

/** Whether the change lists tell everything since then; else all resources are compared again. */
async function coversSince(
  client: HttpClient,
  { resourceLists, changeLists }: SyncLists,
  since: Instant,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (changeLists.length === 0) return false;
  if (resourceLists.length === 0) return true;
  for (const url of changeLists) {
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
  if (instants.length > 0 && instants.length === madeAt.length) yield noteState(Math.min(...instants));
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
      ? { kind: 'noted', state: { entry: change.url, digest: 'deleted', size: 0, modifiedAt: 0 } }
      : readResource(client, change, new Map(), signal);
  yield* mapAhead(iterate(changes.values()), FETCH_AHEAD, read);
  // After a list that could not be read in full, the next run begins where this one did.
  if (problems.length === 0) yield noteState(untilAt);
}

async function* iterate<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}

async function* listEntries(
  client: HttpClient,
  url: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<SitemapEntry | OriginFinding> {
  for await (const entry of readAllEntries(client, url, signal)) {
    if (entry.kind !== 'problem') yield entry;
    else {
      const { code, message, line, url: where } = entry;
      yield { kind: 'problem', name: where, loss: 'rest', problem: { code, message, where, line } };
    }
  }
}

async function readResource(
  client: HttpClient,
  { url, about, modifiedAt = 0 }: SitemapEntry,
  known: KnownEntries,
  signal: AbortSignal | undefined,
): Promise<OriginFinding> {
  const type = about.get('type');
  if (type !== undefined && !/\b(?:xml|json)\b|\+(?:xml|json)\b/i.test(type))
    return { kind: 'skipped', name: url, reason: `of type ${type}` };
  const digests = readDigests(about.get('hash'));
  const before = known.get(url);
  if (before) {
    const listed = digests.get('sha256');
    const same =
      listed === undefined ? modifiedAt !== 0 && before.modifiedAt === modifiedAt : listed === before.digest;
    if (same) return { kind: 'unchanged', name: url };
  }
  return fetchEntry(client, { url, modifiedAt, digests }, { signal });
}

const ALGORITHMS: Readonly<Record<string, string>> = {
  md5: 'md5',
  'sha-1': 'sha1',
  'sha-256': 'sha256',
  'sha-512': 'sha512',
};

/** `md5:1584… sha-256:854f…`. */
function readDigests(text: string | undefined): ReadonlyMap<string, string> {
  const digests = new Map<string, string>();
  for (const part of (text ?? '').trim().split(/\s+/)) {
    const colon = part.indexOf(':');
    const algorithm = ALGORITHMS[part.slice(0, colon).toLowerCase()];
    if (colon > 0 && algorithm !== undefined) digests.set(algorithm, part.slice(colon + 1).toLowerCase());
  }
  return digests;
}
