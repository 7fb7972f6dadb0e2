/**
 * A topic from question to snapshot: ask, fuse, categorise, accept, crawl, and what is made of the crawl. Each step
 * leaves its result on the disk before the next begins, so that a run after a crash goes on where that one was.
 */
import type { Garner } from '../app.ts';
import type { CrawlConfig } from '../core/crawl-schema.ts';
import { GarnerError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { CrawlProgress, CrawlReport } from '../crawl/index.ts';
import { findUrlOutcomes } from '../crawl/seed-outcomes.ts';
import {
  findFinished,
  openCorpora,
  openTopicRuns,
  type Topic,
  type TopicCrawl,
  type TopicReport,
  type TopicRun,
} from '../discover/index.ts';
import { crawlArchive } from './crawl-archive.ts';
import { type Discovery, openDiscovery } from './discover.ts';
import { listedCandidates } from './packages.ts';
import { openRelevance } from './relevance.ts';
import { createReadDocuments } from './topic-documents.ts';

export interface TopicRunOptions {
  readonly signal?: AbortSignal;
  readonly onChange?: (run: TopicRun) => void;
  readonly onCrawl?: (progress: CrawlProgress) => void;
  /** `list`: nothing is crawled. `crawl`: nobody is asked; what the newest list accepts is crawled. */
  readonly only?: 'list' | 'crawl';
  /** Forget what a run before has still to do. */
  readonly fresh?: boolean;
}

export interface TopicOutcome extends TopicReport {
  /** Absent: nothing was crawled now. */
  readonly crawl?: CrawlReport;
  /** It went on with the list of a run before. */
  readonly resumed: boolean;
}

/** A snapshot that was just stored. */
export interface TopicSnapshot {
  readonly topic: Topic;
  /** Of the item; its source is the topic's acronym. */
  readonly identifier: string;
  readonly list: TopicRun;
}

/**
 * What is made of a snapshot once it is stored. Called again after a crash, so that doing it twice must not matter.
 * May give the list back with what it learned.
 */
export type AfterCrawl = (snapshot: TopicSnapshot, signal?: AbortSignal) => Promise<TopicRun>;

export interface TopicPipeline extends Disposable {
  run(acronym: string, options?: TopicRunOptions): Promise<TopicOutcome>;
  /** Only asks and lists; see `Discovery.list`. */
  readonly list: Discovery['list'];
}

export function openTopicPipeline(garner: Garner, log: Log): TopicPipeline {
  const { config } = garner;
  const discovery = openDiscovery(garner, log);
  const runs = openTopicRuns(config.data);
  const relevance = openRelevance(garner);
  const afterCrawl: readonly AfterCrawl[] = [createReadDocuments(garner, openCorpora(config.data))];

  async function run(acronym: string, options: TopicRunOptions = {}): Promise<TopicOutcome> {
    const topic = discovery.getTopic(acronym);
    const pending = options.fresh === true ? undefined : findPending(acronym);
    if (pending && options.only !== 'list')
      return { ...(await follow(topic, pending, options)), resumed: true };
    if (options.only === 'crawl') return { ...(await crawlAgain(topic, options)), resumed: false };
    const report = await discovery.run(acronym, {
      ...(options.signal && { signal: options.signal }),
      ...(options.onChange && { onChange: options.onChange }),
      ...(options.fresh !== undefined && { fresh: options.fresh }),
      ...(config.discover.archive &&
        options.only !== 'list' && { plan: (list) => relevance.plan(topic, list) }),
    });
    if (!report.run.crawl) return { ...report, resumed: false };
    const followed = await follow(topic, report.run, options);
    return { ...worse(report, followed), resumed: false };
  }

  function findPending(acronym: string): TopicRun | undefined {
    const [newest] = runs.list(acronym);
    const list = newest === undefined ? undefined : runs.find(acronym, newest);
    const state = list?.crawl?.state;
    return list?.step === 'done' && (state === 'waiting' || state === 'crawling' || state === 'crawled')
      ? list
      : undefined;
  }

  /** What the newest list accepts now: marks may have changed since. */
  async function crawlAgain(topic: Topic, options: TopicRunOptions): Promise<Omit<TopicOutcome, 'resumed'>> {
    const list = findFinished(runs, topic.acronym);
    if (!list) throw new GarnerError('usage.invalid', `${topic.acronym} has no list yet; ask for one first`);
    const crawl = relevance.plan(topic, list);
    if (!crawl) return { run: list, status: 'failed', message: 'nothing of the list is accepted' };
    const planned = { ...list, crawl };
    runs.write(planned);
    return follow(topic, planned, options);
  }

  async function follow(
    topic: Topic,
    list: TopicRun,
    { signal, onChange, onCrawl }: TopicRunOptions,
  ): Promise<Omit<TopicOutcome, 'resumed'>> {
    let run = list;
    const keep = (change: Partial<TopicCrawl>, changed = run): void => {
      if (!changed.crawl) return;
      run = { ...changed, crawl: { ...changed.crawl, ...change } };
      runs.write(run);
      onChange?.(run);
    };
    const state = list.crawl?.state;
    let report: CrawlReport | undefined;
    if (state === 'waiting' || state === 'crawling') {
      report = await crawlArchive(
        garner,
        {
          source: topic.acronym,
          seeds: (list.crawl?.seeds ?? []).map(({ url }) => url),
          crawl: crawlOf(topic),
        },
        log,
        {
          series: topic.acronym,
          title: `${topic.title} (${topic.acronym}), ${new Date(list.startedAt).toISOString().slice(0, 16).replace('T', ' ')}`,
          sets: [topic.acronym],
          candidates: listedCandidates(list),
          // A job of another list that was not closed in order has nothing to do with this one.
          fresh: state === 'waiting',
          ...(signal && { signal }),
          ...(onCrawl && { onProgress: onCrawl }),
          onStart: (runId) => keep({ state: 'crawling', runId }),
          onSnapshot: (snapshot) => keep({ state: 'crawled', snapshot }),
        },
      );
      if (report.status === 'interrupted') return { run, ...statusOf(report), crawl: report };
      if (report.snapshot === undefined)
        keep({ state: 'failed', message: report.message ?? 'nothing was captured', ...outcomes(run) });
    }
    const identifier = run.crawl?.snapshot;
    if (run.crawl?.state === 'crawled' && identifier !== undefined) {
      keep(outcomes(run));
      for (const step of afterCrawl) keep({}, await step({ topic, identifier, list: run }, signal));
      keep({ state: 'done', ...(report?.message !== undefined && { message: report.message }) });
    }
    return report ? { run, ...statusOf(report), crawl: report } : { run, status: 'complete' };
  }

  /** Only what can be searched has a snapshot. */
  const crawlOf = ({ crawl }: Topic): CrawlConfig => ({
    ...crawl,
    allowPrivate: crawl.allowPrivate || config.discover.allowPrivate,
    searchable: true,
  });

  function outcomes({ acronym, crawl }: TopicRun): Pick<TopicCrawl, 'outcomes'> {
    const seeds = crawl?.seeds ?? [];
    const found = findUrlOutcomes(
      config.data,
      acronym,
      seeds.map(({ url }) => url),
    );
    return {
      outcomes: Object.fromEntries(
        seeds.flatMap(({ key, url }) => {
          const outcome = found.get(url);
          return outcome ? [[key, outcome]] : [];
        }),
      ),
    };
  }

  return {
    run,
    list: (acronym, options) => discovery.list(acronym, options),
    [Symbol.dispose]: () => discovery[Symbol.dispose](),
  };
}

const statusOf = ({ status, message }: CrawlReport): Pick<TopicReport, 'status' | 'message'> => ({
  status,
  ...(message !== undefined && { message }),
});

/** Of asking and crawling, whichever fared worse. */
function worse<T extends Pick<TopicOutcome, 'run' | 'status' | 'message'>>(
  asked: TopicReport,
  crawled: T,
): T {
  return crawled.status === 'complete'
    ? { ...crawled, status: asked.status, ...(asked.message !== undefined && { message: asked.message }) }
    : crawled;
}
