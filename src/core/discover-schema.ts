/** The keys of discovery, as rows of the config file: engines, topics, and how they are brought together. */
import { z } from 'zod';
import { foundCrawlSchema } from './crawl-schema.ts';
import { NAME_PATTERN } from './identifiers.ts';
import { isSchedule } from './schedule.ts';
import { text } from './schema-values.ts';

const address = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
const texts = z
  .union([text, z.array(text).min(1)], { error: 'must be a text or a list of texts' })
  .transform((value) => (typeof value === 'string' ? [value] : value));

const key = text.describe('The key that the provider gives; keep it out of the file with `${NAME}`.');
const url = address.describe('Its address.');
const optional = { key: key.exactOptional() };

const anyEngine = {
  parameters: z.record(text, z.string()).default({}).describe('Further parameters of every request.'),
  delayMs: z.int().min(0).default(1000).describe('The least time between two requests.'),
  quota: z
    .strictObject({
      requests: z.int().min(1).describe('So many requests …'),
      hours: z.number().positive().default(24).describe('… in so many hours, counted across runs.'),
    })
    .exactOptional()
    .describe('How often the engine may be asked; beyond that it is left out and reported.'),
  attempts: z.int().min(1).max(10).default(3).describe('How often one request is tried.'),
  timeoutMs: z.int().min(100).default(30_000).describe('How long it may be silent.'),
  allowPrivate: z.boolean().default(false).describe('Whether its address may lie in a private network.'),
};

const engineOf = <Kind extends string, Keys extends z.ZodRawShape>(kind: Kind, doc: string, keys: Keys) =>
  z.strictObject({
    kind: z.literal(kind).describe(doc),
    ...keys,
    ...anyEngine,
  });
const own = { url: address.exactOptional().describe('Instead of the provider’s own address.') };

/** One row per kind of engine; `src/discover/engines` has a file for each. */
const ENGINE_KINDS = [
  engineOf('brave', 'Brave Search API.', { ...own, key }),
  engineOf('google', 'Google Programmable Search: the web, or the sites of an engine of yours.', {
    ...own,
    key,
    engineId: text.describe('The number of the programmable search engine (`cx`).'),
  }),
  engineOf('mojeek', 'Mojeek Search API.', { ...own, key }),
  engineOf('kagi', 'Kagi Search API.', { ...own, key }),
  engineOf('marginalia', 'Marginalia Search.', { ...own, ...optional }),
  engineOf('searxng', 'A SearXNG instance that answers in JSON.', { url, ...optional }),
  engineOf('opensearch', 'Any engine with an OpenSearch 1.1 description that answers in RSS or Atom.', {
    url: address.describe('The address of the description.'),
  }),
  engineOf('garner', 'A Garner, this one or another.', { url: address.describe('Its base address.') }),
  engineOf(
    'common-crawl',
    'The index of Common Crawl: addresses of domains with words of the query in them.',
    {
      ...own,
      domains: texts.describe('The domains to look into.'),
      index: text.exactOptional().describe('A crawl, such as `CC-MAIN-2026-30`; without it the newest.'),
    },
  ),
  engineOf('harvested', 'What sources of this Garner have harvested, such as CiteSeerX by OAI-PMH.', {
    sources: texts.describe('Names of sources.'),
  }),
  engineOf('openalex', 'OpenAlex: scholarly works.', {
    ...own,
    ...optional,
    email: text.exactOptional().describe('Gets the faster pool.'),
  }),
  engineOf('crossref', 'Crossref: works with a DOI.', {
    ...own,
    email: text.exactOptional().describe('Gets the polite pool.'),
  }),
  engineOf('datacite', 'DataCite: data sets and software with a DOI.', own),
  engineOf('arxiv', 'arXiv: preprints. It asks for a `delayMs` of 3000.', own),
  engineOf('ads', 'NASA Astrophysics Data System.', { ...own, key }),
  engineOf('semantic-scholar', 'Semantic Scholar.', { ...own, ...optional }),
  engineOf('europe-pmc', 'Europe PMC.', own),
  engineOf('core', 'CORE: works in open repositories.', { ...own, key }),
  engineOf('doaj', 'DOAJ: articles of open access journals.', own),
  engineOf('scopus', 'Elsevier Scopus.', { ...own, key }),
  engineOf('sciencedirect', 'Elsevier ScienceDirect.', { ...own, key }),
  engineOf('web-of-science', 'Clarivate Web of Science, Starter API.', { ...own, key }),
] as const;

const name = z
  .string()
  .regex(NAME_PATTERN, 'a name has letters, digits, - and _, and starts with a letter or digit');

export const enginesSchema = z
  .record(name, z.discriminatedUnion('kind', ENGINE_KINDS))
  .default({})
  .describe('Search engines and digital libraries to ask, by name.');

export type EngineKind = z.output<typeof enginesSchema>[string]['kind'];

/** An acronym names the OAI set of what is found, a folder and a page, so it is a name like all others. */
const acronym = z
  .string()
  .regex(NAME_PATTERN, 'an acronym is the name of a set: letters, digits, - and _, a letter or digit first');

const schedule = text.refine(
  isSchedule,
  'must be a cron expression of five or six parts, or @hourly, @daily, @weekly, @monthly',
);
const top = z.int().min(0).max(10_000);

const topicSchema = z.strictObject({
  title: text.describe('The title in full; its words and the acronym are the query.'),
  query: text.exactOptional().describe('The query instead; `{title}` and `{acronym}` stand for these.'),
  queries: texts.default([]).describe('Further queries; an engine’s best rank of all counts.'),
  engines: texts.exactOptional().describe('Only these engines; without it all.'),
  depth: z.int().min(1).max(1000).exactOptional().describe('For this topic instead of `discover.depth`.'),
  top: top.exactOptional().describe('For this topic instead of `discover.top`.'),
  crawl: foundCrawlSchema
    .exactOptional()
    .describe('How its candidates are crawled, instead of `discover.crawl`; the defaults are the same.'),
  schedule: schedule.exactOptional().describe('For this topic instead of `discover.schedule`.'),
});

export const topicsSchema = z
  .record(acronym, topicSchema)
  .default({})
  .describe('What to discover, by acronym.');

export const discoverSchema = z
  .strictObject({
    depth: z.int().min(1).max(1000).default(25).describe('B: so many results of each engine count.'),
    fusion: z
      .enum(['weights', 'reciprocal'])
      .default('weights')
      .describe('How ranks add up: B − rank + 1, or 1 ÷ (60 + rank).'),
    query: text
      .default('{title} {acronym}')
      .describe('The query of topics that have none; unquoted, so that engines look for any of the words.'),
    look: z
      .boolean()
      .default(true)
      .describe(
        'Ask each found host for the first bytes of the page, to know what it is; robots.txt is obeyed. Else what engines and names tell must do.',
      ),
    lookDelayMs: z.int().min(0).default(1000).describe('The least time between two looks at one host.'),
    allowPrivate: z
      .boolean()
      .default(false)
      .describe('Whether found addresses may lie in a private network.'),
    keepRuns: z.int().min(2).default(50).describe('Lists of so many runs are kept for each topic.'),
    top: top
      .default(25)
      .describe('So many of the heaviest candidates are crawled, until a curator has marked examples.'),
    archive: z
      .boolean()
      .default(true)
      .describe('Whether accepted candidates are crawled into the archive; else a run ends with its list.'),
    crawl: foundCrawlSchema
      .prefault({})
      .describe('How accepted candidates are crawled; `allowPrivate` above holds, too.'),
    schedule: schedule.exactOptional().describe('When `garner serve` discovers all topics by itself.'),
  })
  .prefault({})
  .describe('How discovery works.');
