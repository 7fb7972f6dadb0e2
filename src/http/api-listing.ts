/** /api/fields, /api/sources, /api/views: what there is to ask. */
import { z } from '@hono/zod-openapi';
import { type ApiApp, addGetRoute } from './api-route.ts';
import { fieldSchema } from './api-schemas.ts';
import type { HttpDeps } from './deps.ts';
import { listReadableSources, readableOf } from './readable.ts';

const nothing = z.strictObject({});

export function addListingRoutes(app: ApiApp, deps: HttpDeps): void {
  const { formats, views } = deps;
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
    async (c) => c.json({ sources: await listReadableSources(deps, c.get('viewer')) }),
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
