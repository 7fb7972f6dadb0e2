/** Shapes of API answers, for the OpenAPI description. */
import { z } from '@hono/zod-openapi';
import { EVENT_TYPES } from '../core/version-event.ts';
import { CATALOGUED_LISTS } from '../formats/catalogued.ts';
import { JUDGED_ELEMENTS } from '../formats/web-capture.ts';

const fieldValue = z
  .union([
    z.string(),
    z.number(),
    z.object({ start: z.string().optional(), end: z.string().optional() }),
    z.object({ west: z.number(), south: z.number(), east: z.number(), north: z.number() }),
  ])
  .openapi('FieldValue');

const fields = z.record(z.string(), z.array(fieldValue)).openapi('Fields');
const instant = z.iso.datetime();

const snippet = z
  .object({ text: z.string(), marks: z.array(z.array(z.int())) })
  .openapi('Snippet', { description: 'A piece of text and the [start, end) ranges that matched.' });

export const hitSchema = z
  .object({
    source: z.string(),
    identifier: z.string(),
    oaiIdentifier: z.string(),
    title: z.string().optional(),
    schema: z.string(),
    updatedAt: instant,
    score: z.number().optional(),
    fields,
    highlights: z.record(z.string(), z.array(snippet)).optional(),
    raw: z.string().optional(),
    url: z.url(),
  })
  .openapi('Hit');

export const answerSchema = z
  .object({
    total: z.int(),
    hits: z.array(hitSchema),
    facets: z.record(z.string(), z.array(z.object({ value: z.string(), count: z.int() }))),
    next: z.string().optional().openapi({ description: 'Pass as `after` for the next page.' }),
    notes: z.array(z.string()),
  })
  .openapi('SearchAnswer');

const changeCounts = z.object({
  added: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  deleted: z.int(),
  invalid: z.int(),
});

const cataloguedSchema = z.object({
  title: z.string().optional(),
  ...Object.fromEntries(CATALOGUED_LISTS.map((name) => [name, z.array(z.string()).optional()])),
});

const trustSchema = z
  .object({
    judged: z.array(
      z.object({
        element: z.enum(JUDGED_ELEMENTS),
        values: z.array(z.string()),
        score: z.number(),
        verdict: z.enum(['doubtful', 'noted']),
        doubts: z.array(z.object({ rule: z.string(), reason: z.string() })),
      }),
    ),
    stated: cataloguedSchema.optional().openapi({ description: 'What the item says of itself.' }),
    catalogued: z
      .object({
        values: cataloguedSchema,
        agent: z.string().optional(),
        at: instant.optional(),
        reason: z.string().optional(),
      })
      .optional()
      .openapi({ description: 'What a curator said instead, who, when and why.' }),
  })
  .openapi('Trust', { description: 'Of archived pages and snapshots: what is doubtful in what they say.' });

export const itemSchema = z
  .object({
    source: z.string(),
    identifier: z.string(),
    oaiIdentifier: z.string(),
    status: z.enum(['live', 'deleted']),
    title: z.string().optional(),
    firstSeenAt: instant,
    schema: z.string().optional(),
    fields,
    records: z.array(
      z.object({
        format: z.string(),
        status: z.enum(['live', 'deleted']),
        datestampAt: instant,
        version: z.int(),
        size: z.int(),
        digest: z.string(),
      }),
    ),
    sets: z.array(z.string()),
    views: z.array(z.string()),
    trust: trustSchema.optional(),
    links: z.object({ page: z.url(), self: z.url(), versions: z.url(), similar: z.url() }),
  })
  .openapi('Item');

export const versionSchema = z
  .object({
    format: z.string(),
    version: z.int(),
    at: instant,
    change: z.enum(['added', 'updated', 'deleted', 'restored', 'rolled-back']),
    runId: z.int(),
    digest: z.string().optional(),
    size: z.int(),
    note: z.string().optional(),
    event: z
      .object({
        type: z.enum(EVENT_TYPES),
        driver: z.enum(['creator', 'repository']),
        agent: z.string().optional(),
        reason: z.string().optional(),
      })
      .optional(),
    pinned: z.boolean().optional(),
    thinned: z.boolean().optional(),
    thinnedAt: instant.optional(),
  })
  .openapi('Version');

export const runSchema = z
  .object({
    id: z.int(),
    source: z.string(),
    kind: z.string(),
    status: z.enum(['running', 'complete', 'incomplete', 'failed', 'interrupted']),
    startedAt: instant,
    endedAt: instant.optional(),
    counts: changeCounts.optional().openapi({
      description: 'Numbers and message are left out where items of the source may be hidden from you.',
    }),
    problems: z.int().optional(),
    repaired: z
      .int()
      .optional()
      .openapi({ description: 'Records that came slightly broken and were mended.' }),
    expected: z
      .int()
      .optional()
      .openapi({ description: 'Records in all, as the origin says; while it runs.' }),
    message: z.string().optional(),
    holder: z.string().optional(),
  })
  .openapi('Run');

export const runProblemSchema = z
  .object({
    runId: z.int(),
    at: instant,
    code: z.string(),
    message: z.string(),
    where: z.string().optional(),
    line: z.int().optional(),
    identifier: z.string().optional(),
  })
  .openapi('RunProblem');

export const suggestionSchema = z
  .object({ text: z.string(), field: z.string(), count: z.int() })
  .openapi('Suggestion');

export const fieldSchema = z
  .object({
    name: z.string(),
    label: z.string(),
    type: z.string(),
    stored: z.boolean(),
    indexed: z.boolean(),
    tokenised: z.boolean(),
    stemmed: z.boolean(),
    facet: z.boolean(),
    weight: z.number(),
  })
  .openapi('Field');
