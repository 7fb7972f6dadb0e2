/**
 * From a change of the frontier to a capture in the store: the archive is synced, then the frontier
 * committed, then what it mentions delivered. Changes that come while the disk is busy wait.
 */
import type { ContentReading } from '../archive/content/index.ts';
import type { WarcThread } from '../archive/index.ts';
import type { CaptureEntry } from '../store/captures.ts';
import type { Frontier, OutboxEntry } from './frontier/frontier.ts';
import type { CrawlProgress } from './progress.ts';
import type { RecordCaptures } from './record-captures.ts';

export interface CommitCycleParts {
  readonly writer: WarcThread;
  readonly frontier: Frontier;
  readonly record: RecordCaptures;
  /** What else belongs into the same commit of the frontier. */
  readonly beforeCommit: () => void;
  readonly progress: () => CrawlProgress;
  readonly onCommit: (progress: CrawlProgress) => void;
  readonly onFailure: (error: unknown) => void;
  /** No change waits any more. */
  readonly onSettled: () => void;
}

const COMMIT_MS = 250;
const COMMIT_CAPTURES = 2000;
/** So many times what the last commit took: disks that sync slowly are asked less often. */
const COMMIT_PAUSE_FACTOR = 20;
const MAX_COMMIT_MS = 2000;

export class CommitCycle {
  readonly #parts: CommitCycleParts;
  #syncing = false;
  readonly #afterSync: (() => void)[] = [];
  #changes = 0;
  #nextCommitAt = 0;
  /** In the outbox, not yet committed; then committed, not yet recorded. */
  #fresh: OutboxEntry[] = [];
  #deliverable: OutboxEntry[];
  readonly #readings = new Map<CaptureEntry, ContentReading>();
  #delivering: Promise<void> | undefined;
  #ticker: NodeJS.Timeout | undefined;

  constructor(parts: CommitCycleParts) {
    this.#parts = parts;
    this.#deliverable = parts.frontier.listOutbox();
  }

  /** Delivers what a run before had committed only, and commits from time to time from now on. */
  async start(): Promise<void> {
    await this.#deliver();
    this.#ticker = setInterval(() => this.#commitSoon(), COMMIT_MS);
  }

  get hasWaiting(): boolean {
    return this.#afterSync.length > 0;
  }

  /** Inside a change: a record that is in the archive file. */
  add(entry: CaptureEntry): void {
    this.#fresh.push(this.#parts.frontier.addToOutbox(entry));
  }

  keepReading(entry: CaptureEntry, reading: ContentReading): void {
    this.#readings.set(entry, reading);
  }

  /** Changes of the frontier; those that come while a commit waits for the disk are made after it. */
  apply(change: () => void): void {
    if (this.#syncing) {
      this.#afterSync.push(change);
      return;
    }
    try {
      change();
    } catch (error) {
      this.#parts.onFailure(error);
    }
    this.#changes++;
    if (this.#fresh.length >= COMMIT_CAPTURES) this.#commitSoon();
  }

  stop(): void {
    clearInterval(this.#ticker);
  }

  /** Until everything is committed and recorded. Only when nothing else is under way. */
  async finish(hasFailed: () => boolean): Promise<void> {
    while (this.#syncing) await new Promise((resolve) => setTimeout(resolve, 5));
    do {
      if (hasFailed()) return;
      await this.#commit();
      await this.#delivering;
    } while (this.#changes > 0 || this.#deliverable.length > 0);
  }

  /** One at a time, each in the list until it is done: as long as there are any, the crawl has not ended. */
  #applyWaiting(): void {
    for (let change = this.#afterSync[0]; change && !this.#syncing; change = this.#afterSync[0]) {
      this.apply(change);
      this.#afterSync.shift();
    }
    this.#parts.onSettled();
  }

  #commitSoon(): void {
    if (this.#syncing || this.#changes === 0) return;
    if (performance.now() < this.#nextCommitAt && this.#fresh.length < COMMIT_CAPTURES) return;
    this.#commit().catch(this.#parts.onFailure);
  }

  async #commit(): Promise<void> {
    const { writer, frontier, beforeCommit, onCommit, progress } = this.#parts;
    this.#syncing = true;
    const started = performance.now();
    try {
      if (this.#fresh.length > 0) await writer.sync();
      beforeCommit();
      const now = progress();
      frontier.commit(now);
      this.#changes = 0;
      this.#deliverable.push(...this.#fresh);
      this.#fresh = [];
      onCommit(now);
    } finally {
      this.#syncing = false;
    }
    const now = performance.now();
    this.#nextCommitAt = now + Math.min(MAX_COMMIT_MS, (now - started) * COMMIT_PAUSE_FACTOR);
    this.#applyWaiting();
    this.#delivering ??= this.#deliver().finally(() => {
      this.#delivering = undefined;
    });
  }

  /** Committed captures go into the store; the outbox forgets them with the next commit. */
  async #deliver(): Promise<void> {
    const batch = this.#deliverable;
    if (batch.length === 0) return;
    this.#deliverable = [];
    try {
      const entries = batch.map(({ entry }) => entry);
      await this.#parts.record(entries, this.#readings);
      for (const entry of entries) this.#readings.delete(entry);
      const last = batch.at(-1)?.id ?? 0;
      this.apply(() => this.#parts.frontier.removeFromOutbox(last));
    } catch (error) {
      this.#parts.onFailure(error);
    }
  }
}
