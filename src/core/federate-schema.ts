/** The keys of federation, as rows of the config file. */
import { z } from 'zod';
import { DC_ELEMENTS } from './dublin-core.ts';
import { conversionSchema, productServersSchema } from './product-servers-schema.ts';
import { listOf, text } from './schema-values.ts';

/** As profiles write them. */
const DC_NAMES: ReadonlySet<string> = new Set(
  DC_ELEMENTS.map((element) => element[0]!.toUpperCase() + element.slice(1)),
);

const files = listOf(text).default([]);

const profileSchema = z
  .strictObject({
    ids: z
      .enum(['uri', 'oid', 'sequence'])
      .default('uri')
      .describe(
        'What identifies a profile that Garner makes: an address, an object identifier, or a number.',
      ),
    oidRoot: z
      .string()
      .regex(/^\d+(?:\.\d+)+$/, 'must be an object identifier such as 1.3.6.1.4.1.99999')
      .default('2.25.0')
      .describe('The object identifier below which those of profiles are numbered.'),
    context: text
      .exactOptional()
      .describe('The domain of the resources (`resContext`); without it `repository.identifier`.'),
    resClass: text.default('data.product').describe('The class of what items are (`resClass`).'),
    templates: z
      .record(
        z.string().refine((name) => DC_NAMES.has(name), 'must be a Dublin Core element, such as Title'),
        text,
      )
      .default({})
      .describe(
        'Dublin Core values made of attributes, such as `Identifier: "{data_set_id}:{image_id}"`; where an attribute is missing the value stays as it is.',
      ),
    levels: listOf(text)
      .exactOptional()
      .describe(
        'How profiles are gathered, from the root down: names of attributes, or `@source` and `@format`. Without it by source, and only when somebody asks.',
      ),
    valueLimit: z
      .int()
      .min(1)
      .max(10_000)
      .default(200)
      .describe('A gathered profile lists so many values of an attribute; of more it keeps a summary.'),
  })
  .prefault({})
  .describe('How profiles of items are made and gathered.');

const milliseconds = (least: number, most: number, otherwise: number) =>
  z.int().min(least).max(most).default(otherwise);

const peerSchema = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .describe('The other installation, or its profile server (`…/prof`).'),
  title: text.exactOptional().describe('What it is called in answers; without it the name of the peer.'),
  allowPrivate: z
    .boolean()
    .default(false)
    .describe('It may be at a private address, and lead to servers at private addresses.'),
});

const networkSchema = z
  .strictObject({
    serverTimeoutMs: milliseconds(100, 120_000, 5000).describe('So long one server is waited for.'),
    totalTimeoutMs: milliseconds(100, 600_000, 15_000).describe('So long a question takes at most.'),
    hops: z.int().min(1).max(20).default(6).describe('So many steps a question goes from server to server.'),
    concurrency: z
      .int()
      .min(1)
      .max(256)
      .default(16)
      .describe(
        'So many servers are asked at the same time; of slow ones, four times as many are waited for.',
      ),
    answerBytes: z
      .int()
      .min(1000)
      .max(256 * 1024 * 1024)
      .default(16 * 1024 * 1024)
      .describe('The most that is read of one answer, in bytes.'),
    maxAgeMs: milliseconds(0, 86_400_000, 60_000).describe(
      'What a server tells of itself is believed for so long; then it is asked whether that still holds.',
    ),
  })
  .prefault({})
  .describe('How questions go through the network.');

export const federateSchema = z
  .strictObject({
    dictionary: files.describe(
      'Files with data elements (XML, CSV or JSON), beside those that `garner dictionary import` took in.',
    ),
    ontology: files.describe('Files with classes, properties and terms: Turtle, RDF/XML or JSON-LD.'),
    inferenceHops: z
      .int()
      .min(0)
      .max(8)
      .default(2)
      .describe('Over so many relations of the ontology attributes are inferred; 0: only inherited ones.'),
    profiles: profileSchema,
    peers: z
      .record(z.string(), peerSchema)
      .default({})
      .describe('Other profile servers, by name, that questions are passed on to.'),
    network: networkSchema,
    servers: productServersSchema,
    conversions: conversionSchema,
  })
  .prefault({})
  .describe('Data elements, ontologies, profiles, product servers and the network of profile servers.');
