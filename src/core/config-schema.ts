/**
 * The config file, key by key. Each key is one row: its type, its default and a line of documentation;
 * `docs/reference/config.md` is written from these rows, and environment names follow from the keys.
 */
import { z } from 'zod';
import { ROLES } from './access.ts';
import { accessRule } from './access-schema.ts';
import { curationSchema } from './curation-schema.ts';
import { discoverSchema, enginesSchema, topicsSchema } from './discover-schema.ts';
import { DC_ELEMENTS } from './dublin-core.ts';
import { federateSchema } from './federate-schema.ts';
import { REPOSITORY_IDENTIFIER_PATTERN, SET_SPEC_PATTERN } from './identifiers.ts';
import { FIELD_TYPES, RESERVED_FIELDS } from './model.ts';
import { netSchema } from './net-schema.ts';
import { packagesSchema } from './packages-schema.ts';
import { isTimeZone } from './schedule.ts';
import { listOf, name, text, webAddress } from './schema-values.ts';
import { SOURCE_KINDS } from './source-schema.ts';

const fieldName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_]*$/, 'a field name has letters, digits and _, and starts with a letter')
  .refine(
    (field) => !RESERVED_FIELDS.some((reserved) => reserved === field),
    'is filled by the store; choose another name',
  );
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
