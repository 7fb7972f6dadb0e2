/**
 * One crawl: takes URLs from the frontier as hosts permit and lets each be visited. What happens to the
 * frontier happens in `CommitCycle.apply`, never while a commit waits for the archive to be synced.
 */
import type { Instant } from '../core/model.ts';
import { CommitCycle } from './commit-cycle.ts';
import type { CrawlerParts } from './crawler-parts.ts';
import { describeProgress } from './describe-progress.ts';
import { ExchangeKeeper } from './exchange-keeper.ts';
import { HostSchedule, type NextUrl } from './frontier/host-schedule.ts';
import { JobRequests } from './job-requests.ts';
import type { CrawlProgress } from './progress.ts';
import { UrlIntake } from './url-intake.ts';
import { UrlOutcomes } from './url-outcomes.ts';
import { UrlVisitor } from './url-visitor.ts';

export interface CrawlEnd {
  readonly progress: CrawlProgress;
  /** Which limit stopped it. */
  readonly limit?: string;
}

/** Over which the rate is taken. */
const RATE_MS = 2000;
const MAX_TIMER_MS = 60_000;

export class Crawler {
  readonly #parts: CrawlerParts;
  readonly #hosts: HostSchedule;
  readonly #cycle: CommitCycle;
  readonly #keeper: ExchangeKeeper;
  readonly #intake: UrlIntake;
  readonly #visitor: UrlVisitor;
  readonly #startedAt: Instant;
  #active = 0;
  #timer: NodeJS.Timeout | undefined;
  #limit: string | undefined;
  #failure: unknown;
  #finish: (() => void) | undefined;
  #finished = false;
  #rate = { at: 0, captures: 0, value: 0 };

  constructor(parts: CrawlerParts) {
    this.#parts = parts;
    const { settings, frontier, clock } = parts;
    this.#startedAt = clock();
    this.#hosts = new HostSchedule(frontier, settings.perHost);
    const requests = new JobRequests(parts);
    this.#cycle = new CommitCycle({
      ...parts,
      beforeCommit: () => requests.saveCookies(),
      progress: () => this.progress(),
      onFailure: (error) => {
        this.#failure ??= error;
        this.#finishIfIdle();
      },
      onSettled: () => this.#finishIfIdle(),
    });
    this.#keeper = new ExchangeKeeper(parts, this.#cycle);
    this.#intake = new UrlIntake(parts, (url) => this.#hosts.enqueue(url));
    this.#visitor = new UrlVisitor(parts, {
      cycle: this.#cycle,
      keeper: this.#keeper,
      requests,
      intake: this.#intake,
      outcomes: new UrlOutcomes(parts, (url) => this.#hosts.enqueue(url)),
    });
  }

  async run(seeds: readonly string[]): Promise<CrawlEnd> {
    const { signal } = this.#parts;
    await this.#cycle.start();
    await this.#keeper.start();
    this.#hosts.restore();
    for (const seed of seeds) this.#intake.addSeed(seed);
    const stop = () => this.#finishIfIdle();
    signal.addEventListener('abort', stop, { once: true });
    await new Promise<void>((resolve) => {
      this.#finish = resolve;
      this.#pump();
      this.#finishIfIdle();
    });
    this.#cycle.stop();
    clearTimeout(this.#timer);
    signal.removeEventListener('abort', stop);
    await this.#cycle.finish(() => this.#failure !== undefined);
    if (this.#failure !== undefined) throw this.#failure;
    return { progress: this.progress(), ...(this.#limit !== undefined && { limit: this.#limit }) };
  }

  get #stopped(): boolean {
    return (
      this.#finished || this.#limit !== undefined || this.#failure !== undefined || this.#parts.signal.aborted
    );
  }

  #pump(): void {
    const { clock, settings } = this.#parts;
    clearTimeout(this.#timer);
    while (this.#active < settings.concurrency && !this.#stopped) {
      const at = this.#hosts.nextAt;
      if (at === undefined) return;
      const now = clock();
      if (at > now) {
        this.#timer = setTimeout(() => this.#pump(), Math.min(at - now, MAX_TIMER_MS));
        return;
      }
      // What is under way may turn out to be no capture; then there is room again.
      if (!this.#hasRoom(now)) return;
      const next = this.#hosts.take(now);
      if (!next) continue;
      this.#active++;
      const { queue } = next;
      if (settings.delayMs > 0) queue.nextAt = Math.max(queue.nextAt, now + settings.delayMs);
      this.#hosts.wait(queue);
      void this.#visit(next);
    }
  }

  /** Whether the limits permit one more; sets the one that is reached. */
  #hasRoom(now: Instant): boolean {
    const { settings, frontier } = this.#parts;
    const { limits } = settings;
    const documents = frontier.tallies.get('documents');
    if (documents >= limits.captures) this.#limit = `captures (${limits.captures})`;
    if (frontier.tallies.get('bytes') >= limits.bytes) this.#limit = `bytes (${limits.bytes})`;
    if (now - this.#startedAt >= limits.durationMs) this.#limit = `time (${limits.durationMs} ms)`;
    return this.#limit === undefined && documents + this.#active < limits.captures;
  }

  async #visit({ queue, url }: NextUrl): Promise<void> {
    try {
      const effect = await this.#visitor.visit(queue, url);
      this.#cycle.apply(() => {
        queue.done(url);
        effect();
      });
    } catch (error) {
      // An exchange that was broken off on purpose stays queued.
      if (!this.#parts.signal.aborted) this.#failure ??= error;
    } finally {
      this.#active--;
      this.#cycle.apply(() => {
        queue.done(url);
        this.#hosts.wait(queue);
        this.#pump();
        this.#finishIfIdle();
      });
    }
  }

  #finishIfIdle(): void {
    if (this.#active > 0 || this.#cycle.hasWaiting) return;
    if (!this.#stopped && this.#hosts.nextAt !== undefined) return;
    this.#finished = true;
    this.#finish?.();
  }

  progress(): CrawlProgress {
    const { frontier, clock, settings } = this.#parts;
    const now = clock();
    const captures = frontier.tallies.get('captures');
    if (now - this.#rate.at >= RATE_MS) {
      const seconds = (now - this.#rate.at) / 1000;
      const value = this.#rate.at === 0 ? 0 : (captures - this.#rate.captures) / seconds;
      this.#rate = { at: now, captures, value };
    }
    return describeProgress({
      at: now,
      elapsedMs: now - this.#startedAt,
      active: this.#active,
      rate: this.#rate.value,
      tallies: frontier.tallies,
      hosts: this.#hosts.hosts,
      hostCaptures: this.#keeper.hostCaptures,
      delayMs: settings.delayMs,
    });
  }
}
