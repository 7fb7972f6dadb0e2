/** What the pool's tests make their workers do. */
import { parentPort, threadId, workerData } from 'node:worker_threads';
import { GarnerError } from '../core/errors.ts';
import { serveCalls } from '../core/worker-rpc.ts';

export interface TestCalls {
  double(value: number): Promise<number>;
  whoAmI(): Promise<{ thread: number; data: unknown }>;
  loopForEver(): Promise<void>;
  die(): Promise<void>;
  fail(): Promise<void>;
  poison(): Promise<void>;
}

if (parentPort)
  serveCalls<TestCalls>(parentPort, {
    double: async (value) => value * 2,
    whoAmI: async () => ({ thread: threadId, data: workerData }),
    loopForEver: async () => {
      for (;;) Math.random();
    },
    die: () => {
      // Outside of the call, whose error would be an answer.
      setImmediate(() => {
        throw new GarnerError('internal.bug', 'this worker dies on purpose');
      });
      return new Promise(() => {});
    },
    fail: async () => {
      throw new GarnerError('request.invalid', 'no', { details: { field: 'x' } });
    },
    poison: async () => {
      throw new GarnerError('xslt.failed', 'broken', { details: { unusable: true } });
    },
  });
