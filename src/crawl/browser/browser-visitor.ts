/** One page in a browser: everything that it asks for is fetched by the crawler, archived, and given to it. */
import { asGarnerError } from '../../core/errors.ts';
import type { CrawlerParts, Effect } from '../crawler-parts.ts';
import type { FetchAnswer } from '../fetch/answer.ts';
import { isFetchFailure } from '../fetch/judge-answer.ts';
import type { QueuedUrl } from '../frontier/frontier.ts';
import type { HostQueue } from '../frontier/host-queue.ts';
import type { RobotsCache } from '../robots/robots-cache.ts';
import { parseCrawlUrl } from '../scope/canonical.ts';
import type { UrlPlace } from '../scope/scope.ts';
import type { VisitorTools } from '../url-visitor.ts';
import type { BrowsedPage, PageBrowser } from './page-browser.ts';
import { type ServedAnswer, ServedAnswers, serveAnswer } from './served-answers.ts';

export class BrowserVisitor {
  readonly #parts: CrawlerParts;
  readonly #browser: PageBrowser;
  readonly #tools: VisitorTools;
  readonly #robots: RobotsCache;
  readonly #served = new ServedAnswers();

  constructor(parts: CrawlerParts, browser: PageBrowser, tools: VisitorTools, robots: RobotsCache) {
    this.#parts = parts;
    this.#browser = browser;
    this.#tools = tools;
    this.#robots = robots;
  }

  async visit(queue: HostQueue, url: QueuedUrl): Promise<Effect> {
    const { clock, settings, signal, frontier } = this.#parts;
    const { outcomes, keeper, intake } = this.#tools;
    const effects: Effect[] = [];
    let status: number | undefined;
    const started = performance.now();
    let page: BrowsedPage;
    try {
      page = await this.#browser.open(url.url, async (address) => {
        const target = parseCrawlUrl(address);
        const served = target && (await this.#serve(target, url, effects));
        status ??= served?.status;
        return served;
      });
    } catch (error) {
      if (signal.aborted || !isFetchFailure(error)) throw error;
      effects.push(outcomes.failed(queue, url, asGarnerError(error)));
      return () => {
        for (const effect of effects) effect();
      };
    } finally {
      queue.rest(clock(), performance.now() - started, settings);
    }
    if (page.screenshot)
      effects.push(
        await keeper.keepResource({
          url: `urn:fullPage:${url.url}`,
          at: clock(),
          mediaType: 'image/png',
          body: page.screenshot,
        }),
      );
    return () => {
      for (const effect of effects) effect();
      frontier.tallies.add('documents');
      frontier.finish(url.id, 'done', status === undefined ? {} : { status });
      intake.followBrowsed(new URL(url.url), url.place, page.links);
    };
  }

  /** One request of the browser. What was archived for an earlier page is given again from memory. */
  async #serve(target: URL, url: QueuedUrl, effects: Effect[]): Promise<ServedAnswer | undefined> {
    const { settings, fetcher, signal } = this.#parts;
    const { requests, keeper } = this.#tools;
    const isPage = target.href === url.url;
    const known = isPage ? undefined : this.#served.get(target.href);
    if (known) return known;
    if (settings.robots === 'obey') {
      const { verdict } = await this.#robots.rulesOf(target);
      if (verdict === 'unreachable' || !verdict.isAllowed(target)) return undefined;
    }
    let answer: FetchAnswer;
    try {
      answer = await fetcher.fetch({ url: target, headers: requests.headersFor(target), signal });
    } catch (error) {
      if (signal.aborted || !isFetchFailure(error)) throw error;
      return undefined;
    }
    requests.takeCookies(target, answer);
    const served = await serveAnswer(answer);
    const place: UrlPlace = isPage ? url.place : { ...url.place, role: 'requisite', chain: 1 };
    const kept = await keeper.keep({
      url: target.href,
      place,
      answer,
      ...(!isPage && { via: url.url }),
    });
    effects.push(() => {
      kept();
      if (!isPage) keeper.noteDone(target, place);
    });
    if (served) this.#served.add(target.href, served);
    return served;
  }
}
