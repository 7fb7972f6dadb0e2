/** /api/site-models/…: what a captured site consists of, as JSON or CSV. */
import { Readable } from 'node:stream';
import { z } from '@hono/zod-openapi';
import { GarnerError } from '../core/errors.ts';
import type { SiteModel } from '../packaging/site-model/site-model.ts';
import type { SiteModels } from '../packaging/site-model/site-models.ts';
import { readTable, SITE_TABLES, type SiteTableName, writeTableCsv } from '../packaging/site-model/tables.ts';
import { readSnapshot } from '../packaging/snapshot/read-snapshot.ts';
import { type ApiApp, addGetRoute } from './api-route.ts';
import { type HttpContext, itemOf } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { ITEM_PREFIXES } from './raw-target.ts';

const query = z.strictObject({
  table: z.enum(SITE_TABLES).optional().openapi({ description: 'Absent: the site as a whole.' }),
  format: z.enum(['json', 'csv']).default('json').openapi({ description: 'CSV gives all rows.' }),
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});

const answer = {
  description: 'The facts of the site, or rows of a table with `next` while there are more.',
  schema: z.looseObject({}),
  otherTypes: ['text/csv'],
};

export function addSiteModelRoutes(
  app: ApiApp,
  { store }: Pick<HttpDeps, 'store'>,
  models: SiteModels,
): void {
  addGetRoute(
    app,
    {
      path: `${ITEM_PREFIXES.apiSiteModel}{source}/{identifier}`,
      tag: 'Packages',
      summary: 'Pages, embedded files and links of a snapshot',
      pathParameters: z.object({ source: z.string(), identifier: z.string() }),
      query,
      answer,
    },
    async (c, asked) => {
      const ref = itemOf(c, ITEM_PREFIXES.apiSiteModel);
      const snapshot = await readSnapshot(store, ref, {}, c.get('viewer'));
      return respond(c, await models.openSnapshot(snapshot, c.get('viewer')), asked);
    },
  );

  addGetRoute(
    app,
    {
      path: `${ITEM_PREFIXES.apiSiteModel}{source}`,
      tag: 'Packages',
      summary: 'Pages, embedded files and links of all that a source has captured, each URL once',
      pathParameters: z.object({ source: z.string() }),
      query,
      answer,
    },
    async (c, asked) => {
      const source = c.req.param('source') ?? '';
      return respond(c, await models.openSource(source, c.get('viewer')), asked);
    },
  );
}

function respond(
  c: HttpContext,
  model: SiteModel,
  { table, format, after, limit }: z.output<typeof query>,
): Response {
  if (table !== undefined && format === 'csv') return csvResponse(c, model, table);
  using opened = model;
  if (format === 'csv') throw new GarnerError('request.invalid', 'table: which one is wanted as CSV');
  return c.json(table === undefined ? opened.facts : readTable(opened, table, { after, limit }));
}

function csvResponse(c: HttpContext, model: SiteModel, table: SiteTableName): Response {
  const rows = Readable.from(closing(model, table), { objectMode: false });
  return c.body(Readable.toWeb(rows) as ReadableStream<Uint8Array>, 200, {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${table}.csv"`,
  });
}

function* closing(model: SiteModel, table: SiteTableName): Generator<string> {
  using opened = model;
  yield* writeTableCsv(opened, table);
}
