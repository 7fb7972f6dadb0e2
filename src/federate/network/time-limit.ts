/** Waiting for a server, but not for ever. */
import { GarnerError } from '../../core/errors.ts';

/** Ends when the time is over even if the work takes no notice of its signal. */
export async function withTimeLimit<T>(
  limitMs: number,
  server: string,
  work: (signal: AbortSignal) => Promise<T>,
  outer?: AbortSignal,
): Promise<T> {
  outer?.throwIfAborted();
  const controller = new AbortController();
  const { promise: given, reject } = Promise.withResolvers<never>();
  const giveUp = (reason: unknown) => {
    controller.abort(reason);
    reject(reason);
  };
  const timer = setTimeout(
    () => giveUp(new GarnerError('http.timeout', `${server} did not answer within ${limitMs} ms`)),
    limitMs,
  );
  const stop = () => giveUp(outer?.reason);
  outer?.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work(controller.signal), given]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', stop);
  }
}

export function statusError(server: string, status: number): GarnerError {
  return new GarnerError('http.status', `${server} answers with status ${status}`, { details: { status } });
}
