/** How a job behaves towards remote hosts; every limit has one default, here. */
import { type Clock, systemClock } from '../../core/time.ts';
import type { PortFor } from '../../net/host-map.ts';
import type { ResolveHost } from '../../net/public-address.ts';
import type { HostGate } from './host-gate.ts';

export type HttpAuth =
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string };

export type Sleep = (durationMs: number, signal?: AbortSignal) => Promise<void>;

export interface HttpPolicy {
  /** See `userAgent`. */
  readonly userAgent: string;
  /** Sent with every request to the origin (scheme, host and port) of the request; never to another one. */
  readonly headers?: Readonly<Record<string, string>>;
  /** As `headers`. */
  readonly auth?: HttpAuth;
  /** Loopback, private and link-local addresses are refused, on every redirect too, unless this is set. */
  readonly allowPrivate?: boolean;
  /** Until the connection, with TLS, stands. */
  readonly connectTimeoutMs?: number;
  /** Between two bytes, and until the first. */
  readonly idleTimeoutMs?: number;
  /** Of waiting for one answer in all; a slow reader of the body does not count. */
  readonly totalTimeoutMs?: number;
  /** Of one body, after decompression. */
  readonly maxBodyBytes?: number;
  readonly maxRedirects?: number;
  /** Tries of one request in all. */
  readonly attempts?: number;
  /** The first pause; each further one is twice as long, with jitter. */
  readonly backoffMs?: number;
  readonly maxBackoffMs?: number;
  /** A server that asks for more patience (Retry-After) gets none: the request fails and says until when. */
  readonly maxRetryAfterMs?: number;
  /** Least time between the starts of two requests to one host. */
  readonly delayMs?: number;
  /** Shared by all jobs of a process, so that two of them are polite together. */
  readonly hostGate?: HostGate;
  readonly resolveHost?: ResolveHost;
  readonly portFor?: PortFor;
  readonly clock?: Clock;
  readonly sleep?: Sleep;
  readonly random?: () => number;
}

const SECOND = 1000;

export const HTTP_DEFAULTS = {
  connectTimeoutMs: 30 * SECOND,
  idleTimeoutMs: 120 * SECOND,
  totalTimeoutMs: 3600 * SECOND,
  maxBodyBytes: 8 * 1024 ** 3,
  maxRedirects: 10,
  attempts: 6,
  backoffMs: 2 * SECOND,
  maxBackoffMs: 120 * SECOND,
  maxRetryAfterMs: 900 * SECOND,
  delayMs: 0,
} as const;

export const systemSleep: Sleep = (durationMs, signal) =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, durationMs);
    signal?.addEventListener('abort', stop, { once: true });
  });

export interface Timing {
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly random: () => number;
}

export const timingOf = (policy: Pick<HttpPolicy, 'clock' | 'sleep' | 'random'>): Timing => ({
  clock: policy.clock ?? systemClock,
  sleep: policy.sleep ?? systemSleep,
  random: policy.random ?? Math.random,
});
