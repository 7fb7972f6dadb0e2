/**
 * One crawl: takes URLs from the frontier as hosts permit, fetches, archives, reads, and puts what was
 * found into the frontier. What happens to the frontier happens in `CommitCycle.apply`, never while a commit waits
 * for the archive to be synced.
 */
import type { ContentReader } from '../archive/content/index.ts';
import { headerValue, headerValues, type WarcThread } from '../archive/index.ts';
import { asGarnerError, GarnerError } from '../core/errors.ts';
import type { Instant, RecordProblem } from '../core/model.ts';
import type { Clock } from '../core/time.ts';
import { type CookieJar, createCookieJar } from '../net/cookie-jar.ts';
import { parseRetryAfter } from '../net/retry-after.ts';
import type { CaptureEntry, CaptureIndex } from '../store/captures.ts';
import type { BrowsedPage, PageBrowser } from './browser/page-browser.ts';
import { type ServedAnswer, ServedAnswers, serveAnswer } from './browser/served-answers.ts';
import { CommitCycle } from './commit-cycle.ts';
import { describeProgress } from './describe-progress.ts';
import {
  draftExchange,
  draftResource,
  type ExchangeStory,
  indexEntry,
  resourceEntry,
} from './exchange-records.ts';
import type { FetchAnswer } from './fetch/answer.ts';
import type { Fetcher } from './fetch/fetcher.ts';
import { acceptsType, decodeLocation, isFetchFailure, isRedirect } from './fetch/judge-answer.ts';
import type { Frontier, QueuedUrl } from './frontier/frontier.ts';
import { HostQueue, PRIORITIES } from './frontier/host-queue.ts';
import { ReadyHeap } from './frontier/ready-heap.ts';
import { findContent, findPrior, type Original, originalOf, type PriorCapture } from './prior-capture.ts';
import type { CrawlProgress } from './progress.ts';
import { type AnswerReading, readAnswer, readPage, readSitemap } from './read-answer.ts';
import type { RecordCaptures } from './record-captures.ts';
import { RobotsCache } from './robots/robots-cache.ts';
import { crawlKey, hostKey, parseCrawlUrl } from './scope/canonical.ts';
import { createScope, type Judgement, type Scope, SEED, type UrlPlace } from './scope/scope.ts';
import { findTrap } from './scope/traps.ts';
import type { CrawlSettings } from './settings.ts';

export interface CrawlerParts {
  readonly source: string;
  readonly settings: CrawlSettings;
  readonly frontier: Frontier;
  readonly fetcher: Fetcher;
  readonly writer: WarcThread;
  /** Where the writer's files are. */
  readonly folder: string;
  readonly captures: CaptureIndex;
  readonly record: RecordCaptures;
  readonly clock: Clock;
  readonly reader: ContentReader;
  /** Opens pages, where they are not just fetched. */
  readonly browser: PageBrowser | undefined;
  readonly signal: AbortSignal;
  readonly onProblem: (problem: RecordProblem) => void;
  readonly onCommit: (progress: CrawlProgress) => void;
}

export interface CrawlEnd {
  readonly progress: CrawlProgress;
  /** Which limit stopped it. */
  readonly limit?: string;
}

const MAX_REMEMBERED_DIGESTS = 200_000;
/** Smaller payloads are worth less than the trouble of a revisit of another URL. */
const SHARED_PAYLOAD_BYTES = 512;
const MAX_EXCLUDED_ROWS = 1000;
/** Over which the rate is taken. */
const RATE_MS = 2000;
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504, 520, 522, 524]);
/** Failures that say something about the host and not about the URL. */
const HOST_FAILURES: ReadonlySet<string> = new Set(['http.unreachable', 'http.timeout', 'http.tls']);

export class Crawler {
  readonly #parts: CrawlerParts;
  readonly #scope: Scope;
  readonly #robots: RobotsCache;
  readonly #jar: CookieJar;
  readonly #hosts = new Map<string, HostQueue>();
  readonly #ready = new ReadyHeap<HostQueue>();
  readonly #digests = new Map<string, Original>();
  /** Of browsed pages. */
  readonly #served = new ServedAnswers();
  readonly #hostCaptures = new Map<string, number>();
  readonly #robot: string;
  readonly #startedAt: Instant;
  /** Whether the source had captures before this process began. */
  #hasPast = false;
  #active = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #cycle: CommitCycle;
  #limit: string | undefined;
  #failure: unknown;
  #finish: (() => void) | undefined;
  #finished = false;
  #rate = { at: 0, captures: 0, value: 0 };

  constructor(parts: CrawlerParts) {
    this.#parts = parts;
    const { settings, frontier, clock } = parts;
    this.#startedAt = clock();
    this.#scope = createScope(settings);
    this.#jar = createCookieJar(clock);
    this.#robot = /^[\w-]+/.exec(settings.userAgent)?.[0] ?? 'Garner';
    this.#robots = new RobotsCache({
      frontier,
      clock,
      robot: this.#robot,
      attempts: settings.attempts,
      backoffMs: settings.backoffMs,
      fetch: (url) => this.#fetchRobots(url),
      remember: (origin, robots) => this.#cycle.apply(() => frontier.putRobots(origin, robots)),
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    });
    this.#cycle = new CommitCycle({
      ...parts,
      progress: () => this.progress(),
      onFailure: (error) => {
        this.#failure ??= error;
        this.#finishIfIdle();
      },
      onSettled: () => this.#finishIfIdle(),
    });
  }

  async run(seeds: readonly string[]): Promise<CrawlEnd> {
    const { frontier, captures, source, signal } = this.#parts;
    await this.#cycle.start();
    const files = await captures.listFiles(source);
    this.#hasPast = files.length > 0;
    for (const area of frontier.listAreas()) this.#scope.addSeed(new URL(area));
    for (const { host, queued } of frontier.listHosts()) {
      const queue = new HostQueue(frontier, host, queued);
      this.#hosts.set(host, queue);
      this.#await(queue);
    }
    for (const seed of seeds) this.#addSeed(seed);
    const stop = () => this.#finishIfIdle();
    signal.addEventListener('abort', stop, { once: true });
    await new Promise<void>((resolve) => {
      this.#finish = resolve;
      this.#pump();
      this.#finishIfIdle();
    });
    this.#cycle.stop();
    clearTimeout(this.#timer);
    signal.removeEventListener('abort', stop);
    await this.#cycle.finish(() => this.#failure !== undefined);
    if (this.#failure !== undefined) throw this.#failure;
    return { progress: this.progress(), ...(this.#limit !== undefined && { limit: this.#limit }) };
  }

  #addSeed(text: string): void {
    const url = parseCrawlUrl(text);
    if (!url) {
      this.#parts.onProblem({
        code: 'http.address',
        message: 'only http and https are crawled',
        where: text,
      });
      return;
    }
    this.#openArea(url);
    this.#addUrl(url, this.#scope.judgeSeed(url), undefined);
  }

  #openArea(url: URL): void {
    this.#scope.addSeed(url);
    this.#parts.frontier.addArea(url.href);
  }

  /** Puts a URL into the frontier, if it is new and no trap. */
  #addUrl(url: URL, judgement: Judgement, via: string | undefined): void {
    const { frontier, settings } = this.#parts;
    if ('reason' in judgement) {
      frontier.tallies.add(`excluded ${judgement.reason}`);
      return;
    }
    const key = crawlKey(url);
    if (frontier.knows(key)) return;
    const host = hostKey(url);
    const { place } = judgement;
    const row = {
      key,
      url: url.href,
      host,
      place,
      priority:
        place.role === 'link'
          ? PRIORITIES.link
          : place.role === 'requisite'
            ? PRIORITIES.requisite
            : PRIORITIES.seed,
      ...(via !== undefined && { via }),
    };
    const trap = findTrap(url, settings.traps, { count: (family) => frontier.families.add(family) });
    if (trap !== undefined) {
      const times = frontier.tallies.add(`excluded ${trap}`);
      if (times <= MAX_EXCLUDED_ROWS) frontier.add(row, trap);
      if (times === 1)
        this.#parts.onProblem({
          code: 'crawl.trap',
          message: `looks like a ${trap}; such URLs are left out`,
          where: url.href,
        });
      return;
    }
    this.#enqueue(frontier.add(row));
  }

  #enqueue(url: QueuedUrl): void {
    let queue = this.#hosts.get(url.host);
    if (!queue) {
      queue = new HostQueue(this.#parts.frontier, url.host, 0);
      this.#hosts.set(url.host, queue);
    }
    queue.add(url);
    this.#await(queue);
  }

  #await(queue: HostQueue): void {
    if (queue.waits || queue.active >= this.#parts.settings.perHost) return;
    const at = queue.readyAt();
    if (at === undefined) return;
    queue.waits = true;
    this.#ready.push(at, queue);
  }

  get #stopped(): boolean {
    return (
      this.#finished || this.#limit !== undefined || this.#failure !== undefined || this.#parts.signal.aborted
    );
  }

  #pump(): void {
    const { clock, settings } = this.#parts;
    clearTimeout(this.#timer);
    while (this.#active < settings.concurrency && !this.#stopped) {
      const at = this.#ready.peekAt();
      if (at === undefined) return;
      const now = clock();
      if (at > now) {
        this.#timer = setTimeout(() => this.#pump(), Math.min(at - now, 60_000));
        return;
      }
      const queue = this.#ready.pop();
      if (!queue) return;
      queue.waits = false;
      if ((queue.readyAt() ?? 0) > now) {
        this.#await(queue);
        continue;
      }
      if (!this.#hasRoom(now)) {
        // What is under way may turn out to be no capture; then there is room again.
        this.#await(queue);
        return;
      }
      const url = queue.take(now);
      if (!url) continue;
      this.#active++;
      if (settings.delayMs > 0) queue.nextAt = Math.max(queue.nextAt, now + settings.delayMs);
      this.#await(queue);
      void this.#visit(queue, url);
    }
  }

  /** Whether the limits permit one more; sets the one that is reached. */
  #hasRoom(now: Instant): boolean {
    const { settings, frontier } = this.#parts;
    const { limits } = settings;
    const documents = frontier.tallies.get('documents');
    if (documents >= limits.captures) this.#limit = `captures (${limits.captures})`;
    if (frontier.tallies.get('bytes') >= limits.bytes) this.#limit = `bytes (${limits.bytes})`;
    if (now - this.#startedAt >= limits.durationMs) this.#limit = `time (${limits.durationMs} ms)`;
    return this.#limit === undefined && documents + this.#active < limits.captures;
  }

  async #visit(queue: HostQueue, url: QueuedUrl): Promise<void> {
    try {
      const effect = await this.#fetchOne(queue, new URL(url.url), url);
      this.#cycle.apply(() => {
        queue.done(url);
        effect();
      });
    } catch (error) {
      // An exchange that was broken off on purpose stays queued.
      if (!this.#parts.signal.aborted) this.#failure ??= error;
    } finally {
      this.#active--;
      this.#cycle.apply(() => {
        queue.done(url);
        this.#await(queue);
        this.#pump();
        this.#finishIfIdle();
      });
    }
  }

  /** Fetches and archives; what it means for the frontier is given back, to be done when no commit waits. */
  async #fetchOne(queue: HostQueue, target: URL, url: QueuedUrl): Promise<() => void> {
    const { settings, fetcher, clock, signal } = this.#parts;
    if (settings.robots === 'obey') {
      const wasKnown = this.#robots.isKnown(target);
      const { verdict, sitemaps, tookMs } = await this.#robots.rulesOf(target);
      if (!wasKnown && settings.sitemap && url.place.role === 'seed') this.#addSitemaps(target, sitemaps);
      if (verdict === 'unreachable')
        return this.#giveUp(
          url,
          new GarnerError(
            'crawl.robots',
            `robots.txt of ${target.host} cannot be had, so nothing is fetched there`,
          ),
        );
      queue.crawlDelayMs = verdict.crawlDelayMs ?? 0;
      if (!verdict.isAllowed(target)) return () => this.#exclude(url, 'robots');
      if (tookMs !== undefined && !wasKnown && (settings.delayMs > 0 || queue.crawlDelayMs > 0)) {
        queue.rest(clock(), tookMs, settings);
        return () => queue.giveBack(url);
      }
    } else if (settings.sitemap && url.place.role === 'seed' && !this.#robots.isKnown(target)) {
      this.#addSitemaps(target, []);
    }
    const { browser } = this.#parts;
    if (browser && url.place.role !== 'requisite' && url.place.role !== 'sitemap')
      return this.#browse(browser, queue, url);
    const prior = this.#hasPast
      ? await findPrior(this.#parts.captures, this.#parts.source, this.#parts.folder, url.url)
      : undefined;
    let answer: FetchAnswer;
    try {
      answer = await fetcher.fetch({
        url: target,
        headers: this.#requestHeaders(target, prior),
        wants: (status, headers) =>
          status !== 200 || acceptsType(settings.types, headerValue(headers, 'Content-Type')),
        signal,
      });
    } catch (error) {
      if (signal.aborted || !isFetchFailure(error)) throw error;
      queue.rest(clock(), 0, settings);
      return this.#failed(queue, url, asGarnerError(error));
    }
    queue.failures = 0;
    queue.rest(clock(), answer.durationMs, settings);
    const cookies = headerValues(answer.headers, 'Set-Cookie');
    if (cookies.length > 0) this.#jar.store(target, cookies);
    const again = this.#retryOf(queue, url, answer);
    if (again) {
      answer.body.discard();
      return again;
    }
    if (answer.unwanted) return () => this.#exclude(url, 'type');
    return this.#archive(target, url, answer, prior, cookies.length > 0);
  }

  async #archive(
    target: URL,
    url: QueuedUrl,
    answer: FetchAnswer,
    prior: PriorCapture | undefined,
    setCookies: boolean,
  ): Promise<() => void> {
    const { settings, writer, onProblem } = this.#parts;
    const isSitemap = url.place.role === 'sitemap';
    const reading: AnswerReading = isSitemap
      ? { links: [], follow: true, archive: true }
      : await this.#read(url.url, answer, prior);
    if (reading.problem) onProblem({ ...reading.problem, where: url.url });
    if (settings.robots === 'obey' && !reading.archive) {
      answer.body.discard();
      return () => this.#exclude(url, 'noarchive');
    }
    const sitemap = isSitemap ? await readSitemap(url.url, answer) : undefined;
    const repeats = await this.#findOriginal(answer, prior);
    const story: ExchangeStory = {
      url: url.url,
      place: url.place,
      answer,
      ...(url.via !== undefined && { via: url.via }),
      ...(repeats && { repeats }),
    };
    const written = await writer.append(...draftExchange(story));
    answer.body.discard();
    const [main] = written;
    if (!main) throw new GarnerError('internal.bug', 'a capture was written without a record');
    const entry = indexEntry(story, main);
    const end = Math.max(...written.map(({ offset, length }) => offset + length));
    return () => {
      this.#captured(story, entry, end);
      if (reading.content && !repeats) this.#cycle.keepReading(entry, reading.content);
      this.#parts.frontier.tallies.add('documents');
      this.#parts.frontier.finish(url.id, 'done', { status: answer.status });
      this.#followRedirect(target, url, answer, setCookies);
      this.#followLinks(target, url.place, reading);
      for (const page of sitemap?.pages ?? []) this.#addListed(page, target, url.url);
      this.#addSitemapUrls(sitemap?.sitemaps ?? [], target);
    };
  }

  /** What a browser loads for a page: everything it asks for is fetched here, archived, and given to it. */
  async #browse(browser: PageBrowser, queue: HostQueue, url: QueuedUrl): Promise<() => void> {
    const { clock, settings, signal, writer } = this.#parts;
    const effects: (() => void)[] = [];
    let status: number | undefined;
    const started = performance.now();
    let page: BrowsedPage;
    try {
      page = await browser.open(url.url, async (address) => {
        const target = parseCrawlUrl(address);
        const served = target && (await this.#serve(target, url, effects));
        status ??= served?.status;
        return served;
      });
    } catch (error) {
      if (signal.aborted || !isFetchFailure(error)) throw error;
      const failure = this.#failed(queue, url, asGarnerError(error));
      return () => {
        for (const effect of effects) effect();
        failure();
      };
    } finally {
      queue.rest(clock(), performance.now() - started, settings);
    }
    if (page.screenshot) {
      const story = {
        url: `urn:fullPage:${url.url}`,
        at: clock(),
        mediaType: 'image/png',
        body: page.screenshot,
      };
      const [main] = await writer.append(draftResource(story));
      if (main) effects.push(() => this.#recordEntry(resourceEntry(story, main), main.offset + main.length));
    }
    const from = new URL(url.url);
    return () => {
      for (const effect of effects) effect();
      this.#parts.frontier.tallies.add('documents');
      this.#parts.frontier.finish(url.id, 'done', status === undefined ? {} : { status });
      for (const text of page.links) {
        const target = parseCrawlUrl(text);
        const judgement = target && this.#scope.judgeLink({ kind: 'page' }, target, from, url.place);
        if (target && judgement) this.#addUrl(target, judgement, url.url);
      }
    };
  }

  /** One request of the browser. What was archived for an earlier page is given again from memory. */
  async #serve(target: URL, url: QueuedUrl, effects: (() => void)[]): Promise<ServedAnswer | undefined> {
    const { settings, fetcher, writer, signal } = this.#parts;
    const isPage = target.href === url.url;
    const known = isPage ? undefined : this.#served.get(target.href);
    if (known) return known;
    if (settings.robots === 'obey') {
      const { verdict } = await this.#robots.rulesOf(target);
      if (verdict === 'unreachable' || !verdict.isAllowed(target)) return undefined;
    }
    let answer: FetchAnswer;
    try {
      answer = await fetcher.fetch({ url: target, headers: this.#requestHeaders(target, undefined), signal });
    } catch (error) {
      if (signal.aborted || !isFetchFailure(error)) throw error;
      return undefined;
    }
    const cookies = headerValues(answer.headers, 'Set-Cookie');
    if (cookies.length > 0) this.#jar.store(target, cookies);
    const served = await serveAnswer(answer);
    const place: UrlPlace = isPage ? url.place : { ...url.place, role: 'requisite', chain: 1 };
    const repeats = await this.#findOriginal(answer, undefined);
    const story: ExchangeStory = {
      url: target.href,
      place,
      answer,
      ...(!isPage && { via: url.url }),
      ...(repeats && { repeats }),
    };
    const written = await writer.append(...draftExchange(story));
    answer.body.discard();
    const [main] = written;
    if (!main) throw new GarnerError('internal.bug', 'a capture was written without a record');
    const end = Math.max(...written.map(({ offset, length }) => offset + length));
    effects.push(() => {
      this.#captured(story, indexEntry(story, main), end);
      if (!isPage) this.#noteDone(target, place);
    });
    if (served) this.#served.add(target.href, served);
    return served;
  }

  /** A page that has not changed is read from the archive: its links lead on as before. */
  async #read(url: string, answer: FetchAnswer, prior: PriorCapture | undefined): Promise<AnswerReading> {
    const { folder, reader } = this.#parts;
    const unchanged = answer.status === 304 && prior ? await findContent(folder, prior.stored) : undefined;
    return unchanged
      ? readPage(url, unchanged, this.#robot, reader)
      : readAnswer(url, answer, this.#robot, reader);
  }

  /** Bookkeeping of one capture that is in the archive. */
  #captured(story: ExchangeStory, entry: CaptureEntry, end: number): void {
    const { frontier } = this.#parts;
    const { answer, repeats } = story;
    this.#recordEntry(entry, end);
    frontier.tallies.add('bytes', answer.body.size + answer.responseHead.length);
    if (repeats) {
      frontier.tallies.add('revisits');
      frontier.tallies.add('saved', answer.status === 304 ? (repeats.size ?? 0) : answer.body.size);
    } else if (answer.status === 200 && !answer.truncated) {
      if (this.#digests.size >= MAX_REMEMBERED_DIGESTS) this.#digests.clear();
      this.#digests.set(answer.body.sha1, {
        url: entry.url,
        at: entry.at,
        digest: answer.body.sha1,
        size: answer.body.size,
        ...(entry.recordId !== undefined && { recordId: entry.recordId }),
      });
    }
    if (answer.truncated) frontier.tallies.add(`truncated ${answer.truncated}`);
    const host = new URL(story.url).host;
    this.#hostCaptures.set(host, (this.#hostCaptures.get(host) ?? 0) + 1);
  }

  #recordEntry(entry: CaptureEntry, end: number): void {
    const { frontier } = this.#parts;
    this.#cycle.add(entry);
    if (entry.file !== undefined) frontier.setFileEnd(entry.file, end);
    frontier.tallies.add('captures');
  }

  async #findOriginal(answer: FetchAnswer, prior: PriorCapture | undefined): Promise<Original | undefined> {
    const { captures, source } = this.#parts;
    const { size, sha1 } = answer.body;
    if (answer.status === 304) return prior?.original;
    if (answer.status !== 200 || answer.truncated || size === 0) return undefined;
    if (prior?.original.digest === sha1) return prior.original;
    if (size < SHARED_PAYLOAD_BYTES) return undefined;
    const known = this.#digests.get(sha1);
    if (known || !this.#hasPast) return known;
    const stored = await captures.findByDigest(source, sha1);
    return stored && originalOf(stored);
  }

  #followRedirect(from: URL, url: QueuedUrl, answer: FetchAnswer, setCookies: boolean): void {
    const location = headerValue(answer.headers, 'Location');
    if (!isRedirect(answer.status) || location === undefined) return;
    const target = parseCrawlUrl(decodeLocation(location), from.href);
    if (!target) return;
    const judgement = this.#scope.judgeRedirect(target, url.place, setCookies);
    if ('place' in judgement && url.place.role === 'seed') this.#openArea(target);
    const known = this.#parts.frontier.find(crawlKey(target));
    // A wall that sets a cookie and sends back: the page behind it has the same address.
    const behindWall = 'place' in judgement && judgement.place.wall === true;
    if (behindWall && known?.visits === 1 && known.status !== undefined && isRedirect(known.status)) {
      const again = this.#parts.frontier.requeue(known.id, 0, 0);
      if (again) this.#enqueue(again);
      return;
    }
    this.#addUrl(target, judgement, url.url);
  }

  #followLinks(from: URL, place: UrlPlace, reading: AnswerReading): void {
    const { settings, frontier } = this.#parts;
    const follows = reading.follow || settings.robots === 'ignore';
    for (const link of reading.links) {
      // Most links of a page are those of its neighbours.
      if (frontier.isRecent(link.url)) continue;
      const target = parseCrawlUrl(link.url);
      if (!target) continue;
      const judgement =
        link.kind === 'redirect'
          ? this.#scope.judgeRedirect(target, place)
          : this.#scope.judgeLink(link, target, from, place);
      if (!judgement) continue;
      if (!follows && 'place' in judgement && judgement.place.role === 'link') {
        frontier.tallies.add('excluded nofollow');
        continue;
      }
      this.#addUrl(target, judgement, from.href);
    }
  }

  #addSitemaps(origin: URL, named: readonly string[]): void {
    this.#cycle.apply(() => this.#addSitemapUrls(named.length > 0 ? named : ['/sitemap.xml'], origin));
  }

  #addSitemapUrls(urls: readonly string[], from: URL): void {
    for (const text of urls) {
      const url = parseCrawlUrl(text, from.href);
      if (url) this.#addUrl(url, { place: { ...SEED, role: 'sitemap' } }, from.href);
    }
  }

  /** A page that a site map names. */
  #addListed(text: string, sitemap: URL, via: string): void {
    const url = parseCrawlUrl(text, sitemap.href);
    if (!url) return;
    this.#addUrl(url, this.#scope.judgeListed(url, sitemap), via);
  }

  /** Undefined when the answer is to be kept. */
  #retryOf(queue: HostQueue, url: QueuedUrl, answer: FetchAnswer): (() => void) | undefined {
    const { settings, clock } = this.#parts;
    const passing = PASSING_STATUSES.has(answer.status);
    const waitMs = passing ? parseRetryAfter(headerValue(answer.headers, 'Retry-After'), clock()) : undefined;
    if (waitMs !== undefined)
      queue.nextAt = Math.max(queue.nextAt, clock() + Math.min(waitMs, settings.maxDelayMs));
    if (!passing && answer.truncated !== 'disconnect') return undefined;
    if (url.attempts + 1 >= settings.attempts) return undefined;
    return () => this.#retry(url, waitMs ?? 0);
  }

  #failed(queue: HostQueue, url: QueuedUrl, error: GarnerError): () => void {
    const { settings } = this.#parts;
    if (HOST_FAILURES.has(error.code)) queue.failures++;
    // A host that does not answer at all is not asked over and over for each of its URLs.
    const patience = queue.failures > settings.attempts ? 1 : settings.attempts;
    if (!error.retryable || url.attempts + 1 >= patience) return this.#giveUp(url, error);
    return () => this.#retry(url, 0);
  }

  #retry(url: QueuedUrl, waitMs: number): void {
    const { settings, frontier, clock } = this.#parts;
    const backoff = settings.backoffMs * 2 ** url.attempts;
    frontier.tallies.add('retries');
    const again = frontier.requeue(
      url.id,
      url.attempts + 1,
      clock() + Math.max(backoff, Math.min(waitMs, settings.maxDelayMs)),
    );
    if (again) this.#enqueue(again);
  }

  #giveUp(url: QueuedUrl, error: GarnerError): () => void {
    return () => {
      const { frontier, onProblem } = this.#parts;
      frontier.finish(url.id, 'failed', { reason: error.code });
      frontier.tallies.add(`error ${error.code}`);
      frontier.tallies.add('failed');
      onProblem({ code: error.code, message: error.message, where: url.url });
    };
  }

  #exclude(url: QueuedUrl, reason: string): void {
    const { frontier, onProblem } = this.#parts;
    frontier.finish(url.id, 'excluded', { reason });
    frontier.tallies.add(`excluded ${reason}`);
    // A seed that may not be had is worth a word.
    if (url.place.role === 'seed')
      onProblem({ code: 'crawl.excluded', message: `left out: ${reason}`, where: url.url });
  }

  async #fetchRobots(url: URL): Promise<FetchAnswer> {
    const { fetcher, writer, signal, settings } = this.#parts;
    const answer = await fetcher.fetch({ url, headers: this.#requestHeaders(url, undefined), signal });
    if (answer.status >= 500 && settings.attempts > 1) return answer;
    const story: ExchangeStory = { url: url.href, place: SEED, answer };
    const written = await writer.append(...draftExchange(story));
    const [main] = written;
    if (main) {
      const entry = indexEntry(story, main);
      const end = Math.max(...written.map(({ offset, length }) => offset + length));
      this.#cycle.apply(() => {
        this.#captured(story, entry, end);
        this.#noteDone(url, SEED);
      });
    }
    return answer;
  }

  /** Fetched by the way: a link to it is no reason to fetch it again. */
  #noteDone(url: URL, place: UrlPlace): void {
    const { frontier } = this.#parts;
    const key = crawlKey(url);
    const known = frontier.find(key);
    const priority = PRIORITIES.requisite;
    // What waits in a queue stays there: its own visit is due.
    if (known) return;
    const row = frontier.add({ key, url: url.href, host: hostKey(url), place, priority });
    frontier.finish(row.id, 'done', {});
  }

  #requestHeaders(url: URL, prior: PriorCapture | undefined): [string, string][] {
    const { settings } = this.#parts;
    const cookie = this.#jar.headerFor(url);
    return [
      ['User-Agent', settings.userAgent],
      ['Accept', '*/*'],
      ['Accept-Encoding', 'gzip, deflate, br'],
      ...(cookie === undefined ? [] : [['Cookie', cookie] as [string, string]]),
      ...(prior?.etag === undefined ? [] : [['If-None-Match', prior.etag] as [string, string]]),
      ...(prior?.lastModified === undefined
        ? []
        : [['If-Modified-Since', prior.lastModified] as [string, string]]),
      ...Object.entries(settings.headers),
    ];
  }

  #finishIfIdle(): void {
    if (this.#active > 0 || this.#cycle.hasWaiting) return;
    if (!this.#stopped && this.#ready.peekAt() !== undefined) return;
    this.#finished = true;
    this.#finish?.();
  }

  progress(): CrawlProgress {
    const { frontier, clock, settings } = this.#parts;
    const now = clock();
    const captures = frontier.tallies.get('captures');
    if (now - this.#rate.at >= RATE_MS) {
      const seconds = (now - this.#rate.at) / 1000;
      const value = this.#rate.at === 0 ? 0 : (captures - this.#rate.captures) / seconds;
      this.#rate = { at: now, captures, value };
    }
    return describeProgress({
      at: now,
      elapsedMs: now - this.#startedAt,
      active: this.#active,
      rate: this.#rate.value,
      tallies: frontier.tallies,
      hosts: [...this.#hosts.values()],
      hostCaptures: this.#hostCaptures,
      delayMs: settings.delayMs,
    });
  }
}
