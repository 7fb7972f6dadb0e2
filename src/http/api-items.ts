/** /api/items, /api/versions, /api/similar. */
import { z } from '@hono/zod-openapi';
import { type ApiApp, addGetRoute } from './api-route.ts';
import { hitSchema, itemSchema, versionSchema } from './api-schemas.ts';
import { itemOf } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { getReadableItem, ITEM_FORMATS, itemResponse } from './item-content.ts';
import { hitJson, versionJson } from './item-json.ts';
import { ITEM_PREFIXES } from './raw-target.ts';

const pathParameters = z.object({
  source: z.string(),
  identifier: z
    .string()
    .openapi({ description: 'Percent-encoded, or as in the `url` of a hit. Slashes may stand as they are.' }),
});

export const contentQuery = {
  schema: z.string().max(100).optional().openapi({ description: 'Which stored format, for `format=raw`.' }),
  version: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .openapi({ description: 'Which version, for `format=raw`.' }),
};

export function addItemRoutes(app: ApiApp, deps: HttpDeps): void {
  const { store, repository } = deps;
  addGetRoute(
    app,
    {
      path: `${ITEM_PREFIXES.apiItem}{source}/{identifier}`,
      tag: 'Items',
      summary: 'One item',
      pathParameters,
      query: z.strictObject({ format: z.enum(ITEM_FORMATS).default('json'), ...contentQuery }),
      answer: {
        description: 'The item; or its record as received, as Dublin Core, or as JSON-LD.',
        schema: itemSchema,
        otherTypes: ['text/xml', 'application/ld+json'],
      },
    },
    async (c, { format, schema, version }) =>
      itemResponse(c, deps, await getReadableItem(c, deps, itemOf(c, ITEM_PREFIXES.apiItem)), format, {
        schema,
        version,
      }),
  );

  addGetRoute(
    app,
    {
      path: `${ITEM_PREFIXES.apiVersions}{source}/{identifier}`,
      tag: 'Items',
      summary: 'The history of an item',
      pathParameters,
      query: z.strictObject({}),
      answer: { description: 'Every version.', schema: z.object({ versions: z.array(versionSchema) }) },
    },
    async (c) => {
      const item = await getReadableItem(c, deps, itemOf(c, ITEM_PREFIXES.apiVersions));
      const versions = await store.items.listHistory(item, c.get('viewer'));
      return c.json({ versions: versions.map(versionJson) });
    },
  );

  addGetRoute(
    app,
    {
      path: `${ITEM_PREFIXES.apiSimilar}{source}/{identifier}`,
      tag: 'Items',
      summary: 'Items like this one',
      pathParameters,
      query: z.strictObject({ limit: z.coerce.number().int().min(1).max(50).default(10) }),
      answer: { description: 'The most alike first.', schema: z.object({ hits: z.array(hitSchema) }) },
    },
    async (c, { limit }) => {
      const item = await getReadableItem(c, deps, itemOf(c, ITEM_PREFIXES.apiSimilar));
      const hits = await store.search.listSimilar(item, limit, c.get('viewer'));
      return c.json({ hits: hits.map((hit) => hitJson(hit, repository.baseUrl)) });
    },
  );
}
