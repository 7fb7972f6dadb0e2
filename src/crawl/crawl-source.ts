/** One run of a source's crawl: lease, archive files, frontier and crawler put together and taken apart. */
import { createPdfReader } from '../archive/content/index.ts';
import { startWarcThread } from '../archive/index.ts';
import { archiveFolder, recordSnapshot, type SnapshotComparing } from '../archive/items/index.ts';
import { asGarnerError, GarnerError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { FieldSpec, RecordProblem } from '../core/model.ts';
import { type Clock, systemClock } from '../core/time.ts';
import { VERSION } from '../core/version.ts';
import type { PortFor } from '../net/host-map.ts';
import type { ResolveHost } from '../net/public-address.ts';
import type { GarnerStore, RunStatus } from '../store/index.ts';
import { openBrowser } from './browser/page-browser.ts';
import { type CrawlEnd, Crawler } from './crawler.ts';
import { createFetcher } from './fetch/fetcher.ts';
import { openFrontier } from './frontier/frontier.ts';
import { CRAWL_RUN, type CrawlProgress, frontierPath } from './progress.ts';
import { indexCaptures, recordItems } from './record-captures.ts';
import { recoverCaptures } from './recover-captures.ts';
import { recoverFiles } from './recover-files.ts';
import type { CrawlSettings } from './settings.ts';

export interface CrawlDeps {
  readonly store: Pick<GarnerStore, 'captures' | 'items' | 'runs' | 'blobs'>;
  /** The data folder. */
  readonly folder: string;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly resolveHost?: ResolveHost;
  readonly portFor?: PortFor;
  /** Of the installation; with them captures become items that can be searched. */
  readonly fields?: readonly FieldSpec[];
  /** How a snapshot is held against the one before it. */
  readonly comparing?: SnapshotComparing;
}

export interface CrawlOptions {
  readonly signal?: AbortSignal;
  /** Forget what a run before did not finish. */
  readonly fresh?: boolean;
  /** What the crawl is a snapshot of, such as a topic; absent: the source. */
  readonly series?: string;
  /** Of the snapshot. */
  readonly title?: string;
  /** The ranked list that it is crawled from; kept with the snapshot. */
  readonly candidates?: unknown;
  /** OAI sets that the snapshot is in. */
  readonly sets?: readonly string[];
  /** The job is on the disk, and nothing was fetched yet. */
  readonly onStart?: (runId: number) => void;
  /** The snapshot is stored; the job is not over yet, so a crash from here on gives it again. */
  readonly onSnapshot?: (identifier: string) => void;
  readonly onProgress?: (progress: CrawlProgress) => void;
}

export interface CrawlReport extends CrawlProgress {
  readonly runId: number;
  readonly status: Exclude<RunStatus, 'running'>;
  readonly message?: string;
  readonly problems: number;
  readonly resumed: boolean;
  /** The item that lists its captures. */
  readonly snapshot?: string;
}

const BEAT_MS = 5000;

export async function crawlSource(
  deps: CrawlDeps,
  source: string,
  seeds: readonly string[],
  settings: CrawlSettings,
  options: CrawlOptions = {},
): Promise<CrawlReport> {
  const { store, log } = deps;
  const clock = deps.clock ?? systemClock;
  const { id: runId } = await store.runs.startRun(source, CRAWL_RUN);
  const started = performance.now();
  log?.('run.started', { source, kind: CRAWL_RUN, runId });
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const notebook = createNotebook(store, source, runId);
  const pdf = createPdfReader();
  const folder = archiveFolder(deps.folder, source);
  try {
    const path = frontierPath(deps.folder, source);
    const frontier = openFrontier({
      path,
      source,
      runId,
      seeds,
      now: clock(),
      ...(options.fresh === true && { fresh: true }),
    });
    const { job } = frontier;
    const record = deps.fields
      ? recordItems(
          { store, fields: deps.fields, folder, pdf },
          { source, runId, capturedBy: settings.userAgent },
        )
      : indexCaptures(store.captures, source);
    let end: CrawlEnd;
    let lost: unknown;
    let snapshot: string | undefined;
    const beat = setInterval(() => {
      notebook.write().catch((error: unknown) => {
        lost = error;
        stop.abort(error);
      });
    }, BEAT_MS);
    try {
      options.onStart?.(runId);
      await recoverFiles(folder, job.prefix, frontier.listFiles());
      await recoverCaptures(frontier.listAllFiles(), folder, store.captures, source, record);
      const writer = startWarcThread({
        folder,
        prefix: job.prefix,
        template: '{prefix}-{serial}',
        info: describeCrawl(source, settings),
      });
      const fetcher = createFetcher({
        limits: settings.limits,
        allowPrivate: settings.allowPrivate,
        insecureTls: settings.insecureTls,
        clock,
        folder,
        ...(deps.resolveHost && { resolveHost: deps.resolveHost }),
        ...(deps.portFor && { portFor: deps.portFor }),
      });
      const browser = settings.browser
        ? await openBrowser({ userAgent: settings.userAgent, path: settings.browserPath })
        : undefined;
      try {
        const crawler = new Crawler({
          source,
          settings,
          frontier,
          fetcher,
          writer,
          folder,
          captures: store.captures,
          record,
          clock,
          reader: { pdf, linksOnly: deps.fields === undefined },
          browser,
          signal,
          onProblem: notebook.add,
          onCommit: (progress) => {
            notebook.expect(progress.captures + progress.queued + progress.active);
            options.onProgress?.(progress);
          },
        });
        end = await crawler.run(seeds);
      } finally {
        await browser?.close();
        fetcher.close();
        await writer.close();
      }
      if (lost !== undefined) throw lost;
      if (!signal.aborted) {
        // Before the job ends: a crawl that is killed here comes back to it, and makes the same item again.
        if (deps.fields) {
          const files = frontier.listFiles().map(({ name }) => name);
          const { series = source, title, sets, candidates } = options;
          const facts = {
            series,
            files,
            ...(title !== undefined && { title }),
            ...(sets && { sets }),
            ...(candidates !== undefined && { candidates }),
          };
          const recording = {
            store,
            fields: deps.fields,
            ...(deps.comparing && { comparing: deps.comparing }),
          };
          snapshot = (await recordSnapshot(recording, { source, runId }, facts))?.identifier;
          if (snapshot !== undefined) options.onSnapshot?.(snapshot);
        }
        frontier.end(clock(), end.progress);
      }
    } finally {
      clearInterval(beat);
      frontier.close();
    }
    const outcome = outcomeOf(end, signal.aborted, seeds.length > 0);
    await notebook.write();
    await store.runs.finishRun(runId, outcome.status, outcome.message);
    log?.('run.finished', { source, runId, ...outcome, durationMs: Math.round(performance.now() - started) });
    return {
      ...end.progress,
      ...outcome,
      runId,
      problems: notebook.count(),
      resumed: job.resumed,
      ...(snapshot !== undefined && { snapshot }),
    };
  } catch (thrown) {
    const error = asGarnerError(thrown);
    log?.('run.failed', { source, runId, error });
    if (error.code !== 'store.lease-lost')
      await store.runs.finishRun(runId, 'failed', error.message).catch((cause: unknown) => {
        throw new GarnerError(error.code, error.message, { cause });
      });
    throw error;
  } finally {
    await pdf.close();
  }
}

function outcomeOf(
  { progress, limit }: CrawlEnd,
  aborted: boolean,
  hadSeeds: boolean,
): Pick<CrawlReport, 'status' | 'message'> {
  if (aborted)
    return { status: 'interrupted', message: 'stopped; the next crawl of the source goes on from here' };
  if (limit !== undefined)
    return {
      status: 'incomplete',
      message: `stopped at the limit of ${limit}; ${progress.queued} URLs were left`,
    };
  if (!hadSeeds && progress.captures + progress.failed === 0)
    return { status: 'complete', message: 'there was nothing to fetch' };
  if (progress.captures === 0) return { status: 'failed', message: 'nothing could be captured' };
  return progress.failed > 0
    ? { status: 'incomplete', message: `${progress.failed} URLs could not be fetched` }
    : { status: 'complete' };
}

const describeCrawl = (source: string, settings: CrawlSettings): [string, string][] => [
  ['software', `Garner/${VERSION}`],
  ['isPartOf', source],
  ['robots', settings.robots],
  ['http-header-user-agent', settings.userAgent],
  ['conformsTo', 'https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/'],
];

/** Problems on their way into the run, a few at a time; writing them also keeps the lease. */
function createNotebook(store: CrawlDeps['store'], source: string, runId: number) {
  let waiting: RecordProblem[] = [];
  let count = 0;
  let total = 0;
  return {
    add: (problem: RecordProblem): void => {
      waiting.push(problem);
      count++;
    },
    expect: (urls: number): void => {
      total = urls;
    },
    count: () => count,
    async write(): Promise<void> {
      const problems = waiting;
      waiting = [];
      await store.items.commit({ source, runId, problems, checkpoint: { total } });
    },
  };
}
