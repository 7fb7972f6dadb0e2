/** Pages that no file stands for: fetched from the live site as its sitemaps list them, and treated alike. */
import { createHash } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AccessRule } from '../../core/access.ts';
import { asGarnerError, GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import type { BlobStore } from '../../store/index.ts';
import { EntryCursor } from './entry-cursor.ts';
import { accessStamp, type FileState, settingsStamp, writeState } from './file-state.ts';
import type { FolderAccess } from './folder-access.ts';
import type { FolderSource } from './folder-source.ts';
import { PAGE_PREFIX, pageEntry } from './page-entry.ts';
import { describePage } from './read-file.ts';
import { isRunByServers } from './run-by-servers.ts';
import type { ScanDeps, ScanOptions, ScanReport } from './scan.ts';
import { ScanRun } from './scan-run.ts';
import { findHeader, type SiteClient } from './site-client.ts';
import { listSitemapPages, parseUrlList } from './sitemap.ts';
import { sniffType } from './sniff-type.ts';
import { decodeEntry } from './url-path.ts';
import { FolderWalk } from './walk.ts';

/** A page whose list does not tell when it changed is fetched again after so long. */
const REFETCH_MS = 3_600_000;
const AT_ONCE = 4;

export interface PageDeps extends ScanDeps {
  readonly client: SiteClient;
  readonly blobs: Pick<BlobStore, 'put'>;
  /** Larger pages are described, but not kept. */
  readonly maxPageBytes: number;
}

interface Work {
  readonly url: string;
  readonly changedAt: Instant | undefined;
  readonly known: FileState | undefined;
}

export async function scanPages(
  deps: PageDeps,
  source: FolderSource,
  access: FolderAccess,
  options: ScanOptions = {},
): Promise<ScanReport> {
  const run = new ScanRun({ store: deps.store, source: source.name, watch: deps.watch });
  try {
    const pages = await listPages(deps.client, source);
    const gone: string[] = [];
    let denied = 0;
    let work: Work[] = [];
    const cursor = new EntryCursor(deps.store.items, source.name, PAGE_PREFIX);
    const due = async () => {
      const outcomes = await Promise.all(work.map((one) => fetchPage(deps, source, access, run, one)));
      work = [];
      denied += outcomes.filter((outcome) => outcome === 'denied').length;
    };
    for (const url of [...pages.keys()].sort()) {
      if (options.signal?.aborted) break;
      let state = await cursor.peek();
      for (; state && state.entry < pageEntry(url); state = await cursor.peek()) {
        gone.push(state.entry);
        cursor.next();
      }
      const known = state?.entry === pageEntry(url) ? state : undefined;
      if (known) cursor.next();
      work.push({ url, changedAt: pages.get(url), known });
      if (work.length >= AT_ONCE) await due();
    }
    await due();
    const aborted = options.signal?.aborted === true;
    if (!aborted)
      for (let state = await cursor.peek(); state; state = await cursor.peek()) {
        gone.push(state.entry);
        cursor.next();
      }
    const refused = pages.size === 0 && gone.length > 0 && !options.force;
    if (!aborted && !refused)
      for (const entry of gone) await run.delete(entry.slice(PAGE_PREFIX.length), entry);
    const status = aborted ? 'interrupted' : refused || run.problems > 0 ? 'incomplete' : 'complete';
    const message = refused
      ? `the site lists no page any more, and ${gone.length} are known: nothing was deleted`
      : undefined;
    await run.finish(status, message);
    return {
      ...(run.runId !== undefined && { runId: run.runId }),
      status,
      ...(message !== undefined && { message }),
      seen: pages.size,
      denied,
      counts: run.counts,
      problems: run.problems,
    };
  } catch (error) {
    await run.fail(error);
    throw error;
  }
}

async function listPages(
  client: SiteClient,
  source: FolderSource,
): Promise<Map<string, Instant | undefined>> {
  const isOurs = (url: string) => url.startsWith(source.baseUrl);
  const pages = await listSitemapPages(client, source.sitemaps, isOurs);
  for (const list of source.urlLists) {
    const text = await readFile(list, 'utf8').catch((cause: unknown) => {
      throw new GarnerError('source.unreadable', `the list of addresses ${list} cannot be read`, { cause });
    });
    for (const url of parseUrlList(text)) if (isOurs(url) && !pages.has(url)) pages.set(url, undefined);
  }
  return pages;
}

async function fetchPage(
  deps: PageDeps,
  source: FolderSource,
  access: FolderAccess,
  run: ScanRun,
  { url, changedAt, known }: Work,
): Promise<'taken' | 'unchanged' | 'denied' | 'failed'> {
  const entry = pageEntry(url);
  const rule = await ruleOf(source, access, url);
  if (!rule) {
    if (known) await run.delete(url, entry);
    return 'denied';
  }
  const now = deps.clock();
  const stamps = { access: accessStamp(rule), settings: settingsStamp(source.baseUrl) };
  const sameRules = known?.access === stamps.access && known.settings === stamps.settings;
  const sameDate = changedAt === undefined ? now < (known?.redigestAt ?? 0) : known?.mtimeMs === changedAt;
  if (known && sameRules && sameDate) return 'unchanged';
  const answer = await deps.client
    .get(url, { maxBytes: deps.maxPageBytes, unpack: false })
    .catch((error: unknown) => asGarnerError(error));
  if (answer instanceof GarnerError) {
    run.note({ code: answer.code, message: answer.message, where: url });
    return 'failed';
  }
  if (answer.status !== 200 || answer.url !== url) {
    // Refused, gone, or somewhere else: at this address there is nothing for visitors.
    const isGone = answer.status < 500 && answer.status !== 429 && answer.status !== 408;
    if (isGone && known) await run.delete(url, entry);
    if (!isGone)
      run.note({
        code: 'source.unreadable',
        message: `the page answers with status ${answer.status}`,
        where: url,
      });
    return isGone ? 'denied' : 'failed';
  }
  const sha256 = createHash('sha256').update(answer.bytes).digest('hex');
  const state = writeState({
    entry,
    sha256,
    size: answer.bytes.length,
    mtimeMs: changedAt ?? 0,
    ino: 0,
    isIndex: false,
    ...stamps,
    redigestAt: now + REFETCH_MS,
  });
  if (known?.sha256 === sha256 && sameRules) {
    await run.remember(state);
    return 'unchanged';
  }
  if (answer.bytes.length <= source.maxValueBytes) await deps.blobs.put(chunks(answer.bytes));
  const said = /^\s*([\w.+-]+\/[\w.+-]+)/
    .exec(findHeader(answer.headers, 'content-type') ?? '')?.[1]
    ?.toLowerCase();
  const sniffed = sniffType(answer.bytes, new URL(url).pathname);
  const type = said === undefined || said === sniffed.mediaType ? sniffed : { ...sniffed, mediaType: said };
  const lastModified = Date.parse(findHeader(answer.headers, 'last-modified') ?? '');
  const modifiedAt = Number.isFinite(lastModified) ? lastModified : changedAt;
  const record = deps.makeRecord(
    {
      url,
      fileName: '',
      ...type,
      ...describePage(type, answer.bytes),
      size: answer.bytes.length,
      sha256,
      ...(modifiedAt !== undefined && { modifiedAt }),
    },
    rule === source.access ? undefined : rule,
  );
  await run.add(record, state, modifiedAt);
  return 'taken';
}

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Undefined where nobody may read, or where a file answers, which the scan of files knows better. */
async function ruleOf(
  source: FolderSource,
  access: FolderAccess,
  url: string,
): Promise<AccessRule | undefined> {
  const local = url.slice(source.baseUrl.length).replace(/\?.*$/s, '');
  const cut = local.lastIndexOf('/') + 1;
  const folder = await new FolderWalk(access).locate(local.slice(0, cut));
  if (!folder) return undefined;
  const name = decodeEntry(local.slice(cut)).toString('utf8');
  const names = name === '' ? access.indexNames(folder.rules) : [name];
  for (const one of url.includes('?') ? [] : names) {
    const facts = await lstat(join(folder.path, one)).catch(() => undefined);
    if (facts?.isFile() && !isRunByServers(one)) return undefined;
  }
  return access.decide(folder.rules, local, name, 'page').rule;
}
