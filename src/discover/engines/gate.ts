/** When an engine may be asked next: at its rate, and no more often than its quota allows. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GarnerError } from '../../core/errors.ts';
import type { Clock } from '../../core/time.ts';

export interface EngineLimits {
  /** Least time between the starts of two requests. */
  readonly delayMs: number;
  readonly quota?: { readonly requests: number; readonly hours: number };
}

export interface GateTiming {
  readonly clock: Clock;
  readonly sleep: (durationMs: number, signal?: AbortSignal) => Promise<void>;
}

export interface EngineGate {
  /** Resolves when it is this request's turn; throws `engine.quota` when the allowance is used up. */
  enter(signal?: AbortSignal): Promise<void>;
  /** Nobody asks for so long. */
  pause(durationMs: number, signal?: AbortSignal): Promise<void>;
}

/** What was used of a quota, kept across processes. */
export interface QuotaUse {
  read(): readonly number[];
  /** Instants of requests, oldest first. */
  write(requests: readonly number[]): void;
}

const HOUR_MS = 3_600_000;

export function createEngineGate(
  name: string,
  limits: EngineLimits,
  timing: GateTiming,
  use: QuotaUse,
): EngineGate {
  let freeAt = 0;

  const spend = (): void => {
    const { quota } = limits;
    if (!quota) return;
    const now = timing.clock();
    const since = now - quota.hours * HOUR_MS;
    const spent = use.read().filter((at) => at > since);
    if (spent.length >= quota.requests) {
      const again = new Date((spent[0] ?? now) + quota.hours * HOUR_MS).toISOString();
      throw new GarnerError(
        'engine.quota',
        `${name} was asked ${spent.length} times in ${quota.hours} hours; again from ${again}`,
        { details: { engine: name, again } },
      );
    }
    use.write([...spent, now]);
  };

  return {
    async enter(signal) {
      const now = timing.clock();
      // The place is taken before the wait, so that those who wait at once do not go at once.
      const at = Math.max(now, freeAt);
      freeAt = at + limits.delayMs;
      if (at > now) await timing.sleep(at - now, signal);
      spend();
    },
    async pause(durationMs, signal) {
      freeAt = Math.max(freeAt, timing.clock() + durationMs);
      await timing.sleep(durationMs, signal);
    },
  };
}

export function quotaFile(folder: string, engine: string): QuotaUse {
  const path = join(folder, `${engine}.json`);
  return {
    read() {
      try {
        const kept: unknown = JSON.parse(readFileSync(path, 'utf8'));
        return Array.isArray(kept) ? kept.filter((at) => typeof at === 'number') : [];
      } catch (error) {
        if (
          error instanceof SyntaxError ||
          (error instanceof Error && 'code' in error && error.code === 'ENOENT')
        )
          return [];
        throw error;
      }
    },
    write(requests) {
      mkdirSync(folder, { recursive: true });
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, JSON.stringify(requests));
      renameSync(draft, path);
    },
  };
}
