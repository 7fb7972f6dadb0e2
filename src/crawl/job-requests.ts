/** The headers of a job's requests, and the cookies that it was given; they are kept with the frontier. */
import { headerValues } from '../archive/index.ts';
import { type CookieJar, createCookieJar } from '../net/cookie-jar.ts';
import type { CrawlerParts } from './crawler-parts.ts';
import type { FetchAnswer } from './fetch/answer.ts';
import type { PriorCapture } from './prior-capture.ts';

export class JobRequests {
  readonly #parts: Pick<CrawlerParts, 'settings' | 'frontier'>;
  readonly #jar: CookieJar;

  constructor(parts: Pick<CrawlerParts, 'settings' | 'frontier' | 'clock'>) {
    this.#parts = parts;
    this.#jar = createCookieJar(parts.clock, parts.frontier.listCookies());
  }

  headersFor(url: URL, prior?: PriorCapture): [string, string][] {
    const { settings } = this.#parts;
    const headers: [string, string][] = [
      ['User-Agent', settings.userAgent],
      ['Accept', '*/*'],
      ['Accept-Encoding', 'gzip, deflate, br'],
    ];
    const cookie = this.#jar.headerFor(url);
    if (cookie !== undefined) headers.push(['Cookie', cookie]);
    if (prior?.etag !== undefined) headers.push(['If-None-Match', prior.etag]);
    if (prior?.lastModified !== undefined) headers.push(['If-Modified-Since', prior.lastModified]);
    headers.push(...Object.entries(settings.headers));
    return headers;
  }

  /** Takes the cookies of an answer; whether it had any. */
  takeCookies(url: URL, { headers }: FetchAnswer): boolean {
    const lines = headerValues(headers, 'Set-Cookie');
    if (lines.length > 0) this.#jar.store(url, lines);
    return lines.length > 0;
  }

  /** With a commit of the frontier, so that a crawl that goes on brings back what it was given. */
  saveCookies(): void {
    for (const change of this.#jar.takeChanges()) this.#parts.frontier.putCookie(change);
  }
}
