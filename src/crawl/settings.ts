/** How a crawl behaves. Every limit has one default, in the schema of the config file. */
import type { CrawlConfig } from '../core/crawl-schema.ts';
import { userAgent } from '../net/user-agent.ts';

/** What links are followed to; requisites of a page are fetched from anywhere. */
export type CrawlScope = CrawlConfig['scope'];

export interface TrapLimits {
  /** Characters of a URL. */
  readonly urlLength: number;
  readonly pathSegments: number;
  /** How often one segment, or a run of them, may stand in a path. */
  readonly repeats: number;
  /** Different query strings below one path of a host. */
  readonly queries: number;
  /** URLs of a host that differ in numbers and identifiers only. */
  readonly similar: number;
  /** As `similar`, where the numbers look like dates. */
  readonly calendar: number;
}

export interface CrawlLimits {
  /** Captures of one job; those of requisites and redirects count. */
  readonly captures: number;
  /** Received in one job, as sent. */
  readonly bytes: number;
  readonly durationMs: number;
  /** Of one body, as sent; what is longer is cut off and marked. */
  readonly documentBytes: number;
  /** Of one exchange in all; then what came is kept and marked. */
  readonly exchangeMs: number;
  /** Until the connection stands. */
  readonly connectMs: number;
  /** Between two bytes. */
  readonly idleMs: number;
  /** Bytes per second; slower senders are cut off after `graceMs`. */
  readonly minRate: number;
  readonly graceMs: number;
}

export interface CrawlSettings {
  readonly scope: CrawlScope;
  /** Links from a seed; 0 is the page and its requisites. */
  readonly depth: number;
  /** Links that may lead out of the scope, one behind the other. */
  readonly hopsOff: number;
  /** Regular expressions on the URL. What one of `exclude` matches is left out, requisites too. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly requisites: boolean;
  /** Whether the site maps that robots.txt names, or `/sitemap.xml`, are read for further seeds. */
  readonly sitemap: boolean;
  readonly robots: 'obey' | 'ignore';
  /** Media types such as `image/*`; of the others only the header is looked at. Empty: all. */
  readonly types: readonly string[];
  readonly userAgent: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly allowPrivate: boolean;
  readonly insecureTls: boolean;
  /** Exchanges under way in all, and with one host. */
  readonly concurrency: number;
  readonly perHost: number;
  /** Least pause between two exchanges with a host; 0 turns the adaption off as well. */
  readonly delayMs: number;
  /** The pause is at least so many times what the host took for its last answer. */
  readonly delayFactor: number;
  readonly maxDelayMs: number;
  readonly attempts: number;
  readonly backoffMs: number;
  readonly limits: CrawlLimits;
  readonly traps: TrapLimits;
  readonly searchable: boolean;
  readonly browser: boolean;
  readonly browserPath?: string;
}

const MAX_WINDOWS = 4;

/** With an honest name: the product, where it comes from, and whom to write to. */
export function completeSettings(
  crawl: CrawlConfig,
  repository: { readonly baseUrl: string; readonly adminEmail: string },
): CrawlSettings {
  return {
    ...crawl,
    // Each page is a window of its own.
    concurrency: crawl.browser ? Math.min(crawl.concurrency, MAX_WINDOWS) : crawl.concurrency,
    userAgent: crawl.userAgent ?? userAgent({ url: repository.baseUrl, email: repository.adminEmail }),
  };
}
