/** /mets/…: aggregators, the METS documents that lead to those of single harvests. */
import type { Hono } from 'hono';
import type { MetsParts } from '../formats/mets/mets-document.ts';
import {
  AGGREGATE_PATHS,
  dayAggregate,
  daysAggregate,
  siteAggregate,
  sitesAggregate,
} from '../packaging/mets/collections.ts';
import { listSnapshots, type SnapshotEntry } from '../packaging/mets/list-snapshots.ts';
import { metsText } from '../packaging/mets/mets-form.ts';
import type { Publisher } from '../packaging/mets/package-context.ts';
import type { HttpContext, HttpEnv } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { FOREIGN_BYTES_POLICY, openToReaders, taggedResponse } from './headers.ts';

export function addMetsRoutes(
  app: Hono<HttpEnv>,
  { store }: Pick<HttpDeps, 'store'>,
  publisher: Publisher,
): void {
  const answer = async (
    c: HttpContext,
    make: (entries: readonly SnapshotEntry[]) => MetsParts,
  ): Promise<Response> => {
    const text = metsText(make(await listSnapshots(store.items, c.get('viewer'))));
    const headers = {
      'content-type': 'application/xml',
      // Titles are of others.
      'content-security-policy': FOREIGN_BYTES_POLICY,
    };
    return taggedResponse(text, headers, c.req.header('if-none-match'));
  };
  app.use('/mets/*', openToReaders);
  app.get(AGGREGATE_PATHS.sites, (c) => answer(c, (entries) => sitesAggregate(entries, publisher)));
  app.get(`${AGGREGATE_PATHS.sites}/:source/:series`, (c) =>
    answer(c, (entries) => siteAggregate(entries, publisher, c.req.param())),
  );
  app.get(AGGREGATE_PATHS.days, (c) => answer(c, (entries) => daysAggregate(entries, publisher)));
  app.get(`${AGGREGATE_PATHS.days}/:day`, (c) =>
    answer(c, (entries) => dayAggregate(entries, publisher, c.req.param('day'))),
  );
}
