/** SQLite cannot be interrupted, so the work of a request is estimated and bounded before it starts. */
import { GarnerError } from '../../../core/errors.ts';

/** Milliseconds by estimate; leaves room to answer within a second on a busy machine. */
const LIMIT_MS = 550;

export class WorkBudget {
  #left = LIMIT_MS;

  fits(ms: number): boolean {
    return ms <= this.#left;
  }

  spend(ms: number, what: string): void {
    if (!this.fits(ms)) {
      throw new GarnerError(
        'query.too-broad',
        `${what} would take too long to answer; add a word or a filter, or make it longer`,
        { details: { part: what, estimateMs: Math.round(ms), limitMs: LIMIT_MS } },
      );
    }
    this.#left -= ms;
  }
}
