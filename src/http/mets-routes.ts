/**
 * /mets/…: aggregators, the METS documents that lead to those of single harvests. Whoever opens one in a browser gets
 * a page that leads the same ways; `?format=mets` is METS for everybody.
 */
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
import type { PortalAssets } from '../portal/assets.ts';
import { type HarvestsOrder, renderHarvestsPage } from '../portal/harvests-page.ts';
import { type HttpContext, type HttpEnv, signedInAs } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { FOREIGN_BYTES_POLICY, openToReaders, taggedResponse } from './headers.ts';
import { wantsPage } from './oai-page.ts';
import { siteFor } from './site.ts';

export function addMetsRoutes(
  app: Hono<HttpEnv>,
  deps: HttpDeps,
  assets: PortalAssets,
  publisher: Publisher,
): void {
  const answer = async (c: HttpContext, order: HarvestsOrder): Promise<Response> => {
    const entries = await listSnapshots(deps.store.items, c.get('viewer'));
    // What is not there is told before anything is shown.
    const parts = partsOf(order, entries, publisher);
    if (c.req.query('format') !== 'mets' && wantsPage(c))
      return c.html(
        renderHarvestsPage({
          site: siteFor(c, deps, assets),
          order,
          entries,
          metsPath: `${new URL(c.req.url).pathname}?format=mets`,
          signedInAs: signedInAs(c),
        }),
        200,
        { vary: 'accept' },
      );
    const headers = {
      'content-type': 'application/xml',
      vary: 'accept',
      // Titles are of others.
      'content-security-policy': FOREIGN_BYTES_POLICY,
    };
    return taggedResponse(metsText(parts), headers, c.req.header('if-none-match'));
  };
  app.use('/mets/*', openToReaders);
  app.get(AGGREGATE_PATHS.sites, (c) => answer(c, { of: 'sites' }));
  app.get(`${AGGREGATE_PATHS.sites}/:source/:series`, (c) => answer(c, { of: 'site', ...c.req.param() }));
  app.get(AGGREGATE_PATHS.days, (c) => answer(c, { of: 'days' }));
  app.get(`${AGGREGATE_PATHS.days}/:day`, (c) => answer(c, { of: 'day', ...c.req.param() }));
}

function partsOf(order: HarvestsOrder, entries: readonly SnapshotEntry[], publisher: Publisher): MetsParts {
  if (order.of === 'site') return siteAggregate(entries, publisher, order);
  if (order.of === 'day') return dayAggregate(entries, publisher, order.day);
  return order.of === 'sites' ? sitesAggregate(entries, publisher) : daysAggregate(entries, publisher);
}
