/** Politeness: requests to one host start no closer together than asked, and none while it wants rest. */
import type { Instant } from '../../core/model.ts';
import type { Timing } from './policy.ts';

export interface HostGate {
  /** Resolves when the next request to the host may start. */
  enter(host: string, delayMs: number, timing: Timing, signal?: AbortSignal): Promise<void>;
  /** Nobody asks the host before that instant (Retry-After). */
  pause(host: string, untilAt: Instant): void;
}

export function createHostGate(): HostGate {
  const freeAt = new Map<string, Instant>();
  return {
    async enter(host, delayMs, { clock, sleep }, signal) {
      for (;;) {
        const now = clock();
        const waitMs = (freeAt.get(host) ?? 0) - now;
        if (waitMs <= 0) {
          // Taken before the next await, so that two waiting jobs cannot both go.
          if (delayMs > 0) freeAt.set(host, now + delayMs);
          else freeAt.delete(host);
          return;
        }
        await sleep(waitMs, signal);
      }
    },
    pause(host, untilAt) {
      freeAt.set(host, Math.max(untilAt, freeAt.get(host) ?? 0));
    },
  };
}
