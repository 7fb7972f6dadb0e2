/** The rules of every origin that a crawl meets; robots.txt is fetched once, archived, and remembered. */
import { headerValue } from '../../archive/index.ts';
import { asGarnerError } from '../../core/errors.ts';
import type { Clock } from '../../core/time.ts';
import type { FetchAnswer } from '../fetch/answer.ts';
import type { Frontier } from '../frontier/frontier.ts';
import { parseCrawlUrl } from '../scope/canonical.ts';
import { MAX_ROBOTS_BYTES, parseRobots } from './parse-robots.ts';
import { ALLOW_ALL, type RobotsVerdict, rulesFor } from './robots-rules.ts';

export interface OriginRules {
  /** `unreachable` forbids everything (RFC 9309 §2.3.1.4). */
  readonly verdict: RobotsVerdict | 'unreachable';
  readonly sitemaps: readonly string[];
  /** How long the host took, when it was asked just now. */
  readonly tookMs?: number;
}

export interface RobotsCacheOptions {
  readonly frontier: Frontier;
  readonly clock: Clock;
  /** The product token. */
  readonly robot: string;
  readonly attempts: number;
  readonly backoffMs: number;
  /** Fetches without following redirects, and archives the answer. */
  readonly fetch: (url: URL) => Promise<FetchAnswer>;
  readonly remember: Frontier['putRobots'];
  readonly sleep: (durationMs: number) => Promise<void>;
}

/** RFC 9309 §2.3.1.2. */
const MAX_REDIRECTS = 5;
/** RFC 9309 §2.4: not longer than a day. */
const KEPT_MS = 24 * 3600_000;

export class RobotsCache {
  readonly #options: RobotsCacheOptions;
  readonly #origins = new Map<string, { readonly rules: Promise<OriginRules>; readonly until: number }>();

  constructor(options: RobotsCacheOptions) {
    this.#options = options;
  }

  rulesOf({ origin }: URL): Promise<OriginRules> {
    const known = this.#origins.get(origin);
    const now = this.#options.clock();
    if (known && known.until > now) return known.rules;
    const rules = this.#load(origin);
    this.#origins.set(origin, { rules, until: now + KEPT_MS });
    return rules;
  }

  isKnown({ origin }: URL): boolean {
    return this.#origins.has(origin);
  }

  async #load(origin: string): Promise<OriginRules> {
    const { frontier, clock, remember } = this.#options;
    const stored = frontier.findRobots(origin);
    if (stored && clock() - stored.at < KEPT_MS) return this.#judge(stored.status, stored.body);
    const started = performance.now();
    const { status, body } = await this.#ask(origin);
    remember(origin, { at: clock(), status, body });
    return { ...this.#judge(status, body), tookMs: performance.now() - started };
  }

  /** 0 for no answer at all. */
  async #ask(origin: string): Promise<{ status: number; body: Uint8Array }> {
    const { attempts, backoffMs, sleep } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#follow(new URL('/robots.txt', origin));
      if ((answer.status > 0 && answer.status < 500 && answer.status !== 429) || attempt >= attempts)
        return answer;
      await sleep(backoffMs * 2 ** (attempt - 1));
    }
  }

  async #follow(start: URL): Promise<{ status: number; body: Uint8Array }> {
    let url: URL | undefined = start;
    for (let hops = 0; url && hops <= MAX_REDIRECTS; hops++) {
      let answer: FetchAnswer;
      try {
        answer = await this.#options.fetch(url);
      } catch (error) {
        // Anything but the network is a failure of the crawl itself.
        const { code } = asGarnerError(error);
        if (!code.startsWith('http.') && code !== 'source.answer') throw error;
        return { status: 0, body: new Uint8Array() };
      }
      const location = headerValue(answer.headers, 'Location');
      if (answer.status < 300 || answer.status >= 400 || location === undefined) {
        const body: Uint8Array = answer.body.bytes ?? new Uint8Array();
        return { status: answer.status, body: body.subarray(0, MAX_ROBOTS_BYTES) };
      }
      url = parseCrawlUrl(location, url.href);
    }
    // Too many redirects count as "not there" (RFC 9309 §2.3.1.2).
    return { status: 404, body: new Uint8Array() };
  }

  #judge(status: number, body: Uint8Array): OriginRules {
    if (status === 0 || status >= 500 || status === 429) return { verdict: 'unreachable', sitemaps: [] };
    if (status < 200 || status >= 300) return { verdict: ALLOW_ALL, sitemaps: [] };
    const file = parseRobots(body);
    return { verdict: rulesFor(file, this.#options.robot), sitemaps: file.sitemaps };
  }
}
