/** /topics, /topics/{acronym}, and its list as CSV and JSON; live while a run goes on. */
import type { Hono } from 'hono';
import type { Relevance } from '../app/relevance.ts';
import type { AccessRule } from '../core/access.ts';
import { mayRead } from '../core/access-match.ts';
import { GarnerError } from '../core/errors.ts';
import { writeCsvRow } from '../core/write-csv.ts';
import { findCrawlProgress } from '../crawl/progress.ts';
import { findUrlOutcomes } from '../crawl/seed-outcomes.ts';
import {
  type Assessment,
  type Corpora,
  type SeedOutcome,
  type Topic,
  type TopicRun,
  type TopicRuns,
  topicStatistics,
  withoutWords,
} from '../discover/index.ts';
import type { PortalAssets } from '../portal/assets.ts';
import { weightText } from '../portal/topic-candidates.ts';
import { renderTopicPage, type ShownList, TOPIC_LISTS } from '../portal/topic-page.ts';
import { renderTopicsPage } from '../portal/topics-page.ts';
import { type HttpContext, type HttpEnv, signedInAs } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { findAskedList, findNewestList, getReadableTopic } from './readable-topic.ts';
import { siteFor } from './site.ts';

export interface TopicRoutesDeps {
  readonly topics: ReadonlyMap<string, Topic>;
  readonly runs: TopicRuns;
  readonly relevance: Relevance;
  readonly corpora: Corpora;
  readonly access: AccessRule;
}

/** Seconds after which a page with something running is asked for again. */
const REFRESH = '3';
const ACRONYM = '[A-Za-z0-9][A-Za-z0-9_-]*';

export function addTopicPages(
  app: Hono<HttpEnv>,
  deps: HttpDeps,
  topicDeps: TopicRoutesDeps,
  assets: PortalAssets,
): void {
  const { topics, runs, relevance, corpora, access } = topicDeps;
  app.get('/topics', (c) => {
    const readable = mayRead(access, c.get('viewer')) ? [...topics.values()] : [];
    return c.html(
      renderTopicsPage({
        site: siteFor(c, deps, assets),
        topics: readable.map(({ acronym, title }) => ({
          acronym,
          title,
          run: findNewestList(topicDeps, acronym),
        })),
        signedInAs: signedInAs(c),
      }),
    );
  });

  app.get(`/topics/:acronym{${ACRONYM}}`, async (c) => {
    const topic = getReadableTopic(c, topicDeps, c.req.param('acronym'));
    const run = findAskedList(c, topicDeps, topic);
    const shown = run && (await showList(topic, run));
    if (shown?.info?.status === 'running') c.header('refresh', REFRESH);
    const list = TOPIC_LISTS.find((name) => name === c.req.query('list')) ?? 'all';
    return c.html(
      renderTopicPage({
        site: siteFor(c, deps, assets),
        acronym: topic.acronym,
        title: topic.title,
        shown,
        list,
        otherRuns: runs.list(topic.acronym).filter((id) => id !== run?.runId),
        hasCorpus: corpora.list(topic.acronym).length > 0,
        mayMark: deps.tokens.some(({ role }) => role !== 'reader'),
        isKeeper: c.get('viewer').role !== 'reader',
        signedInAs: signedInAs(c),
      }),
    );
  });

  async function showList(topic: Topic, run: TopicRun): Promise<ShownList> {
    const { crawl } = run;
    const info = await deps.store.runs.findRun(crawl?.runId ?? run.runId);
    return {
      run,
      info,
      assessment: relevance.assess(topic, run),
      outcomes: outcomesOf(run),
      progress:
        info?.status === 'running' && crawl && deps.dataFolder !== undefined
          ? findCrawlProgress(deps.dataFolder, topic.acronym, info.id)
          : undefined,
    };
  }

  /** Those of a crawl that goes on are asked for; those of one that ended are in the list. */
  function outcomesOf({ acronym, crawl }: TopicRun): Map<string, SeedOutcome> {
    if (!crawl) return new Map();
    if (crawl.outcomes) return new Map(Object.entries(crawl.outcomes));
    const urls = crawl.state === 'waiting' ? [] : crawl.seeds.map(({ url }) => url);
    const found =
      deps.dataFolder === undefined
        ? new Map<string, SeedOutcome>()
        : findUrlOutcomes(deps.dataFolder, acronym, urls);
    return new Map(crawl.seeds.map(({ key, url }) => [key, found.get(url) ?? { state: 'queued' }]));
  }

  app.get(`/topics/:file{${ACRONYM}\\.csv}`, (c) => {
    const run = getList(c, c.req.param('file'));
    c.header('content-type', 'text/csv; charset=utf-8; header=present');
    c.header('content-disposition', `attachment; filename="${run.acronym}-${run.runId}.csv"`);
    return c.body(writeTable(run, relevance.assess(getReadableTopic(c, topicDeps, run.acronym), run)));
  });

  app.get(`/topics/:file{${ACRONYM}\\.json}`, (c) => {
    const run = getList(c, c.req.param('file'));
    return c.json(writeDocument(run, relevance.assess(getReadableTopic(c, topicDeps, run.acronym), run)));
  });

  function getList(c: HttpContext, file: string): TopicRun {
    const topic = getReadableTopic(c, topicDeps, file.replace(/\.\w+$/, ''));
    const run = findAskedList(c, topicDeps, topic);
    if (!run) throw new GarnerError('run.unknown', `${topic.acronym} has no list yet`);
    return run;
  }
}

function writeTable(run: TopicRun, { verdicts }: Assessment): string {
  const names = run.engines.map(({ name }) => name);
  const header = [
    'position',
    'url',
    'title',
    'weight',
    'score',
    'accepted',
    'mark',
    ...names,
    'html',
    'media type',
    'kind',
    'reason',
    'change',
    'position before',
  ];
  const rows = run.candidates.map((candidate) => [
    String(candidate.position),
    candidate.url,
    candidate.title,
    weightText(candidate.weight),
    verdicts.get(candidate.key)?.score.toFixed(4),
    verdicts.get(candidate.key)?.accepted ? 'yes' : 'no',
    verdicts.get(candidate.key)?.mark?.mark,
    ...names.map((name) => candidate.ranks[name]?.toString()),
    candidate.category.html ? 'yes' : 'no',
    candidate.category.mediaType,
    candidate.category.kind,
    candidate.category.reason,
    candidate.change,
    candidate.positionBefore?.toString(),
  ]);
  return [header, ...rows].map((row) => writeCsvRow(row)).join('');
}

/** Engines without their own lists, which stand in the candidates' ranks; candidates with what is thought of them. */
function writeDocument(
  { engines, startedAt, endedAt, candidates, found = [], ...run }: TopicRun,
  assessment: Assessment,
) {
  const iso = (at: number) => new Date(at).toISOString();
  return {
    ...run,
    candidates: candidates.map((candidate) => ({
      ...withoutWords(candidate),
      ...verdictOf(assessment, candidate.key),
    })),
    found: found.map((candidate) => ({
      ...withoutWords(candidate),
      ...verdictOf(assessment, candidate.key),
    })),
    rule: assessment.rule,
    ...(assessment.cutOff && { threshold: assessment.cutOff.threshold }),
    startedAt: iso(startedAt),
    ...(endedAt !== undefined && { endedAt: iso(endedAt) }),
    engines: engines.map(({ lists, answers, ...engine }) => ({
      ...engine,
      results: lists.reduce((sum, list) => sum + list.length, 0),
      answers: answers.map(({ at, ...answer }) => ({ ...answer, at: iso(at) })),
    })),
    statistics: topicStatistics({ candidates, engines }),
  };
}

function verdictOf({ verdicts }: Assessment, key: string) {
  const { score, parts, accepted, because, mark } = verdicts.get(key) ?? {};
  return { score, parts, accepted, because, mark: mark?.mark };
}
