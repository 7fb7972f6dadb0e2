/** From an address that somebody named to a URL in the frontier: in scope, not yet known, and no trap. */
import { headerValue } from '../archive/index.ts';
import type { CrawlerParts } from './crawler-parts.ts';
import type { FetchAnswer } from './fetch/answer.ts';
import { decodeLocation, isRedirect } from './fetch/judge-answer.ts';
import type { QueuedUrl } from './frontier/frontier.ts';
import { PRIORITIES } from './frontier/host-queue.ts';
import type { AnswerReading } from './read-answer.ts';
import { crawlKey, hostKey, parseCrawlUrl } from './scope/canonical.ts';
import { createScope, type Judgement, type Scope, SEED, type UrlPlace } from './scope/scope.ts';
import { findTrap } from './scope/traps.ts';

const MAX_EXCLUDED_ROWS = 1000;

export class UrlIntake {
  readonly #parts: Pick<CrawlerParts, 'frontier' | 'settings' | 'onProblem'>;
  readonly #enqueue: (url: QueuedUrl) => void;
  readonly #scope: Scope;

  constructor(
    parts: Pick<CrawlerParts, 'frontier' | 'settings' | 'onProblem'>,
    enqueue: (url: QueuedUrl) => void,
  ) {
    this.#parts = parts;
    this.#enqueue = enqueue;
    this.#scope = createScope(parts.settings);
    for (const area of parts.frontier.listAreas()) this.#scope.addSeed(new URL(area));
  }

  addSeed(text: string): void {
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
    this.#add(url, this.#scope.judgeSeed(url), undefined);
  }

  #openArea(url: URL): void {
    this.#scope.addSeed(url);
    this.#parts.frontier.addArea(url.href);
  }

  #add(url: URL, judgement: Judgement, via: string | undefined): void {
    const { frontier, settings } = this.#parts;
    if ('reason' in judgement) {
      frontier.tallies.add(`excluded ${judgement.reason}`);
      return;
    }
    const key = crawlKey(url);
    if (frontier.knows(key)) return;
    const { place } = judgement;
    const row = {
      key,
      url: url.href,
      host: hostKey(url),
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
    if (trap === undefined) {
      this.#enqueue(frontier.add(row));
      return;
    }
    const times = frontier.tallies.add(`excluded ${trap}`);
    if (times <= MAX_EXCLUDED_ROWS) frontier.add(row, trap);
    if (times === 1)
      this.#parts.onProblem({
        code: 'crawl.trap',
        message: `looks like a ${trap}; such URLs are left out`,
        where: url.href,
      });
  }

  followRedirect(from: URL, url: QueuedUrl, answer: FetchAnswer, setCookies: boolean): void {
    const { frontier } = this.#parts;
    const location = headerValue(answer.headers, 'Location');
    if (!isRedirect(answer.status) || location === undefined) return;
    const target = parseCrawlUrl(decodeLocation(location), from.href);
    if (!target) return;
    const judgement = this.#scope.judgeRedirect(target, url.place, setCookies);
    if ('place' in judgement && url.place.role === 'seed') this.#openArea(target);
    const known = frontier.find(crawlKey(target));
    // A wall that sets a cookie and sends back: the page behind it has the same address.
    const behindWall = 'place' in judgement && judgement.place.wall === true;
    if (behindWall && known?.visits === 1 && known.status !== undefined && isRedirect(known.status)) {
      const again = frontier.requeue(known.id, 0, 0);
      if (again) this.#enqueue(again);
      return;
    }
    this.#add(target, judgement, url.url);
  }

  followLinks(from: URL, place: UrlPlace, reading: AnswerReading): void {
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
      this.#add(target, judgement, from.href);
    }
  }

  /** Links that a browser found in a page. */
  followBrowsed(from: URL, place: UrlPlace, links: readonly string[]): void {
    for (const text of links) {
      const target = parseCrawlUrl(text);
      const judgement = target && this.#scope.judgeLink({ kind: 'page' }, target, from, place);
      if (target && judgement) this.#add(target, judgement, from.href);
    }
  }

  addSitemaps(urls: readonly string[], from: URL): void {
    for (const text of urls) {
      const url = parseCrawlUrl(text, from.href);
      if (url) this.#add(url, { place: { ...SEED, role: 'sitemap' } }, from.href);
    }
  }

  /** A page that a site map names. */
  addListed(text: string, sitemap: URL): void {
    const url = parseCrawlUrl(text, sitemap.href);
    if (url) this.#add(url, this.#scope.judgeListed(url, sitemap), sitemap.href);
  }
}
