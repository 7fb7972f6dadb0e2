/** Keeps aggregates up to date while a server runs. */
import type { Aggregates } from './aggregates.ts';

export interface FollowOptions {
  /** Between two looks at the store. */
  readonly everyMs: number;
  /** After so long a rest, what became loose is gathered anew; a store without rest waits longer. */
  readonly tightenAfterMs: number;
  readonly onError: (error: unknown) => void;
}

const BUSY_FACTOR = 12;

export function followStore(
  aggregates: Pick<Aggregates, 'catchUp' | 'tighten'>,
  { everyMs, tightenAfterMs, onError }: FollowOptions,
): { stop(): Promise<void> } {
  const ended = new AbortController();
  let rested = 0;
  let sinceTightMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let working = Promise.resolve();
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
  };
  begin();
  return {
    stop: async () => {
      ended.abort();
      clearTimeout(timer);
      await working;
    },
  };
}
