/** The crawler's public face. */
export { type CrawlOptions, type CrawlReport, crawlSource } from './crawl-source.ts';
export { forgetCrawls } from './forget-crawls.ts';
export type { CrawlProgress } from './progress.ts';
export { completeSettings } from './settings.ts';
export { verifyFrontiers } from './verify-frontiers.ts';
