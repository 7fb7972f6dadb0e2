/** A server that failed again and again is left alone for a while; then one question tries whether it is back. */
import type { Clock } from '../../core/time.ts';

export interface Breaker {
  /** Whether the server may be asked now. When it was left alone, this is the one try. */
  mayAsk(server: string): boolean;
  succeeded(server: string): void;
  failed(server: string): void;
}

const OPEN_AFTER = 3;
const FIRST_REST_MS = 30_000;
const LONGEST_REST_MS = 10 * 60_000;
/** Servers are many; those that failed are few. */
const MOST_REMEMBERED = 10_000;

export function createBreaker(clock: Clock): Breaker {
  const failures = new Map<string, { count: number; restUntil: number }>();
  const restMs = (count: number) => Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (count - OPEN_AFTER));
  return {
    mayAsk(server) {
      const known = failures.get(server);
      if (!known || known.count < OPEN_AFTER) return true;
      if (clock() < known.restUntil) return false;
      // Others wait until it is known how this try ends.
      known.restUntil = clock() + restMs(known.count);
      return true;
    },
    succeeded(server) {
      failures.delete(server);
    },
    failed(server) {
      const count = (failures.get(server)?.count ?? 0) + 1;
      if (failures.size >= MOST_REMEMBERED && !failures.has(server)) failures.clear();
      failures.set(server, { count, restUntil: count >= OPEN_AFTER ? clock() + restMs(count) : 0 });
    },
  };
}
