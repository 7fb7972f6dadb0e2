/** The keys of product servers, as rows of the config file. */
import { z } from 'zod';
import { accessRule } from './access-schema.ts';
import { NAME_PATTERN } from './identifiers.ts';
import { text } from './schema-values.ts';

const timeoutMs = z.int().min(100).max(600_000);
const access = accessRule
  .exactOptional()
  .describe('Who gets its products; without it the rule of `access.default`.');

const HANDLER_KINDS = [
  z.strictObject({
    kind: z.literal('folder').describe('Files of a folder, asked for as `OFSN = /path AND RT = RAW`.'),
    path: text.describe('The folder. Links that lead out of it are not followed.'),
    url: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .exactOptional()
      .describe('Where a web server has the same files; `RT = URL` then answers with addresses there.'),
    access,
  }),
  z.strictObject({
    kind: z.literal('http').describe('A service on the web that gives a product for attributes.'),
    url: text
      .refine((url) => URL.canParse(url.replace(/\{\w+\}/g, 'x')), 'must be an address, with {attributes}')
      .refine((url) => /^https?:\/\/[^{}/]+(?:[/?]|$)/.test(url), 'must be http or https, and name its host')
      .describe('Its address, with attributes in braces: `https://data.example.org/img/{image_id}`.'),
    timeoutMs: timeoutMs.default(30_000).describe('How long it may be silent.'),
    maxBytes: z
      .int()
      .min(1)
      .default(1024 ** 3)
      .describe('The most that is passed on of one answer, in bytes.'),
    allowPrivate: z.boolean().default(false).describe('Whether its address may lie in a private network.'),
    access,
  }),
  z.strictObject({
    kind: z.literal('sql').describe('A query in an SQLite database, which is opened for reading only.'),
    file: text.describe('The database.'),
    query: text.describe(
      'The statement, with attributes as parameters: `SELECT … WHERE image_id = :image_id`. With a column `content` every row is a product (`name` and `type` are its file name and media type), else all rows are one table.',
    ),
    timeoutMs: timeoutMs.default(10_000).describe('How long the statement may take.'),
    maxRows: z.int().min(1).max(1_000_000).default(10_000).describe('So many rows are given at most.'),
    access,
  }),
  z.strictObject({
    kind: z
      .literal('module')
      .describe('A handler of your own: a JavaScript module with a function `createHandler`.'),
    path: text.describe('The module. It runs within Garner, and may do whatever Garner may.'),
    options: z.record(z.string(), z.unknown()).default({}).describe('Given to the module as they stand.'),
    access,
  }),
] as const;

const name = z
  .string()
  .regex(NAME_PATTERN, 'a name has letters, digits, - and _, and starts with a letter or digit');

export const productServersSchema = z
  .record(name, z.discriminatedUnion('kind', HANDLER_KINDS))
  .default({})
  .describe(
    'Where /prod finds products beside those of the items, by name; `FROM = name` asks only that one.',
  );

export const conversionSchema = z
  .strictObject({
    maxBytes: z
      .int()
      .min(1)
      .max(1024 ** 3)
      .default(64 * 1024 * 1024)
      .describe('Products up to this size are converted, in bytes.'),
    timeoutMs: timeoutMs.default(20_000).describe('How long a conversion may take.'),
  })
  .prefault({})
  .describe('How products are made into other forms.');
