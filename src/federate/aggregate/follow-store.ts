/** Keeps aggregates up to date while a server runs: from the start, or from when they are first needed. */
import type { Aggregates } from './aggregates.ts';

export interface FollowOptions {
  /** Nothing is gathered until somebody asks. */
  readonly asleep?: boolean;
  /** Between two looks at the store. */
  readonly everyMs: number;
  /** After so long a rest, what became loose is gathered anew; a store without rest waits longer. */
  readonly tightenAfterMs: number;
  /** So long an answer waits for the first look. */
  readonly patienceMs: number;
  /** Once, after the first look; nobody waits for it. */
  readonly warmUp?: () => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

export interface Following {
  /** To be awaited before an answer that depends on aggregates. They may not be complete even then. */
  wake(): Promise<void>;
  stop(): Promise<void>;
}

const BUSY_FACTOR = 12;

export function followStore(
  aggregates: Pick<Aggregates, 'catchUp' | 'tighten'>,
  { asleep = false, everyMs, tightenAfterMs, patienceMs, warmUp, onError }: FollowOptions,
): Following {
  const ended = new AbortController();
  let rested = 0;
  let sinceTightMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;
  let first: Promise<void> | undefined;
  let warming: Promise<void> | undefined;
  const look = async () => {
    try {
      const taken = await aggregates.catchUp(ended.signal);
      rested = taken > 0 ? 0 : rested + everyMs;
      sinceTightMs += everyMs;
      if (rested >= tightenAfterMs || sinceTightMs >= BUSY_FACTOR * tightenAfterMs) {
        rested = 0;
        sinceTightMs = 0;
        await aggregates.tighten(ended.signal);
      }
    } catch (error) {
      onError(error);
    }
    if (!ended.signal.aborted) timer = setTimeout(begin, everyMs).unref();
  };
  const begin = () => {
    working = look();
    warming ??= working.then(() => warm());
    first ??= orAtMost(working, patienceMs);
  };
  const warm = async () => {
    try {
      if (!ended.signal.aborted) await warmUp?.();
    } catch (error) {
      onError(error);
    }
  };
  if (!asleep) begin();
  return {
    async wake() {
      if (!first && !ended.signal.aborted) begin();
      await first;
    },
    async stop() {
      ended.abort();
      clearTimeout(timer);
      await Promise.all([working, warming]);
    },
  };
}

async function orAtMost(work: Promise<void>, limitMs: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, limitMs);
  await Promise.race([work, late]);
  clearTimeout(timer);
}
