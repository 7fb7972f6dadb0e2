/** /api/fields, /api/sources, /api/views: what there is to ask. */
import { z } from '@hono/zod-openapi';
import { MATCH_ALL } from '../query/ast.ts';
import { type ApiApp, addGetRoute } from './api-route.ts';
import { fieldSchema } from './api-schemas.ts';
import type { HttpDeps } from './deps.ts';
import { readableOf } from './readable.ts';

const nothing = z.strictObject({});

export function addListingRoutes(app: ApiApp, { store, formats, sources, views }: HttpDeps): void {
  addGetRoute(
    app,
    {
      path: '/api/fields',
      tag: 'About',
      summary: 'The fields that queries, facets and sorting may name',
      query: nothing,
      answer: { description: 'In order of display.', schema: z.object({ fields: z.array(fieldSchema) }) },
    },
    async (c) =>
      c.json({
        fields: formats
          .fieldSpecs()
          .map(({ name, label, type, stored, indexed, tokenised, stemmed, facet, weight }) => ({
            name,
            label,
            type,
            stored,
            indexed,
            tokenised,
            stemmed,
            facet,
            weight,
          })),
      }),
  );

  addGetRoute(
    app,
    {
      path: '/api/sources',
      tag: 'About',
      summary: 'The sources, with what you may see of them',
      query: nothing,
      answer: {
        description: 'The sources.',
        schema: z.object({
          sources: z.array(z.object({ name: z.string(), title: z.string(), items: z.int() })),
        }),
      },
    },
    async (c) => {
      const viewer = c.get('viewer');
      const readable = readableOf(sources, viewer);
      // Counted by a search, which leaves out what the viewer may not see.
      const { facets } = await store.search.search(
        { query: MATCH_ALL, limit: 0, facets: [{ field: 'source', limit: 1000 }] },
        viewer,
      );
      const counts = new Map((facets.source ?? []).map(({ value, count }) => [value, count]));
      return c.json({
        sources: readable.map(({ name, title }) => ({ name, title, items: counts.get(name) ?? 0 })),
      });
    },
  );

  addGetRoute(
    app,
    {
      path: '/api/views',
      tag: 'About',
      summary: 'The views: saved queries that can be searched by name',
      query: nothing,
      answer: {
        description: 'The views.',
        schema: z.object({ views: z.array(z.object({ name: z.string(), title: z.string() })) }),
      },
    },
    async (c) =>
      c.json({ views: readableOf(views, c.get('viewer')).map(({ name, title }) => ({ name, title })) }),
  );
}
