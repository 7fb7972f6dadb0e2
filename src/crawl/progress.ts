/** What a crawl tells while it goes on; the run page and the terminal show it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Instant } from '../core/model.ts';

/** The kind of a crawl's run. */
export const CRAWL_RUN = 'crawl';

export interface HostProgress {
  readonly host: string;
  readonly queued: number;
  readonly active: number;
  readonly captures: number;
  /** `busy`, `waiting` (polite, or told to), `failing`. */
  readonly state: 'busy' | 'waiting' | 'failing' | 'idle';
  /** The pause that it gets between two exchanges. */
  readonly delayMs: number;
}

export interface CrawlProgress {
  readonly at: Instant;
  readonly elapsedMs: number;
  readonly queued: number;
  readonly active: number;
  readonly captures: number;
  readonly revisits: number;
  /** As sent. */
  readonly bytes: number;
  /** Not stored again, since the archive had it. */
  readonly savedBytes: number;
  /** Captures per second, over the last seconds. */
  readonly rate: number;
  readonly failed: number;
  /** By error code. */
  readonly errors: Readonly<Record<string, number>>;
  /** By reason. */
  readonly excluded: Readonly<Record<string, number>>;
  readonly hostCount: number;
  /** The busiest ones. */
  readonly hosts: readonly HostProgress[];
}

export const frontierPath = (dataFolder: string, source: string): string =>
  join(dataFolder, 'crawl', `${source}.sqlite`);

/** Of a run that goes on or that ended, from its last commit. */
export function findCrawlProgress(
  dataFolder: string,
  source: string,
  runId: number,
): CrawlProgress | undefined {
  const path = frontierPath(dataFolder, source);
  if (!existsSync(path)) return undefined;
  const db = new DatabaseSync(path, { readOnly: true, timeout: 1000 });
  try {
    const row = db.prepare('SELECT progress FROM job WHERE run_id = ?').get(runId);
    return typeof row?.progress === 'string' ? (JSON.parse(row.progress) as CrawlProgress) : undefined;
  } finally {
    db.close();
  }
}
