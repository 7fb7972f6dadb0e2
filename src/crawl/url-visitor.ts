/** One URL: asked for as its host permits, fetched, read and archived. */
import { headerValue } from '../archive/index.ts';
import { asGarnerError, GarnerError } from '../core/errors.ts';
import { BrowserVisitor } from './browser/browser-visitor.ts';
import type { CommitCycle } from './commit-cycle.ts';
import type { CrawlerParts, Effect } from './crawler-parts.ts';
import type { ExchangeKeeper } from './exchange-keeper.ts';
import type { FetchAnswer } from './fetch/answer.ts';
import { acceptsType, isFetchFailure } from './fetch/judge-answer.ts';
import type { QueuedUrl } from './frontier/frontier.ts';
import type { HostQueue } from './frontier/host-queue.ts';
import type { JobRequests } from './job-requests.ts';
import { findContent, findPrior, type PriorCapture } from './prior-capture.ts';
import { type AnswerReading, readAnswer, readPage, readSitemap } from './read-answer.ts';
import { RobotsCache } from './robots/robots-cache.ts';
import { SEED } from './scope/scope.ts';
import type { UrlIntake } from './url-intake.ts';
import type { UrlOutcomes } from './url-outcomes.ts';

export interface VisitorTools {
  readonly cycle: CommitCycle;
  readonly keeper: ExchangeKeeper;
  readonly requests: JobRequests;
  readonly intake: UrlIntake;
  readonly outcomes: UrlOutcomes;
}

export class UrlVisitor {
  readonly #parts: CrawlerParts;
  readonly #tools: VisitorTools;
  readonly #robot: string;
  readonly #robots: RobotsCache;
  readonly #browser: BrowserVisitor | undefined;

  constructor(parts: CrawlerParts, tools: VisitorTools) {
    this.#parts = parts;
    this.#tools = tools;
    const { settings, frontier, clock } = parts;
    this.#robot = /^[\w-]+/.exec(settings.userAgent)?.[0] ?? 'Garner';
    this.#robots = new RobotsCache({
      frontier,
      clock,
      robot: this.#robot,
      attempts: settings.attempts,
      backoffMs: settings.backoffMs,
      fetch: (url) => this.#fetchRobots(url),
      remember: (origin, robots) => tools.cycle.apply(() => frontier.putRobots(origin, robots)),
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    });
    this.#browser = parts.browser && new BrowserVisitor(parts, parts.browser, tools, this.#robots);
  }

  /** What it means for the frontier is given back, to be done when no commit waits. */
  async visit(queue: HostQueue, url: QueuedUrl): Promise<Effect> {
    const target = new URL(url.url);
    const { role } = url.place;
    const refusal = await this.#askRobots(queue, target, url);
    if (refusal) return refusal;
    if (this.#browser && role !== 'requisite' && role !== 'sitemap') return this.#browser.visit(queue, url);
    return this.#fetch(queue, target, url);
  }

  /** Undefined when it may be fetched now. */
  async #askRobots(queue: HostQueue, target: URL, url: QueuedUrl): Promise<Effect | undefined> {
    const { settings, clock } = this.#parts;
    const { outcomes } = this.#tools;
    const wasKnown = this.#robots.isKnown(target);
    const wantsSitemaps = settings.sitemap && url.place.role === 'seed' && !wasKnown;
    if (settings.robots !== 'obey') {
      if (wantsSitemaps) this.#addSitemaps(target, []);
      return undefined;
    }
    const { verdict, sitemaps, tookMs } = await this.#robots.rulesOf(target);
    if (wantsSitemaps) this.#addSitemaps(target, sitemaps);
    if (verdict === 'unreachable')
      return outcomes.giveUp(
        url,
        new GarnerError(
          'crawl.robots',
          `robots.txt of ${target.host} cannot be had, so nothing is fetched there`,
        ),
      );
    queue.crawlDelayMs = verdict.crawlDelayMs ?? 0;
    if (!verdict.isAllowed(target)) return outcomes.exclude(url, 'robots');
    // The host has just been asked for its rules: the page waits its turn.
    if (tookMs === undefined || wasKnown || (settings.delayMs === 0 && queue.crawlDelayMs === 0))
      return undefined;
    queue.rest(clock(), tookMs, settings);
    return () => queue.giveBack(url);
  }

  #addSitemaps(origin: URL, named: readonly string[]): void {
    const { cycle, intake } = this.#tools;
    cycle.apply(() => intake.addSitemaps(named.length > 0 ? named : ['/sitemap.xml'], origin));
  }

  async #fetch(queue: HostQueue, target: URL, url: QueuedUrl): Promise<Effect> {
    const { settings, fetcher, clock, signal, captures, source, folder } = this.#parts;
    const { keeper, requests, outcomes } = this.#tools;
    const prior = keeper.hasPast ? await findPrior(captures, source, folder, url.url) : undefined;
    let answer: FetchAnswer;
    try {
      answer = await fetcher.fetch({
        url: target,
        headers: requests.headersFor(target, prior),
        wants: (status, headers) =>
          status !== 200 || acceptsType(settings.types, headerValue(headers, 'Content-Type')),
        signal,
      });
    } catch (error) {
      if (signal.aborted || !isFetchFailure(error)) throw error;
      queue.rest(clock(), 0, settings);
      return outcomes.failed(queue, url, asGarnerError(error));
    }
    queue.failures = 0;
    queue.rest(clock(), answer.durationMs, settings);
    const setCookies = requests.takeCookies(target, answer);
    const again = outcomes.retryOf(queue, url, answer);
    if (again) {
      answer.body.discard();
      return again;
    }
    if (answer.unwanted) return outcomes.exclude(url, 'type');
    return this.#archive(target, url, answer, prior, setCookies);
  }

  async #archive(
    target: URL,
    url: QueuedUrl,
    answer: FetchAnswer,
    prior: PriorCapture | undefined,
    setCookies: boolean,
  ): Promise<Effect> {
    const { settings, onProblem, frontier } = this.#parts;
    const { keeper, outcomes, intake } = this.#tools;
    const isSitemap = url.place.role === 'sitemap';
    const reading: AnswerReading = isSitemap
      ? { links: [], follow: true, archive: true }
      : await this.#read(url.url, answer, prior);
    if (reading.problem) onProblem({ ...reading.problem, where: url.url });
    if (settings.robots === 'obey' && !reading.archive) {
      answer.body.discard();
      return outcomes.exclude(url, 'noarchive');
    }
    const sitemap = isSitemap ? await readSitemap(url.url, answer) : undefined;
    const { place, via } = url;
    const kept = await keeper.keep({
      url: url.url,
      place,
      answer,
      ...(via !== undefined && { via }),
      prior,
      reading: reading.content,
    });
    return () => {
      kept();
      frontier.tallies.add('documents');
      frontier.finish(url.id, 'done', { status: answer.status });
      intake.followRedirect(target, url, answer, setCookies);
      intake.followLinks(target, place, reading);
      for (const page of sitemap?.pages ?? []) intake.addListed(page, target);
      intake.addSitemaps(sitemap?.sitemaps ?? [], target);
    };
  }

  /** A page that has not changed is read from the archive: its links lead on as before. */
  async #read(url: string, answer: FetchAnswer, prior: PriorCapture | undefined): Promise<AnswerReading> {
    const { folder, reader } = this.#parts;
    const unchanged = answer.status === 304 && prior ? await findContent(folder, prior.stored) : undefined;
    return unchanged
      ? readPage(url, unchanged, this.#robot, reader)
      : readAnswer(url, answer, this.#robot, reader);
  }

  async #fetchRobots(url: URL): Promise<FetchAnswer> {
    const { fetcher, signal, settings } = this.#parts;
    const { cycle, keeper, requests } = this.#tools;
    const answer = await fetcher.fetch({ url, headers: requests.headersFor(url), signal });
    if (answer.status >= 500 && settings.attempts > 1) return answer;
    const kept = await keeper.keep({ url: url.href, place: SEED, answer });
    cycle.apply(() => {
      kept();
      keeper.noteDone(url, SEED);
    });
    return answer;
  }
}
