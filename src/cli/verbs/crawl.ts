import { type CrawlJob, configuredCrawl, crawlArchive, readUrlLists } from '../../app/crawl-archive.ts';
import { openRunLogs } from '../../app/run-source.ts';
import { type Garner, openGarner } from '../../app.ts';
import { type Config, defaultConfig } from '../../core/config.ts';
import { type CrawlConfig, parseCrawl } from '../../core/crawl-schema.ts';
import { GarnerError } from '../../core/errors.ts';
import { NAME_PATTERN } from '../../core/identifiers.ts';
import { silentLog } from '../../core/log.ts';
import { nearestNames } from '../../core/nearest.ts';
import type { CrawlProgress, CrawlReport } from '../../crawl/index.ts';
import { readConfig } from '../open.ts';
import { exitOf, runEach } from '../run-each.ts';
import { tellUpdate } from '../tell-update.ts';
import { formatCount, type Terminal } from '../terminal.ts';
import { listOption, type OptionValues, textOption, type Verb } from '../verb.ts';

const DEFAULT_SOURCE = 'web';
const SHOWN_PROBLEMS = 10;

export const crawlVerb: Verb = {
  name: 'crawl',
  summary: 'archive web pages, politely and byte by byte',
  usage: 'crawl URL… [--source NAME] [--scope SCOPE] [--depth N] | crawl [SOURCE…]',
  options: {
    source: { type: 'string', value: 'NAME', help: 'the archive that the pages go to (default: web)' },
    scope: { type: 'string', value: 'SCOPE', help: 'follow links within: page, path, host, domain or any' },
    depth: { type: 'string', value: 'N', help: 'links from the start; 0 is the page and its requisites' },
    feed: {
      type: 'string',
      multiple: true,
      value: 'URL',
      help: 'an OAI-PMH address: fetch what it lists as new or changed since the last crawl',
    },
    list: { type: 'string', multiple: true, value: 'FILE', help: 'start addresses, one per line' },
    include: { type: 'string', multiple: true, value: 'REGEX', help: 'follow only links to URLs that match' },
    exclude: { type: 'string', multiple: true, value: 'REGEX', help: 'leave out URLs that match' },
    sitemap: { type: 'boolean', help: 'fetch the pages of the site map, too' },
    'max-captures': { type: 'string', value: 'N', help: 'stop after so many captures' },
    delay: { type: 'string', value: 'MS', help: 'least pause between two requests to a host; 0 for none' },
    'per-host': { type: 'string', value: 'N', help: 'requests at once to one host' },
    concurrency: { type: 'string', value: 'N', help: 'requests at once in all' },
    'ignore-robots': { type: 'boolean', help: 'do not ask for robots.txt, and obey no noarchive' },
    'allow-private': { type: 'boolean', help: 'hosts may be in private networks' },
    'archive-only': { type: 'boolean', help: 'make no items to be searched, only archive and index' },
    browser: { type: 'boolean', help: 'open pages in Chromium and record what it loads' },
    fresh: { type: 'boolean', help: 'forget what an interrupted crawl has still to do' },
  },
  examples: [
    'garner crawl https://www.example.org/',
    'garner crawl https://www.example.org/report.html --scope page',
    'garner crawl election',
    'garner crawl --feed https://www.example.org/modoai --scope page',
  ],
  async run({ positionals, values, terminal, signal }) {
    const config = readConfig(values);
    const jobs = listJobs(config, positionals, values);
    await using garner = await openGarner(config, {
      threads: jobs.some(({ crawl }) => crawl.searchable),
      readers: 1,
      onUpdate: tellUpdate(terminal),
      extraSources: jobs.map(({ source }) => source),
    });
    return await runEach(
      jobs,
      ({ source }) => source,
      { terminal, signal },
      async (job) => exitOf((await crawlOne(garner, job, values, terminal, signal)).status),
    );
  },
};

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/** Addresses go to one source; names are those of configured ones. */
function listJobs(config: Config, given: readonly string[], values: OptionValues): CrawlJob[] {
  const urls = [...given.filter(isUrl), ...readUrlLists(listOption(values, 'list'))];
  const names = given.filter((text) => !isUrl(text));
  const feeds = listOption(values, 'feed');
  if (urls.length + feeds.length > 0) {
    if (names.length > 0)
      throw new GarnerError(
        'usage.invalid',
        `an address begins with http:// or https://, not ${names.join(', ')}`,
      );
    const source = textOption(values, 'source') ?? DEFAULT_SOURCE;
    if (!NAME_PATTERN.test(source))
      throw new GarnerError('usage.invalid', `not a name for a source: ${source}`);
    return [{ source, seeds: urls, feeds, crawl: withOptions(crawlOf(config, source), values) }];
  }
  const all = Object.entries(config.sources)
    .filter(([, { kind }]) => kind === 'archive')
    .map(([name]) => name);
  for (const name of names)
    if (!all.includes(name)) {
      const near = nearestNames(name, all);
      throw new GarnerError(
        'source.unknown',
        `there is no archive "${name}"${near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''}`,
      );
    }
  const jobs = (names.length > 0 ? names : all).flatMap((source) => {
    const { seeds = [], feeds = [] } = configuredCrawl(config, source) ?? {};
    return seeds.length + feeds.length === 0 && names.length === 0
      ? []
      : [{ source, seeds, feeds, crawl: withOptions(crawlOf(config, source), values) }];
  });
  if (jobs.length === 0)
    throw new GarnerError(
      'usage.invalid',
      'what to crawl? Give an address, or configure an archive with `urls`',
    );
  return jobs;
}

function crawlOf(config: Config, name: string): CrawlConfig {
  const named =
    config.sources[name] ?? defaultConfig('.', { sources: { [name]: { kind: 'archive' } } }).sources[name];
  if (named?.kind !== 'archive')
    throw new GarnerError(
      'usage.invalid',
      `the source "${name}" is no archive; choose another with --source`,
    );
  return named.crawl;
}

/** What the command line says goes above the config; it is checked by the same rows. */
function withOptions(crawl: CrawlConfig, values: OptionValues): CrawlConfig {
  const number = (name: string) => {
    const text = textOption(values, name);
    if (text === undefined) return undefined;
    if (!/^\d+$/.test(text)) throw new GarnerError('usage.invalid', `--${name} takes a number, not ${text}`);
    return Number(text);
  };
  const chosen = {
    scope: textOption(values, 'scope'),
    depth: number('depth'),
    delayMs: number('delay'),
    perHost: number('per-host'),
    concurrency: number('concurrency'),
    sitemap: values.sitemap === true || undefined,
    robots: values['ignore-robots'] === true ? 'ignore' : undefined,
    allowPrivate: values['allow-private'] === true || undefined,
    searchable: values['archive-only'] === true ? false : undefined,
    browser: values.browser === true || undefined,
  };
  const captures = number('max-captures');
  const input = {
    ...crawl,
    ...Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined)),
    include: [...crawl.include, ...listOption(values, 'include')],
    exclude: [...crawl.exclude, ...listOption(values, 'exclude')],
    limits: { ...crawl.limits, ...(captures !== undefined && { captures }) },
  };
  return parseCrawl(input);
}

async function crawlOne(
  garner: Garner,
  job: CrawlJob,
  values: OptionValues,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<CrawlReport> {
  const { source } = job;
  const report = await crawlArchive(garner, job, openRunLogs(garner).tee(silentLog), {
    signal,
    fresh: values.fresh === true,
    onProgress: (progress) => {
      terminal.progress(describeProgress(source, progress));
      terminal.event({ event: 'crawl.progress', source, ...progress });
    },
  });
  terminal.progressDone();
  terminal.event({ event: 'crawl.finished', source, ...report });
  await describe(garner, source, report, terminal);
  return report;
}

function describeProgress(source: string, progress: CrawlProgress): string {
  const inState = (wanted: string) => progress.hosts.filter(({ state }) => state === wanted).length;
  return [
    `${source}: ${formatCount(progress.captures)} captures`,
    `${formatCount(progress.queued + progress.active)} to go`,
    `${progress.rate.toFixed(1)}/s`,
    formatBytes(progress.bytes),
    ...(progress.savedBytes > 0 ? [`${formatBytes(progress.savedBytes)} saved`] : []),
    `${formatCount(progress.hostCount)} hosts (${inState('busy')} busy, ${inState('waiting')} waiting, ${inState('failing')} failing)`,
    ...Object.entries(progress.errors).map(([code, n]) => `${code} ${formatCount(n)}`),
  ].join(', ');
}

async function describe(
  garner: Garner,
  source: string,
  report: CrawlReport,
  terminal: Terminal,
): Promise<void> {
  terminal.say(
    `${source}: ${formatCount(report.captures)} captures, ${formatBytes(report.bytes)} from ${formatCount(report.hostCount)} hosts` +
      `${report.revisits > 0 ? `, ${formatCount(report.revisits)} unchanged (${formatBytes(report.savedBytes)} saved)` : ''} (${report.status})`,
  );
  if (report.message !== undefined) terminal.say(`  ${report.message}`);
  if (report.snapshot !== undefined) terminal.say(`  snapshot: ${report.snapshot}`);
  for (const [reason, n] of Object.entries(report.excluded))
    terminal.say(`  left out, ${reason}: ${formatCount(n)}`);
  for (const [code, n] of Object.entries(report.errors)) terminal.say(`  failed, ${code}: ${formatCount(n)}`);
  if (report.problems === 0) return;
  const shown = await garner.store.runs.listProblems({ runId: report.runId, limit: SHOWN_PROBLEMS });
  for (const { where, message, code } of shown) terminal.say(`  ${where ?? ''}: ${message} [${code}]`);
  if (report.problems > shown.length)
    terminal.say(`  … ${formatCount(report.problems)} problems in all: garner runs ${report.runId}`);
}

function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.round(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}
