/** The crawler's public face. */
export { type CrawlDeps, type CrawlReport, crawlSource } from './crawl-source.ts';
export type { CrawlProgress } from './progress.ts';
export { type CrawlSettings, completeSettings } from './settings.ts';
