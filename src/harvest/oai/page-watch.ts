/**
 * Looks at one page as it passes: what it holds, whether datestamps go on from the page before, whether
 * the same page came before. Tokens alone prove nothing: some servers give the same one for every page.
 */
import { createHash, type Hash } from 'node:crypto';
import type { Instant } from '../../core/model.ts';
import { dateSpan } from '../../core/time.ts';
import type { WindowProgress } from './list-state.ts';
import type { OaiHeader } from './record-piece.ts';

const MAX_TAIL = 20_000;

/** The identifiers at the newest datestamp of a list: what a list from there on must begin with. */
export class ListTail {
  readonly #identifiers = new Set<string>();
  #at: Instant | undefined;
  #overflown = false;

  note(identifier: string, at: Instant): void {
    if (this.#at === undefined || at > this.#at) {
      this.#at = at;
      this.#identifiers.clear();
      this.#overflown = false;
    }
    if (at !== this.#at) return;
    if (this.#identifiers.size < MAX_TAIL) this.#identifiers.add(identifier);
    else this.#overflown = true;
  }

  has(identifier: string): boolean {
    return !this.#overflown && this.#identifiers.has(identifier);
  }
}

export class PageWatch {
  records = 0;
  readonly headers: { readonly identifier: string; readonly at: Instant }[] = [];
  ordered: boolean;
  lastAt: Instant | undefined;
  /** A datestamp was a day. */
  dayStamps = false;
  /** Records that the tail of the list before did not have. */
  newRecords = 0;
  readonly #hash: Hash = createHash('sha1');
  readonly #granuleMs: number;
  readonly #expected: ListTail | undefined;

  constructor(before: WindowProgress, granuleMs: number, expected: ListTail | undefined) {
    this.ordered = before.ordered;
    this.lastAt = before.lastAt;
    this.#granuleMs = granuleMs;
    this.#expected = expected;
  }

  note({ identifier = '', datestamp = '' }: OaiHeader): void {
    this.records++;
    this.#hash.update(`${identifier}\n${datestamp}\n`);
    if (!this.#expected?.has(identifier)) this.newRecords++;
    const startAt = dateSpan(datestamp)?.startAt;
    if (startAt === undefined) return;
    this.dayStamps ||= /^\d{4}-\d\d-\d\d$/.test(datestamp);
    const at = startAt - (((startAt % this.#granuleMs) + this.#granuleMs) % this.#granuleMs);
    this.headers.push({ identifier, at });
    if (this.lastAt !== undefined && at < this.lastAt) this.ordered = false;
    else this.lastAt = at;
  }

  fingerprint(): string {
    return this.#hash.copy().digest('base64').slice(0, 16);
  }
}

/** Whether a page came before: by all of this process, and by milestones (Brent) of what was resumed. */
export class SeenPages {
  readonly #seen = new Set<string>();

  /** Notes the page, too. */
  isRepeated(fingerprint: string, progress: WindowProgress): boolean {
    const repeated = this.#seen.has(fingerprint) || progress.milestone?.fingerprint === fingerprint;
    this.#seen.add(fingerprint);
    if (progress.milestone === undefined || progress.page >= 2 * progress.milestone.page)
      progress.milestone = { page: Math.max(1, progress.page), fingerprint };
    return repeated;
  }

  clear(): void {
    this.#seen.clear();
  }
}
