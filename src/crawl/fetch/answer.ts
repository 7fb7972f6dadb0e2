/** One exchange with a host, as it will be archived. */
import type { HeaderList } from '../../archive/index.ts';
import type { Instant } from '../../core/model.ts';
import type { CrawlLimits } from '../settings.ts';
import type { FetchedBody } from './body-store.ts';

/** In the words of WARC-Truncated (ISO 28500 §5.13). */
export type Truncation = 'length' | 'time' | 'disconnect';

export type ExchangeLimits = Pick<
  CrawlLimits,
  'documentBytes' | 'exchangeMs' | 'connectMs' | 'idleMs' | 'minRate' | 'graceMs'
>;

export interface FetchRequest {
  readonly url: URL;
  /** Beside Host. */
  readonly headers: HeaderList;
  /** False: the body is not wanted, and the exchange ends behind the header. */
  readonly wants?: (status: number, headers: HeaderList) => boolean;
  readonly signal?: AbortSignal;
}

export interface FetchAnswer {
  readonly status: number;
  readonly headers: HeaderList;
  readonly requestHead: Buffer;
  /** As received, but for the name of a Transfer-Encoding that was undone; of HTTP/2 put together. */
  readonly responseHead: Buffer;
  /** As sent, without transfer coding; a content coding is kept. */
  readonly body: FetchedBody;
  readonly address?: string;
  /** For WARC-Protocol. */
  readonly protocols: readonly string[];
  readonly truncated?: Truncation;
  /** The body was not wanted. */
  readonly unwanted?: true;
  /** What was odd, for the metadata record. */
  readonly notes: readonly string[];
  readonly startedAt: Instant;
  readonly durationMs: number;
}

/** What a body may still become. */
export interface RateGuard {
  readonly startedAt: number;
  received: number;
}

export function isTooSlow({ startedAt, received }: RateGuard, limits: ExchangeLimits): boolean {
  const elapsedMs = performance.now() - startedAt;
  return elapsedMs > limits.graceMs && received / (elapsedMs / 1000) < limits.minRate;
}
