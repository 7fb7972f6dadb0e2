/** What became of given addresses in a source's newest crawl, while it goes on and until the next one begins. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { URL_STATES, type UrlState } from './frontier/schema.ts';
import { frontierPath } from './progress.ts';
import { crawlKey, parseCrawlUrl } from './scope/canonical.ts';

export interface UrlOutcome {
  readonly state: UrlState;
  /** Of the answer. */
  readonly status?: number;
  /** Why it failed or was left out. */
  readonly reason?: string;
}

const STATES = new Map(Object.entries(URL_STATES).map(([name, number]) => [number, name as UrlState]));

/** By address; those that the crawl does not know are absent. */
export function findUrlOutcomes(
  dataFolder: string,
  source: string,
  urls: readonly string[],
): Map<string, UrlOutcome> {
  const outcomes = new Map<string, UrlOutcome>();
  const path = frontierPath(dataFolder, source);
  if (!existsSync(path)) return outcomes;
  const db = new DatabaseSync(path, { readOnly: true, timeout: 1000 });
  try {
    const find = db.prepare(
      'SELECT state, status, reason FROM url WHERE job_id = (SELECT max(id) FROM job) AND key = ?',
    );
    for (const url of urls) {
      const parsed = parseCrawlUrl(url);
      const row = parsed && find.get(crawlKey(parsed));
      const state = row && STATES.get(Number(row.state) as (typeof URL_STATES)[UrlState]);
      if (!row || !state) continue;
      outcomes.set(url, {
        state,
        ...(row.status !== null && { status: Number(row.status) }),
        ...(typeof row.reason === 'string' && { reason: row.reason }),
      });
    }
    return outcomes;
  } finally {
    db.close();
  }
}
