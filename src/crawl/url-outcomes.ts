/** What becomes of a URL that gave no capture: tried again, given up, or left out. */
import { headerValue } from '../archive/index.ts';
import type { GarnerError } from '../core/errors.ts';
import { parseRetryAfter } from '../net/retry-after.ts';
import type { CrawlerParts, Effect } from './crawler-parts.ts';
import type { FetchAnswer } from './fetch/answer.ts';
import type { QueuedUrl } from './frontier/frontier.ts';
import type { HostQueue } from './frontier/host-queue.ts';

const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504, 520, 522, 524]);
/** Failures that say something about the host and not about the URL. */
const HOST_FAILURES: ReadonlySet<string> = new Set(['http.unreachable', 'http.timeout', 'http.tls']);

export class UrlOutcomes {
  readonly #parts: Pick<CrawlerParts, 'settings' | 'frontier' | 'clock' | 'onProblem'>;
  readonly #enqueue: (url: QueuedUrl) => void;

  constructor(
    parts: Pick<CrawlerParts, 'settings' | 'frontier' | 'clock' | 'onProblem'>,
    enqueue: (url: QueuedUrl) => void,
  ) {
    this.#parts = parts;
    this.#enqueue = enqueue;
  }

  /** Undefined when the answer is to be kept. */
  retryOf(queue: HostQueue, url: QueuedUrl, answer: FetchAnswer): Effect | undefined {
    const { settings, clock } = this.#parts;
    const passing = PASSING_STATUSES.has(answer.status);
    const waitMs = passing ? parseRetryAfter(headerValue(answer.headers, 'Retry-After'), clock()) : undefined;
    if (waitMs !== undefined)
      queue.nextAt = Math.max(queue.nextAt, clock() + Math.min(waitMs, settings.maxDelayMs));
    if (!passing && answer.truncated !== 'disconnect') return undefined;
    if (url.attempts + 1 >= settings.attempts) return undefined;
    return () => this.#retry(url, waitMs ?? 0);
  }

  failed(queue: HostQueue, url: QueuedUrl, error: GarnerError): Effect {
    const { settings } = this.#parts;
    if (HOST_FAILURES.has(error.code)) queue.failures++;
    // A host that does not answer at all is not asked over and over for each of its URLs.
    const patience = queue.failures > settings.attempts ? 1 : settings.attempts;
    if (!error.retryable || url.attempts + 1 >= patience) return this.giveUp(url, error);
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

  giveUp(url: QueuedUrl, { code, message }: GarnerError): Effect {
    return () => {
      const { frontier, onProblem } = this.#parts;
      frontier.finish(url.id, 'failed', { reason: code });
      frontier.tallies.add(`error ${code}`);
      frontier.tallies.add('failed');
      onProblem({ code, message, where: url.url });
    };
  }

  exclude(url: QueuedUrl, reason: string): Effect {
    return () => {
      const { frontier, onProblem } = this.#parts;
      frontier.finish(url.id, 'excluded', { reason });
      frontier.tallies.add(`excluded ${reason}`);
      // A seed that may not be had is worth a word.
      if (url.place.role === 'seed')
        onProblem({ code: 'crawl.excluded', message: `left out: ${reason}`, where: url.url });
    };
  }
}
