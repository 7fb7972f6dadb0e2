/** Routes for machines: liveness, metrics, robots, icons, assets. */
import type { Hono } from 'hono';
import { writeProfileSchema } from '../formats/oodt-profile/schema.ts';
import type { PortalAssets } from '../portal/assets.ts';
import { FAVICON } from '../portal/assets.ts';
import { writeOpenSearchDescription } from '../publish/opensearch-description.ts';
import type { HttpEnv } from './context.ts';
import type { HttpDeps } from './deps.ts';
import type { Metrics, StoreNumbers } from './metrics.ts';

const PROFILE_SCHEMA = '/schemas/oodt-profile.xsd';
const FOR_EVER = 'public, max-age=31536000, immutable';
/** /metrics does not wait longer for a busy store; it then shows the numbers of last time. */
const STORE_WAIT_MS = 1000;

export function addServiceRoutes(
  app: Hono<HttpEnv>,
  deps: HttpDeps,
  assets: PortalAssets,
  metrics: Metrics,
): void {
  const { store, repository, version } = deps;
  // Liveness of this process: nothing is asked of the store, which may be busy for good reasons.
  app.get('/health', (c) => c.json({ status: 'ok', version }, 200, { 'cache-control': 'no-store' }));

  let lastNumbers: StoreNumbers | undefined;
  app.get('/metrics', async (c) => {
    // How much there is, hidden or not, is for those who may see it.
    const isKeeper = c.get('viewer').role !== 'reader';
    const headers = {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    };
    if (!isKeeper) return c.text(metrics.write(undefined), 200, headers);
    const numbers = store.admin.statistics().then((now) => {
      lastNumbers = now;
    });
    await Promise.race([numbers, wait(STORE_WAIT_MS)]);
    return c.text(metrics.write(lastNumbers), 200, headers);
  });

  app.get('/robots.txt', (c) =>
    c.text(writeRobots(repository.baseUrl), 200, { 'cache-control': 'public, max-age=3600' }),
  );

  for (const path of ['/favicon.svg', '/favicon.ico'])
    app.get(path, (c) =>
      c.body(FAVICON, 200, { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' }),
    );

  for (const { href, type, body } of [assets.style, assets.script, assets.live])
    app.get(href, (c) => c.body(body, 200, { 'content-type': type, 'cache-control': FOR_EVER }));

  app.get(PROFILE_SCHEMA, (c) =>
    c.body(writeProfileSchema(), 200, {
      'content-type': 'application/xml; charset=utf-8',
      'cache-control': 'public, max-age=3600',
    }),
  );

  app.get('/opensearch.xml', (c) =>
    c.body(writeOpenSearchDescription(repository.name, repository.baseUrl), 200, {
      'content-type': 'application/opensearchdescription+xml; charset=utf-8',
      'cache-control': 'public, max-age=3600',
    }),
  );
}

/** The list of resources is a sitemap as well (ResourceSync §6.3.4). */
function writeRobots(baseUrl: string): string {
  return [
    'User-agent: *',
    ...['/api/', '/search', '/runs', '/login', '/feeds/'].map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${baseUrl}/sitemap.xml`,
    `Sitemap: ${baseUrl}/resourcesync/resourcelist.xml`,
    '',
  ].join('\n');
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
