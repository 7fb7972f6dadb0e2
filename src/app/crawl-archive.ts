/** A crawl of an archive, with everything that belongs to a run: log and notification. */
import { readFileSync } from 'node:fs';
import type { Garner } from '../app.ts';
import type { Config } from '../core/config.ts';
import type { CrawlConfig } from '../core/crawl-schema.ts';
import { GarnerError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { type CrawlOptions, type CrawlReport, completeSettings, crawlSource } from '../crawl/index.ts';
import { mapHosts } from '../net/host-map.ts';
import { readFeeds, settleFeeds } from './crawl-feeds.ts';
import { findLastRun, notifyOfLast } from './notify-run.ts';
import { comparingOf } from './packages.ts';

export interface CrawlJob {
  readonly source: string;
  readonly seeds: readonly string[];
  /** OAI-PMH addresses that tell of further seeds. */
  readonly feeds?: readonly string[];
  readonly crawl: CrawlConfig;
}

/** As the config has it; undefined when the source is no archive. */
export function configuredCrawl({ sources }: Config, name: string): CrawlJob | undefined {
  const source = sources[name];
  if (source?.kind !== 'archive') return undefined;
  return {
    source: name,
    seeds: [...source.urls, ...readUrlLists(source.urlLists)],
    feeds: source.feeds,
    crawl: source.crawl,
  };
}

/** Files with one address per line; lines with `#` before them are comments. */
export function readUrlLists(files: readonly string[]): string[] {
  return files.flatMap((file) => {
    try {
      return readFileSync(file, 'utf8')
        .split(/\r?\n/)
        .map((line) => line.replace(/^\s*#.*/, '').trim())
        .filter((line) => line !== '');
    } catch (cause) {
      throw new GarnerError('source.unreadable', `${file} cannot be read`, { cause });
    }
  });
}

/** `log`: of the run, as `RunLogs.tee` gives it. */
export async function crawlArchive(
  garner: Garner,
  { source, seeds, feeds = [], crawl }: CrawlJob,
  log: Log,
  options: CrawlOptions = {},
): Promise<CrawlReport> {
  const { store, formats, config } = garner;
  const before = await findLastRun(garner, source);
  try {
    const { signal = new AbortController().signal } = options;
    const { allowPrivate } = crawl;
    const news =
      feeds.length > 0 ? await readFeeds(garner, source, feeds, { allowPrivate, signal }) : undefined;
    const report = await crawlSource(
      {
        store,
        folder: config.data,
        log,
        comparing: comparingOf(config),
        ...mapHosts(config.net.hosts),
        ...(crawl.searchable && { fields: formats.fieldSpecs() }),
      },
      source,
      [...seeds, ...(news?.seeds ?? [])],
      completeSettings(crawl, config.repository),
      options,
    );
    // What failed is listed again next time, with everything that changed since.
    if (news && report.status === 'complete') await settleFeeds(garner, source, news);
    return report;
  } finally {
    await notifyOfLast(garner, source, before, log);
  }
}
