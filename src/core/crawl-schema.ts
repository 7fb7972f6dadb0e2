/** The keys of a crawl, as rows of the config file; `archive` sources have them under `crawl`. */
import { z } from 'zod';
import type { DeepReadonly } from './deep-readonly.ts';
import { GarnerError } from './errors.ts';
import { listOf, text } from './schema-values.ts';

const pattern = text.refine((source) => {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}, 'must be a regular expression');
const patterns = listOf(pattern).default([]);
const count = (least: number, usual: number) => z.int().min(least).default(usual);

const limits = z
  .strictObject({
    captures: count(1, 100_000).describe('Captures of one crawl.'),
    bytes: count(1, 50 * 2 ** 30).describe('Bytes received in one crawl.'),
    durationMs: count(1, 24 * 3600_000).describe('How long a crawl may take.'),
    documentBytes: count(1, 512 * 2 ** 20).describe(
      'Of one document; what is longer is cut off and marked so.',
    ),
    exchangeMs: count(1, 600_000).describe('For one document; what came until then is kept and marked so.'),
    connectMs: count(1, 20_000).describe('Until a connection stands.'),
    idleMs: count(1, 30_000).describe('How long a host may be silent.'),
    minRate: count(0, 64).describe('Bytes per second; slower hosts are cut off after `graceMs`.'),
    graceMs: count(0, 20_000).describe('How long a host may be slow.'),
  })
  .prefault({})
  .describe('Where a crawl stops.');

const traps = z
  .strictObject({
    urlLength: count(1, 2000).describe('Characters of a URL.'),
    pathSegments: count(1, 25).describe('Parts of a path.'),
    repeats: count(1, 3).describe('How often the same part may stand in a path.'),
    queries: count(0, 2000).describe('Query strings of one path.'),
    similar: count(0, 100_000).describe('URLs of a host that differ in numbers and identifiers only.'),
    calendar: count(0, 500).describe('As `similar`, where the numbers look like dates.'),
  })
  .prefault({})
  .describe('How many URLs of each endless kind are fetched; the others are left out and told in the run.');

const scope = z
  .enum(['page', 'path', 'host', 'domain', 'any'])
  .describe(
    'What links are followed to: nothing, the same folder, host (with or without `www.`), registered domain, or anything.',
  );
const DEPTH_DOC = 'Links from a start address; 0 is the page and its requisites.';

export const crawlSchema = z
  .strictObject({
    scope: scope.default('host').describe(scope.description ?? ''),
    depth: count(0, 20).describe(DEPTH_DOC),
    hopsOff: count(0, 0).describe('How many links in a row may lead out of the scope.'),
    include: patterns.describe(
      'Regular expressions; only links to URLs that one of them matches are followed.',
    ),
    exclude: patterns.describe(
      'Regular expressions; URLs that one of them matches are left out, requisites too.',
    ),
    requisites: z
      .boolean()
      .default(true)
      .describe('Whether images, style sheets, scripts, fonts, media and frames are fetched, from any host.'),
    sitemap: z.boolean().default(false).describe('Whether the pages of the site map are fetched, too.'),
    robots: z
      .enum(['obey', 'ignore'])
      .default('obey')
      .describe('Whether robots.txt, `nofollow` and `noarchive` count.'),
    types: listOf(text)
      .default([])
      .describe('Only these media types, such as `text/html` or `image/*`; without it all.'),
    userAgent: text
      .exactOptional()
      .describe('Instead of ours, which has the address and e-mail of the repository.'),
    headers: z
      .record(text, z.string())
      .default({})
      .describe('Headers sent with every request, to every host.'),
    allowPrivate: z.boolean().default(false).describe('Whether hosts in private networks may be crawled.'),
    insecureTls: z
      .boolean()
      .default(false)
      .describe('Whether certificates that cannot be trusted are accepted.'),
    concurrency: count(1, 32).describe('Exchanges under way at once, with all hosts together.'),
    perHost: count(1, 1).describe('Exchanges under way at once with one host.'),
    delayMs: count(0, 1000).describe('The least pause between two exchanges with a host; 0 for none at all.'),
    delayFactor: z
      .number()
      .min(0)
      .default(2)
      .describe('The pause is at least so many times what the host took for its last answer.'),
    maxDelayMs: count(0, 30_000).describe(
      'The longest pause, whatever the host takes or its robots.txt asks for.',
    ),
    attempts: z.int().min(1).max(20).default(4).describe('How often one URL is tried.'),
    backoffMs: count(0, 5000).describe(
      'The first pause before another try; each further one is twice as long.',
    ),
    searchable: z
      .boolean()
      .default(true)
      .describe(
        'Whether captures become items that can be searched; else they are archived and indexed by URL only.',
      ),
    browser: z
      .boolean()
      .default(false)
      .describe('Open pages in Chromium and record what it loads; needs the package `playwright-core`.'),
    browserPath: text
      .exactOptional()
      .describe('The program of Chromium; without it one that is found where Linux has it.'),
    limits,
    traps,
  })
  .prefault({})
  .describe('How the source is crawled.');

export type CrawlConfig = DeepReadonly<z.output<typeof crawlSchema>>;

/** What engines found: the pages themselves, unless more is wanted. */
export const foundCrawlSchema = z.strictObject({
  ...crawlSchema.unwrap().shape,
  scope: scope.default('page').describe(scope.description ?? ''),
  depth: count(0, 0).describe(DEPTH_DOC),
});

/** Settings that were put together elsewhere than in a config file, held to the same rows. */
export function parseCrawl(input: unknown): CrawlConfig {
  const parsed = crawlSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new GarnerError(
    'usage.invalid',
    `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not understood'}`,
  );
}
