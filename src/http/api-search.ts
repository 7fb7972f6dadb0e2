/** /api/search and /api/suggest. */
import { z } from '@hono/zod-openapi';
import { GarnerError } from '../core/errors.ts';
import { readSearchState } from '../portal/search-state.ts';
import { type ApiApp, addGetRoute, repeatable } from './api-route.ts';
import { answerSchema, suggestionSchema } from './api-schemas.ts';
import type { HttpDeps } from './deps.ts';
import { answerJson } from './item-json.ts';
import { readFacet, readQuestion } from './search-request.ts';

const flag = z
  .enum(['true', 'false', '1', '0'])
  .default('false')
  .transform((text) => text === 'true' || text === '1');
const whole = (least: number, most: number, otherwise: number) =>
  z.coerce.number().int().min(least).max(most).default(otherwise);

const searchQuery = z.strictObject({
  q: z
    .string()
    .optional()
    .openapi({ description: 'The query; without it everything is found.', example: 'ice AND title:cloud*' }),
  view: z.string().optional().openapi({ description: 'Only items of this view.' }),
  source: repeatable.optional().openapi({ description: 'Only items of these sources.' }),
  sort: z
    .string()
    .max(100)
    .optional()
    .openapi({ description: '`field`, `-field` (descending), `updated` or `relevance`.' }),
  limit: whole(0, 100, 10),
  offset: whole(0, 1_000_000, 0),
  after: z.string().max(2000).optional().openapi({ description: 'The `next` of the previous page.' }),
  facet: repeatable
    .optional()
    .openapi({ description: 'A field to count, with how many values: `subject:20`.' }),
  fields: repeatable
    .optional()
    .openapi({ description: 'Only these fields of each hit; comma-separated or repeated.' }),
  highlight: flag,
  raw: flag.openapi({ description: 'Adds the stored record as text.' }),
  bbox: z
    .string()
    .max(200)
    .optional()
    .openapi({ description: 'west,south,east,north in degrees; touches the item’s area.' }),
  from: z.string().max(40).optional().openapi({ description: 'Dated, or covering a time, from here on.' }),
  to: z.string().max(40).optional(),
});

export function addSearchRoutes(app: ApiApp, { store, catalogue, repository }: HttpDeps): void {
  addGetRoute(
    app,
    {
      path: '/api/search',
      tag: 'Search',
      summary: 'Search items',
      description:
        'Filters of facet clicks are parameters `f.` and a field name, such as `f.subject=Ice` (repeatable, all must fit); for dates and numbers a span may stand there: `f.date=1990..1999`.',
      query: searchQuery,
      openPrefix: 'f.',
      answer: {
        description: 'The hits, with exact totals and facets over all matches.',
        schema: answerSchema,
      },
    },
    async (c, query) => {
      if (query.after !== undefined && query.offset > 0)
        throw new GarnerError(
          'request.invalid',
          'after: goes on from a page, so offset has no meaning beside it',
        );
      const state = readSearchState(new URL(c.req.url).searchParams);
      const names = query.fields
        ?.flatMap((list) => list.split(','))
        .map((name) => name.trim())
        .filter(Boolean);
      const answer = await store.search.search(
        {
          ...readQuestion(state, catalogue),
          limit: query.limit,
          facets: (query.facet ?? []).flatMap((list) => list.split(',')).map(readFacet),
          highlight: query.highlight,
          raw: query.raw,
          ...(query.after === undefined ? { offset: query.offset } : { after: query.after }),
          ...(names && { fields: names }),
        },
        c.get('viewer'),
      );
      return c.json(answerJson(answer, repository.baseUrl));
    },
  );

  addGetRoute(
    app,
    {
      path: '/api/suggest',
      tag: 'Search',
      summary: 'Suggest values and titles while typing',
      query: z.strictObject({
        q: z.string().min(1).max(200),
        field: z.string().max(100).optional(),
        limit: whole(1, 50, 10),
      }),
      answer: {
        description: 'Most frequent first.',
        schema: z.object({ suggestions: z.array(suggestionSchema) }),
      },
    },
    async (c, { q, field, limit }) => {
      const suggestions = await store.search.suggest(
        q,
        { limit, ...(field !== undefined && { field }) },
        c.get('viewer'),
      );
      return c.json({ suggestions });
    },
  );
}
