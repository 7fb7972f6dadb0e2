/** The keys of sources, as rows of the config file: one schema for each kind. */
import { z } from 'zod';
import { accessRule } from './access-schema.ts';
import { crawlSchema } from './crawl-schema.ts';
import { isSchedule } from './schedule.ts';
import { listOf, name, text, webAddress } from './schema-values.ts';

/** Keys that every kind of source has. */
const anySource = {
  format: name
    .exactOptional()
    .describe('The format of every record. Without it each record is known by its namespace and root.'),
  record: text
    .exactOptional()
    .describe(
      'The local name of the element that is one record, where one file holds many and the format does not tell.',
    ),
  xslt: text
    .exactOptional()
    .describe('A stylesheet (XSLT 1.0) for every record; what came stays stored as well.'),
  xsd: text.exactOptional().describe('A schema that every record is validated against.'),
  xsdRoot: text
    .exactOptional()
    .describe('The folder that the schema may include and import from; without it the schema’s own folder.'),
  accept: listOf(text)
    .exactOptional()
    .describe(
      'XPaths, with the prefixes of the format; only records that fulfil one of them are kept. What is stored already and no longer fits is deleted when it comes again, or by `garner reindex`.',
    ),
  deny: listOf(text).exactOptional().describe('XPaths; records that fulfil one of them are left out.'),
  validation: z
    .enum(['report', 'quarantine', 'reject'])
    .default('report')
    .describe(
      'What happens to a record that its schema refuses: stored and reported; stored but hidden from readers, in that format and all made of it; or not stored.',
    ),
  maxDeleteShare: z
    .number()
    .min(0)
    .max(1)
    .default(0.2)
    .describe('The largest share of a source that one run may delete; more needs `--force`.'),
  access: accessRule.exactOptional().describe('Who may read; without it the rule of `access.default`.'),
};

const schedule = text
  .refine(isSchedule, 'must be a cron expression of five or six parts, or @hourly, @daily, @weekly, @monthly')
  .exactOptional()
  .describe('When `garner serve` runs it by itself: a cron expression (`0 3 * * 1`), or `@daily`.');

/** Keys that every source behind a web address has. */
const remoteSource = {
  schedule,
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .describe('The address to ask; a query string of its own is kept.'),
  allowPrivate: z
    .boolean()
    .default(false)
    .describe('Whether the address, or one that it redirects to, may lie in a private network.'),
  headers: z
    .record(text, z.string())
    .exactOptional()
    .describe('Headers sent with every request to that host; a `User-Agent` replaces ours.'),
  user: text.exactOptional().describe('For HTTP Basic authentication, with `password`.'),
  password: text.exactOptional().describe('Keep it out of the file with `${NAME}`.'),
  token: text.exactOptional().describe('For HTTP Bearer authentication.'),
  delayMs: z.int().min(0).default(0).describe('The least time between two requests to the host.'),
  attempts: z
    .int()
    .min(1)
    .max(20)
    .default(6)
    .describe('How often one request is tried, with growing pauses.'),
  timeoutMs: z
    .int()
    .min(100)
    .default(120_000)
    .describe('How long the host may be silent before a request is given up.'),
};

const oaiDate = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}Z)?$/, 'must be a day, or a second as 2026-11-15T08:00:00Z');

/** One schema per kind of source. A new kind is one more row here and a folder that reads it. */
export const SOURCE_KINDS = [
  z.strictObject({
    kind: z.literal('files').describe('Files of XML or JSON in folders, zip or tar.gz archives.'),
    path: listOf(text).describe('A folder, file or archive, or several; relative to the config file.'),
    schedule,
    ...anySource,
  }),
  z.strictObject({
    kind: z.literal('oai').describe('An OAI-PMH 2.0 provider, or a static repository file.'),
    ...remoteSource,
    prefixes: z
      .union([
        text.transform((prefix): Record<string, string | undefined> => ({ [prefix]: undefined })),
        z
          .array(text)
          .min(1)
          .transform(
            (prefixes): Record<string, string | undefined> =>
              Object.fromEntries(prefixes.map((prefix) => [prefix, undefined])),
          ),
        z.record(text, name).transform((formats): Record<string, string | undefined> => formats),
      ])
      .exactOptional()
      .describe(
        'The metadata prefixes to harvest: one, a list, or `{ prefix: format }`. Without it: the name of `format`, or `oai_dc`.',
      ),
    sets: listOf(text).exactOptional().describe('Only these sets; without it everything.'),
    from: oaiDate.exactOptional().describe('Nothing that was changed before.'),
    until: oaiDate.exactOptional().describe('Nothing that was changed after.'),
    feed: z
      .enum(['records', 'identifiers'])
      .default('records')
      .describe(
        'How records are listed: whole (`ListRecords`), or their headers first (`ListIdentifiers`) and each one by itself.',
      ),
    granularity: z
      .enum(['day', 'second'])
      .exactOptional()
      .describe('How finely the provider counts time, where its own answer is wrong.'),
    fullEveryDays: z
      .int()
      .min(0)
      .default(30)
      .describe(
        'How often all is listed anew and compared, where the provider does not tell of deletions for ever; 0: only with `--full`.',
      ),
    references: z
      .enum(['note', 'fetch'])
      .default('note')
      .describe(
        'With `oai_didl`, files that the provider does not send but only tells the address of: listed as problems, or fetched.',
      ),
    ...anySource,
  }),
  z.strictObject({
    kind: z.literal('csw').describe('A catalogue service, CSW 2.0.2.'),
    ...remoteSource,
    outputSchema: text
      .exactOptional()
      .describe(
        'The schema to ask records in, by its namespace. Without it ISO 19139 where the catalogue offers that, else Dublin Core (`csw:Record`).',
      ),
    typeNames: text.default('csw:Record').describe('What the catalogue calls its records.'),
    cql: text.exactOptional().describe('Only records that this condition (CQL_TEXT) holds for.'),
    method: z
      .enum(['post', 'get'])
      .exactOptional()
      .describe('How to ask. Without it as the catalogue announces, POST first.'),
    pageSize: z.int().min(1).max(5000).default(100).describe('Records asked for at once.'),
    fullEveryDays: z
      .int()
      .min(0)
      .default(7)
      .describe(
        'How often all is read and compared, where the catalogue can be asked for what changed; 0: only when its number of records does not agree, or with `--full`.',
      ),
    ...anySource,
  }),
  z.strictObject({
    kind: z
      .literal('ogc')
      .describe('An OGC API – Records service: its front page, a collection, or a list of items.'),
    ...remoteSource,
    collections: listOf(text).exactOptional().describe('Only these collections; without it all.'),
    pageSize: z.int().min(1).max(10_000).default(200).describe('Records asked for at once.'),
    ...anySource,
  }),
  z.strictObject({
    kind: z.literal('stac').describe('A STAC service, a list of items, or a static catalogue.'),
    ...remoteSource,
    collections: listOf(text).exactOptional().describe('Only these collections; without it all.'),
    pageSize: z.int().min(1).max(10_000).default(200).describe('Items asked for at once.'),
    ...anySource,
  }),
  z.strictObject({
    kind: z
      .literal('resourcesync')
      .describe('A ResourceSync source: its description, a capability list or a resource list.'),
    ...remoteSource,
    ...anySource,
  }),
  z.strictObject({
    kind: z
      .literal('sitemap')
      .describe('Web pages with schema.org descriptions (JSON-LD), found by a site map or robots.txt.'),
    ...remoteSource,
    pages: text
      .exactOptional()
      .describe('Only pages whose address this regular expression matches; without it all.'),
    types: listOf(text)
      .exactOptional()
      .describe(
        'Only descriptions of these schema.org types. Without it all but those of page furniture (`BreadcrumbList`, `WebSite`, `Organization` …).',
      ),
    ...anySource,
  }),
  z.strictObject({
    kind: z.literal('waf').describe('A folder of records on a web server that lists its files.'),
    ...remoteSource,
    depth: z.int().min(0).max(100).default(20).describe('How many folders deep to look.'),
    ...anySource,
  }),
  z.strictObject({
    kind: z.literal('push').describe('Records that others send: `PUT /api/push/{source}/{identifier}`.'),
    ...anySource,
  }),
  z.strictObject({
    kind: z.literal('archive').describe('Web pages, crawled or taken from web archives.'),
    urls: listOf(text).default([]).describe('Where crawls of the source start.'),
    urlLists: listOf(text).default([]).describe('Files with one start address per line.'),
    feeds: listOf(webAddress)
      .default([])
      .describe(
        'OAI-PMH addresses of web servers (mod_oai, `garner expose`): crawls start from what they list as new or changed since the last one.',
      ),
    schedule,
    crawl: crawlSchema,
    access: accessRule.exactOptional().describe('Who may read; without it the rule of `access.default`.'),
  }),
  z.strictObject({
    kind: z.literal('folder').describe('A folder that a web server serves: every file becomes an item.'),
    path: listOf(text)
      .refine((paths) => paths.length === 1, 'must be one folder; make a source of each')
      .describe('The folder, relative to the config file.'),
    url: webAddress.describe('The address of the folder on the web.'),
    title: text.exactOptional().describe('The name that readers see.'),
    httpdConf: text
      .exactOptional()
      .describe('The configuration file of the Apache server; its rules decide who may read what.'),
    htaccess: z.boolean().default(true).describe('Whether `.htaccess` files are obeyed.'),
    rules: z
      .array(
        z.strictObject({
          match: text.describe('A glob on the path below `url`, such as `drafts/**`.'),
          access: accessRule.describe('Who may read these files; never more than the web server lets in.'),
        }),
      )
      .default([])
      .describe('Rules of your own; the first that fits a file counts.'),
    index: listOf(text)
      .default(['index.html', 'index.htm'])
      .describe(
        'Files that answer at the address of their folder, where the server’s configuration names none.',
      ),
    sitemaps: listOf(text)
      .default([])
      .describe('Sitemaps of pages that are no files; each page is fetched and published like a file.'),
    urlLists: listOf(text).default([]).describe('Files with one address of a page per line.'),
    liveHeaders: z
      .boolean()
      .default(true)
      .describe('Ask the live site for the headers of `http_header`; computed where it does not answer.'),
    allowPrivate: z
      .boolean()
      .default(false)
      .describe('The live site may have a private or loopback address.'),
    delivery: z
      .enum(['value', 'reference', 'both'])
      .default('both')
      .describe(
        'How `oai_didl` carries files: their bytes, their address, or both; with `reference` ResourceSync has no files either.',
      ),
    maxValueBytes: z
      .int()
      .min(0)
      .default(10_000_000)
      .describe('Larger files are carried by their address only.'),
    rescanSeconds: z.int().min(1).default(300).describe('How often all files are looked at.'),
    redigestDays: z
      .number()
      .min(0)
      .default(30)
      .describe('How often a file is read again although its size and time have not changed.'),
    maxDeleteShare: z
      .number()
      .min(0)
      .max(1)
      .default(1)
      .describe(
        'The largest share of the files that one scan may delete; a folder that became empty deletes nothing.',
      ),
    access: accessRule.exactOptional().describe('Who may read; without it the rule of `access.default`.'),
  }),
] as const;
