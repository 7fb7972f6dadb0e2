/** The keys of information packages, as rows of the config file. */
import { z } from 'zod';

const bytes = (default_: number) => z.int().min(0).default(default_);

export const packagesSchema = z
  .strictObject({
    prefix: z
      .string()
      .regex(/^[\w.!~*'()-]+$/, 'must be a metadataPrefix: letters, digits and few signs')
      .default('asdc_crawl.archive')
      .describe(
        'The metadataPrefix under which OAI-PMH offers snapshots as DIDL containers, beside `oai_didl`.',
      ),
    identifier: z
      .string()
      .refine((template) => template.includes('{url}'), 'must hold {url}')
      .refine(
        (template) => /^(?:[\w.~:/?@!$&'()*+,;=-]|\{(?:acronym|url|time|repository)\})+$/.test(template),
        'must be a URI with {acronym}, {url}, {time} and {repository} in it',
      )
      .default('{acronym}:{url}')
      .describe(
        'Of the items in a container; `{acronym}`, `{url}`, `{time}` and `{repository}` are put in percent-encoded. `:METADATA` and `:DATA` follow it.',
      ),
    maxValueBytes: bytes(64 * 1024 ** 2).describe(
      'Packed content of one URL that is larger stands in a container by reference only.',
    ),
    maxContainerBytes: bytes(1024 ** 3).describe(
      'So many packed bytes of a container stand in it by value; what follows, by reference only.',
    ),
    similarity: z
      .number()
      .min(0)
      .max(1)
      .default(0.9)
      .describe(
        'The share of common runs of words from which on a changed page counts as essentially unchanged.',
      ),
    fold: z
      .boolean()
      .default(false)
      .describe(
        'A crawl that found everything essentially unchanged becomes a version of the snapshot before.',
      ),
    keepVersions: z
      .int()
      .min(0)
      .default(0)
      .describe(
        'How many versions of a snapshot keep their content, beside the first and pinned ones; 0 keeps all.',
      ),
    thinAfterDays: z.int().min(0).default(90).describe('Younger versions are never thinned out.'),
  })
  .prefault({})
  .describe('Snapshots as information packages, and their versions.');
