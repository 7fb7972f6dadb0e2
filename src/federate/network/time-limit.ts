/** Waiting for servers, but not for ever. */
import { GarnerError } from '../../core/errors.ts';
import type { Clock } from '../../core/time.ts';

/** The time for a whole question. */
export interface TimeLimit extends Disposable {
  /** Aborted when the time is over, or when nobody waits any more. */
  readonly signal: AbortSignal;
  /** Looks at the clock: in a busy process timers come late. */
  isOver(): boolean;
}

export function startTimeLimit(limitMs: number, clock: Clock, outer: AbortSignal): TimeLimit {
  const endsAt = clock() + limitMs;
  const over = new AbortController();
  const signal = AbortSignal.any([outer, over.signal]);
  const stop = () =>
    over.abort(new GarnerError('http.timeout', `the question took longer than ${limitMs} ms`));
  const timer = setTimeout(stop, limitMs);
  return {
    signal,
    isOver() {
      if (!signal.aborted && clock() >= endsAt) stop();
      return signal.aborted;
    },
    /** Gives up what is still under way. */
    [Symbol.dispose]() {
      clearTimeout(timer);
      over.abort(new GarnerError('http.timeout', 'nobody waits for the answer'));
    },
  };
}

/** Ends when the signal does, even if the work takes no notice of it. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: given, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([given, work]);
  } finally {
    signal.removeEventListener('abort', stop);
    // Nobody waits for it.
    work.catch(() => {});
  }
}

/** Ends when the time for one server is over even if the work takes no notice of its signal. */
export async function withTimeLimit<T>(
  limitMs: number,
  server: string,
  work: (signal: AbortSignal) => Promise<T>,
  outer?: AbortSignal,
): Promise<T> {
  outer?.throwIfAborted();
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new GarnerError('http.timeout', `${server} did not answer within ${limitMs} ms`)),
    limitMs,
  );
  const signal = outer ? AbortSignal.any([outer, late.signal]) : late.signal;
  try {
    return await untilAborted(work(signal), signal);
  } finally {
    clearTimeout(timer);
  }
}

export function statusError(server: string, status: number): GarnerError {
  return new GarnerError('http.status', `${server} answers with status ${status}`, { details: { status } });
}
