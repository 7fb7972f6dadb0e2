/**
 * The config file, key by key. Each key is one row: its type, its default and a line of documentation;
 * `docs/reference/config.md` is written from these rows, and environment names follow from the keys.
 */
import { z } from 'zod';
import { ROLES } from './access.ts';
import { accessRule } from './access-schema.ts';
import { crawlSchema } from './crawl-schema.ts';
import { curationSchema } from './curation-schema.ts';
import { discoverSchema, enginesSchema, topicsSchema } from './discover-schema.ts';
import { DC_ELEMENTS } from './dublin-core.ts';
import { federateSchema } from './federate-schema.ts';
import { NAME_PATTERN, REPOSITORY_IDENTIFIER_PATTERN, SET_SPEC_PATTERN } from './identifiers.ts';
import { FIELD_TYPES, RESERVED_FIELDS } from './model.ts';
import { netSchema } from './net-schema.ts';
import { packagesSchema } from './packages-schema.ts';
import { isSchedule, isTimeZone } from './schedule.ts';

const text = z.string().min(1, 'must not be empty');
const name = z
  .string()
  .regex(NAME_PATTERN, 'a name has letters, digits, - and _, and starts with a letter or digit');
const fieldName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_]*$/, 'a field name has letters, digits and _, and starts with a letter')
  .refine(
    (field) => !RESERVED_FIELDS.some((reserved) => reserved === field),
    'is filled by the store; choose another name',
  );
/** One value, or a list of them; always a list afterwards. */
const listOf = (entry: z.ZodType<string, string>) =>
  z
    .union([entry, z.array(entry)], { error: 'must be a text or a list of texts' })
    .transform((value) => (typeof value === 'string' ? [value] : value));

const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine((url) => !/[?#]/.test(url), 'must have no query and no fragment')
  .transform((url) => url.replace(/\/+$/, ''));

const policy = text.exactOptional();

const oai = z
  .strictObject({
    pageSize: z
      .int()
      .min(1)
      .max(10_000)
      .default(500)
      .describe('Records on one page of ListRecords; ListIdentifiers gives four times as many headers.'),
    pageBytes: z
      .int()
      .min(1000)
      .default(4 * 2 ** 20)
      .describe('A page ends with the record that goes past so many bytes.'),
    tokenHours: z.number().positive().default(24).describe('How long a resumption token is good.'),
    maxLists: z
      .int()
      .min(1)
      .default(16)
      .describe('Lists under way at once; harvesters beyond that are told to come again.'),
    friends: z.array(webAddress).default([]).describe('Base URLs of other repositories to make known.'),
    branding: z
      .strictObject({
        icon: webAddress.describe('A picture of the collection.'),
        link: webAddress.exactOptional().describe('Where the picture leads.'),
        title: text.exactOptional().describe('Its text.'),
        width: z.int().positive().exactOptional().describe('In pixels.'),
        height: z.int().positive().exactOptional().describe('In pixels.'),
      })
      .exactOptional()
      .describe('How others may show the repository.'),
    policies: z
      .strictObject({
        content: policy.describe('What the repository holds. Each policy is a text or the address of one.'),
        metadata: policy.describe('What may be done with the metadata.'),
        data: policy.describe('What may be done with the things described.'),
        submission: policy.describe('Who may add to it.'),
      })
      .exactOptional()
      .describe('Policies, told in Identify.'),
    sets: z
      .record(
        z
          .string()
          .regex(SET_SPEC_PATTERN, "a set has parts of letters, digits and -_.!~*'(), joined by colons"),
        z.strictObject({
          name: text.exactOptional().describe('The name that harvesters see.'),
          description: text.exactOptional().describe('What is in it.'),
        }),
      )
      .default({})
      .describe('Names of sets by their specs (`source:pangaea`, `ice:sea`).'),
  })
  .prefault({})
  .describe('The OAI-PMH provider.');

const repository = z
  .strictObject({
    name: text.default('Garner').describe('The name that readers and harvesters see.'),
    baseUrl: webAddress
      .exactOptional()
      .describe(
        'The public address of the portal. Without it: `http://` with the host and port of `server`.',
      ),
    archiveOrigin: webAddress
      .refine((url) => new URL(url).pathname === '/', 'must be a host alone, without a path')
      .exactOptional()
      .describe(
        'The public address of `server.archivePort`, another host than that of `baseUrl`; archived pages are shown there and nothing else. Without it: links to them only where `baseUrl` is not set either.',
      ),
    identifier: z
      .string()
      .regex(REPOSITORY_IDENTIFIER_PATTERN, 'must look like a domain name, such as data.example.org')
      .exactOptional()
      .describe(
        'The domain-like name inside the OAI identifiers that Garner mints; never change it. Without it: the host of `baseUrl`, or `garner.localhost` if that is no domain name.',
      ),
    adminEmail: z
      .email('must be an e-mail address')
      .default('curator@garner.localhost')
      .describe('Whom harvesters may write to.'),
    oai,
  })
  .prefault({})
  .describe('What the repository says of itself.');

const server = z
  .strictObject({
    host: text.default('127.0.0.1').describe('The address to listen on; `0.0.0.0` for all.'),
    port: z.int().min(0).max(65535).default(8080).describe('The port to listen on; 0 takes a free one.'),
    archivePort: z
      .int()
      .min(0)
      .max(65535)
      .exactOptional()
      .describe('The port that archived pages are shown on. Without it: the next one, or a free one.'),
    trustedProxies: z
      .int()
      .min(0)
      .max(10)
      .default(0)
      .describe(
        'How many proxies of yours stand before Garner and append to `X-Forwarded-For`; network rules then see the client.',
      ),
  })
  .prefault({})
  .describe('Where `garner serve` listens.');

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
      'What happens to a record that its schema refuses: stored and reported; stored but hidden from readers; or not stored.',
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
const SOURCE_KINDS = [
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
      .describe('How `oai_didl` carries files: their bytes, their address, or both.'),
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

const field = z.strictObject({
  paths: listOf(text)
    .exactOptional()
    .describe('XPath 1.0 (XML) or JSON Pointers (JSON) that select the values; their union counts.'),
  parts: z
    .array(text)
    .exactOptional()
    .describe(
      'Paths inside each selected node: start and end of an interval; west, south, east and north of a box; pieces of a text.',
    ),
  joiner: z.string().exactOptional().describe('What stands between the pieces of a text; a space if absent.'),
  firstPath: z.boolean().exactOptional().describe('Only the first path that gives a value counts.'),
  type: z.enum(FIELD_TYPES).exactOptional().describe('What the values are; `text` if absent.'),
  label: text.exactOptional().describe('The name that the portal shows.'),
  stored: z.boolean().exactOptional().describe('Kept for display and for answers.'),
  indexed: z.boolean().exactOptional().describe('Can be asked for by name.'),
  tokenised: z.boolean().exactOptional().describe('Split into words; else only whole values match.'),
  stemmed: z.boolean().exactOptional().describe('Words match by their English stem unless quoted.'),
  facet: z.boolean().exactOptional().describe('Counted in facets.'),
  weight: z
    .number()
    .positive()
    .exactOptional()
    .describe('How much a hit here weighs against the rest of the text.'),
});

const dublinCoreSource = z.union(
  [
    text.transform((fieldOfFormat) => ({ field: fieldOfFormat })),
    z.strictObject({ field: text }),
    z.strictObject({ path: text }),
  ],
  { error: 'must be the name of a field, { field: … } or { path: … }' },
);

const format = z
  .strictObject({
    extends: name.exactOptional().describe('The format whose keys and fields this one takes over.'),
    label: text.exactOptional().describe('The name that the portal shows.'),
    syntax: z.enum(['xml', 'json']).exactOptional().describe('XML if absent.'),
    namespace: text.exactOptional().describe('The namespace that OAI-PMH announces.'),
    schemaLocation: text.exactOptional().describe('The schema address that OAI-PMH announces.'),
    namespaces: z.record(text, text).exactOptional().describe('Prefixes of the paths and their namespaces.'),
    detect: z
      .array(
        z.strictObject({
          root: text.exactOptional().describe('The root element, as `prefix:local`.'),
          test: text.exactOptional().describe('A path that must be true.'),
        }),
      )
      .exactOptional()
      .describe('How a document of this format is known; one fitting entry is enough.'),
    identifier: listOf(text)
      .exactOptional()
      .describe('Paths of the record’s identifier; the first that gives text wins.'),
    fields: z
      .record(fieldName, field)
      .exactOptional()
      .describe('Fields by name, added to or changing inherited ones.'),
    dublinCore: z
      .partialRecord(
        z.enum(DC_ELEMENTS),
        z.union([dublinCoreSource.transform((one) => [one]), z.array(dublinCoreSource)], {
          error: 'must be the name of a field, { field: … }, { path: … } or a list of them',
        }),
      )
      .exactOptional()
      .describe('What each Dublin Core element is made of: a field’s name, `{ field: … }` or `{ path: … }`.'),
    xsd: text.exactOptional().describe('A schema file for records of this format.'),
  })
  .describe('A format of your own, or changes to a built-in one of the same name.');

const view = z.strictObject({
  title: text.exactOptional().describe('The name that readers see.'),
  sources: listOf(text).exactOptional().describe('Only items of these sources; without it all.'),
  query: text.exactOptional().describe('Only items that this query finds; without it all.'),
  access: accessRule
    .exactOptional()
    .describe('Who may read the view; without it the rule of `access.default`.'),
});

const access = z
  .strictObject({
    default: accessRule
      .default({ public: true })
      .describe('The rule of sources and views that have none. Without it everybody may read.'),
    tokens: z
      .record(
        name,
        z.strictObject({
          secret: z
            .string()
            .min(16, 'must have at least 16 characters')
            .describe('What the client shows; keep it out of the file with `${NAME}`.'),
          role: z
            .enum(ROLES)
            .default('reader')
            .describe('`reader` reads, `curator` also changes items, `operator` may do everything.'),
          groups: listOf(text).default([]).describe('Groups that access rules can name.'),
        }),
      )
      .default({})
      .describe('Tokens by name.'),
  })
  .prefault({})
  .describe('Who may read and change what.');

const runs = z
  .strictObject({
    timeZone: text
      .refine((zone) => isTimeZone(zone), 'must be the name of a time zone, as Europe/Berlin')
      .default('UTC')
      .describe('The zone that schedules are meant in.'),
    jitterMs: z
      .int()
      .min(0)
      .default(60_000)
      .describe('Scheduled runs start up to so much later, by chance, so that not all start at once.'),
    concurrent: z.int().min(1).max(16).default(2).describe('Scheduled runs at the same time.'),
    keepDays: z
      .int()
      .min(0)
      .default(365)
      .describe(
        'How long ended runs, their problems and logs are kept; 0: for ever. The newest always stay.',
      ),
    notify: z
      .strictObject({
        url: z
          .url({ protocol: /^https?$/, error: 'must be an http or https address' })
          .describe('Where to POST.'),
        secret: z
          .string()
          .min(16, 'must have at least 16 characters')
          .describe('What the message is signed with; keep it out of the file with `${NAME}`.'),
        on: z
          .array(z.enum(['complete', 'incomplete', 'failed']))
          .min(1)
          .default(['failed', 'incomplete'])
          .describe('Which ends of runs are told.'),
        allowPrivate: z
          .boolean()
          .default(false)
          .describe('Whether the address may lie in a private network.'),
      })
      .exactOptional()
      .describe('A web address that is told when a run ends badly.'),
  })
  .prefault({})
  .describe('How runs are started and kept.');

export const configSchema = z.strictObject({
  repository,
  data: text.default('./garner-data').describe('The folder of the store, relative to the config file.'),
  server,
  sources: z
    .record(name, z.discriminatedUnion('kind', SOURCE_KINDS))
    .default({})
    .describe('Where items come from, by name.'),
  runs,
  net: netSchema,
  engines: enginesSchema,
  topics: topicsSchema,
  topicsFile: text
    .exactOptional()
    .describe('A CSV file with further topics: columns `acronym`, `title`, and where wanted `query`.'),
  discover: discoverSchema,
  federate: federateSchema,
  packages: packagesSchema,
  curation: curationSchema,
  formats: z.record(name, format).default({}).describe('Metadata formats beside the built-in ones.'),
  views: z
    .record(name, view)
    .default({})
    .describe('Saved queries over sources, each with its own search page and, later, harvest address.'),
  access,
});

export type ConfigInput = z.input<typeof configSchema>;
export type ParsedConfig = z.output<typeof configSchema>;
