/** What a crawl is put together from; each of its parts takes the ones that it needs. */
import type { ContentReader } from '../archive/content/index.ts';
import type { WarcThread } from '../archive/index.ts';
import type { RecordProblem } from '../core/model.ts';
import type { Clock } from '../core/time.ts';
import type { CaptureIndex } from '../store/captures.ts';
import type { PageBrowser } from './browser/page-browser.ts';
import type { Fetcher } from './fetch/fetcher.ts';
import type { Frontier } from './frontier/frontier.ts';
import type { CrawlProgress } from './progress.ts';
import type { RecordCaptures } from './record-captures.ts';
import type { CrawlSettings } from './settings.ts';

export interface CrawlerParts {
  readonly source: string;
  readonly settings: CrawlSettings;
  readonly frontier: Frontier;
  readonly fetcher: Fetcher;
  readonly writer: WarcThread;
  /** Where the writer's files are. */
  readonly folder: string;
  readonly captures: CaptureIndex;
  readonly record: RecordCaptures;
  readonly clock: Clock;
  readonly reader: ContentReader;
  /** Opens pages, where they are not just fetched. */
  readonly browser: PageBrowser | undefined;
  readonly signal: AbortSignal;
  readonly onProblem: (problem: RecordProblem) => void;
  readonly onCommit: (progress: CrawlProgress) => void;
}

/** What something that was fetched means for the frontier: to be done when no commit waits for the disk. */
export type Effect = () => void;
