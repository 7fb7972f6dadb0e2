/** What is to be fetched from one host, and when it may be asked next. */
import type { Instant } from '../../core/model.ts';
import type { CrawlSettings } from '../settings.ts';
import type { Frontier, QueuedUrl } from './frontier.ts';

/** Requisites first: a page without them is half a page. */
export const PRIORITIES = { requisite: 0, seed: 1, link: 2 } as const;
const IN_MEMORY = 1000;

export class HostQueue {
  readonly host: string;
  readonly #frontier: Frontier;
  readonly #lines: QueuedUrl[][] = [[], [], []];
  /** Failed before, and to be tried again later. */
  readonly #delayed: QueuedUrl[] = [];
  readonly #underWay = new Set<number>();
  #inMemory = 0;
  /** More on the disk than in memory. */
  #overflows: boolean;
  queued: number;
  nextAt: Instant = 0;
  /** Failures to connect, one after the other. */
  failures = 0;
  crawlDelayMs = 0;
  /** Whether it waits in the heap. */
  waits = false;

  constructor(frontier: Frontier, host: string, onDisk: number) {
    this.#frontier = frontier;
    this.host = host;
    this.queued = onDisk;
    this.#overflows = onDisk > 0;
  }

  get active(): number {
    return this.#underWay.size;
  }

  add(url: QueuedUrl): void {
    this.queued++;
    if (url.dueAt > 0) this.#delayed.push(url);
    else if (this.#overflows || this.#inMemory >= IN_MEMORY) this.#overflows = true;
    else this.#hold(url);
  }

  #hold(url: QueuedUrl): void {
    this.#lines[url.priority]?.push(url);
    this.#inMemory++;
  }

  /** The next that may be fetched now. */
  take(now: Instant): QueuedUrl | undefined {
    const due = this.#delayed.findIndex(({ dueAt }) => dueAt <= now);
    const url = due >= 0 ? this.#delayed.splice(due, 1)[0] : this.#shift();
    if (!url) return undefined;
    this.queued--;
    this.#underWay.add(url.id);
    return url;
  }

  #shift(): QueuedUrl | undefined {
    if (this.#inMemory === 0 && this.#overflows) this.#refill();
    for (const line of this.#lines) {
      const url = line.shift();
      if (!url) continue;
      this.#inMemory--;
      return url;
    }
    return undefined;
  }

  #refill(): void {
    const held = new Set([...this.#underWay, ...this.#delayed.map(({ id }) => id)]);
    const rows = this.#frontier.listQueued(this.host, IN_MEMORY + held.size);
    this.#overflows = rows.length === IN_MEMORY + held.size;
    for (const row of rows) {
      if (held.has(row.id)) continue;
      if (row.dueAt > 0) this.#delayed.push(row);
      else this.#hold(row);
    }
  }

  /** Not fetched after all: it is the next again. */
  giveBack(url: QueuedUrl): void {
    this.#underWay.delete(url.id);
    this.#lines[url.priority]?.unshift(url);
    this.#inMemory++;
    this.queued++;
  }

  done(url: QueuedUrl): void {
    this.#underWay.delete(url.id);
  }

  /** When something may begin; undefined when there is nothing to do. */
  readyAt(): Instant | undefined {
    if (this.queued === 0) return undefined;
    if (this.#inMemory > 0 || this.#overflows) return this.nextAt;
    const due = Math.min(...this.#delayed.map(({ dueAt }) => dueAt));
    return Number.isFinite(due) ? Math.max(this.nextAt, due) : undefined;
  }

  /** After an exchange: how long the host is left alone, by what it said and by how long it took. */
  rest(now: Instant, tookMs: number, settings: CrawlSettings): void {
    const { delayMs, delayFactor, maxDelayMs } = settings;
    const adapted = delayMs === 0 ? 0 : Math.min(maxDelayMs, tookMs * delayFactor);
    const asked = settings.robots === 'obey' ? Math.min(this.crawlDelayMs, maxDelayMs) : 0;
    this.nextAt = Math.max(this.nextAt, now + Math.max(delayMs, adapted, asked));
  }
}
