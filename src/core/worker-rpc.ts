/**
 * Calls to an object in another thread, as if it were here: an interface whose methods all return
 * promises is served by `serveCalls` in the worker and reached by `connectCalls` outside.
 */
import type { MessagePort, Worker } from 'node:worker_threads';
import { asGarnerError, type ErrorCode, GarnerError } from './errors.ts';

interface Call {
  readonly id: number;
  readonly face: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly stack: string | undefined;
}

type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: Failure };

/** Every method returns a promise of something that survives structured cloning. */
export type AsyncMethods<T> = {
  [K in keyof T]: T[K] extends (...args: never[]) => Promise<unknown> ? T[K] : never;
};

/** A worker may serve several objects, each under its own face. */
export function serveCalls<T extends AsyncMethods<T>>(port: MessagePort, target: T, face = ''): void {
  port.on('message', async ({ id, face: called, method, args }: Call) => {
    if (called !== face) return;
    try {
      const operation: unknown = Reflect.get(target, method);
      if (typeof operation !== 'function') throw new GarnerError('internal.bug', `no method ${method}`);
      const value: unknown = await Reflect.apply(operation, target, args);
      port.postMessage({ id, value } satisfies Reply);
    } catch (error) {
      const { code, message, details, stack } = asGarnerError(error);
      port.postMessage({ id, failure: { code, message, details, stack } } satisfies Reply);
    }
  });
}

export interface Connection<T> {
  readonly calls: T;
  /** Another object that the same worker serves. */
  face<F extends AsyncMethods<F>>(name: string): F;
  /** Calls sent and not yet answered. */
  readonly pending: () => number;
  close(): Promise<void>;
}

export function connectCalls<T extends AsyncMethods<T>>(worker: Worker): Connection<T> {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (reason: unknown) => void }>();
  let nextId = 1;
  let closed = false;
  const failAll = (error: GarnerError) => {
    closed = true;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('message', (reply: Reply) => {
    const call = waiting.get(reply.id);
    if (!call) return;
    waiting.delete(reply.id);
    if ('failure' in reply) {
      const error = new GarnerError(reply.failure.code, reply.failure.message, {
        details: { ...reply.failure.details },
      });
      if (reply.failure.stack) error.stack = reply.failure.stack;
      call.reject(error);
    } else call.resolve(reply.value);
  });
  let failure = new GarnerError('worker.lost', 'worker thread ended');
  worker.on('error', (cause) => {
    failure = new GarnerError('worker.lost', `worker thread failed: ${String(cause)}`, { cause });
  });
  // Not before: news of an error may overtake answers that the worker gave, news of its end do not.
  worker.on('exit', () => failAll(failure));

  const face = <F>(name: string) =>
    new Proxy({} as object, {
      get: (_, method) => {
        // A proxy that had a `then` would be taken for a promise.
        if (typeof method !== 'string' || method === 'then') return undefined;
        return (...args: unknown[]) =>
          new Promise((resolve, reject) => {
            if (closed) return reject(new GarnerError('worker.lost', 'worker thread has ended'));
            const id = nextId++;
            waiting.set(id, { resolve, reject });
            worker.postMessage({ id, face: name, method, args } satisfies Call);
          });
      },
    }) as F;
  return {
    calls: face<T>(''),
    face,
    pending: () => waiting.size,
    close: async () => {
      await worker.terminate();
    },
  };
}
