/** The HTTP edge: one app from its parts, and the server that runs it. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { routePath as matchedPath } from 'hono/route';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ANONYMOUS } from '../core/access.ts';
import { asGarnerError, GarnerError } from '../core/errors.ts';
import { loadAssets } from '../portal/assets.ts';
import { renderErrorPage } from '../portal/error-page.ts';
import { renderHelpPage } from '../portal/help-page.ts';
import { chooseMedia } from './accept.ts';
import { allowedMethods } from './allowed-methods.ts';
import { addDictionaryRoutes } from './api-dictionary.ts';
import { addItemRoutes } from './api-items.ts';
import { addListingRoutes } from './api-listing.ts';
import { addPushRoutes } from './api-push.ts';
import { addRollbackRoute } from './api-rollback.ts';
import { addRunRoutes } from './api-runs.ts';
import { addSearchRoutes } from './api-search.ts';
import { addSiteModelRoutes } from './api-site-models.ts';
import { addCdxRoutes } from './cdx-routes.ts';
import { type HttpContext, type HttpEnv, signedInAs, targetOf } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { addDescribeRoutes } from './describe-routes.ts';
import { addDictionaryPages } from './dictionary-pages.ts';
import { addFeedRoutes } from './feed-routes.ts';
import { addGuidedRoutes } from './guided-pages.ts';
import { openToReaders, secureHeaders } from './headers.ts';
import { addItemPages } from './item-pages.ts';
import { limitBody } from './limit-body.ts';
import { addLoginPages } from './login-pages.ts';
import { createMetrics } from './metrics.ts';
import { addMetsRoutes } from './mets-routes.ts';
import { addOaiRoutes, OAI_PATH } from './oai-routes.ts';
import { answerBrokenRequests } from './overlong-target.ts';
import { addPackageRoutes } from './package-routes.ts';
import { describeProblem, problemHeaders, problemResponse, versionsPathOf } from './problem.ts';
import { addProdRoutes } from './prod-routes.ts';
import { addProfRoutes } from './prof-routes.ts';
import { addQueryRoutes } from './query-routes.ts';
import { ITEM_PREFIXES, rawTarget, routePath } from './raw-target.ts';
import { addRepositoryPages } from './repository-pages.ts';
import { addResourceSyncRoutes } from './resourcesync-routes.ts';
import { addRunPages } from './run-pages.ts';
import { addSearchPages } from './search-pages.ts';
import { addServiceRoutes } from './service-routes.ts';
import { siteFor } from './site.ts';
import { addSnapshotRoutes } from './snapshot-routes.ts';
import { addSourcePages } from './source-pages.ts';
import { addTopicCorpus } from './topic-corpus.ts';
import { addTopicMarks } from './topic-marks.ts';
import { addTopicPages } from './topic-pages.ts';
import { findViewer } from './viewer.ts';

const MAX_BODY_BYTES = 64 * 1024;
/** Their answers depend on gathered profiles. */
const GATHERED_PATHS = ['/prof', '/query', '/api/query', '/guided', '/api/guided'];
/** Where all that there is can be listed. */
const HARVEST_PATH = /^\/(?:oai|resourcesync)(?:\/|$)/;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function createHttpApp(deps: HttpDeps): Hono<HttpEnv> {
  const { clock, log, repository, tokens } = deps;
  const assets = loadAssets();
  const metrics = createMetrics(deps.version);
  const origins = [new URL(repository.baseUrl).origin];
  const app = new OpenAPIHono<HttpEnv>({
    getPath: (request, options) => routePath(rawTarget(request, options?.env)),
  });

  app.use(async (c, next) => {
    const startedAt = performance.now();
    // Errors have pages for anybody, also before it is known who asks.
    c.set('viewer', ANONYMOUS);
    await next();
    const durationMs = performance.now() - startedAt;
    const route = matchedPath(c, -1);
    const method = METHODS.has(c.req.method) ? c.req.method : 'other';
    metrics.observe({ method, route: route === '/*' ? 'none' : route, status: c.res.status, durationMs });
    log('http.request', {
      method,
      path: c.req.path,
      status: c.res.status,
      durationMs: Math.round(durationMs),
    });
  });
  app.use(secureHeaders);
  app.use('/api/*', openToReaders);
  app.use('/items/*', openToReaders);
  app.use('/oai/*', openToReaders);
  const limited = limitBody(MAX_BODY_BYTES);
  // OAI-PMH has an answer of its own to what is too long; records that are pushed may be large.
  app.use((c, next) =>
    OAI_PATH.test(c.req.path) || c.req.path.startsWith(ITEM_PREFIXES.push) ? next() : limited(c, next),
  );
  app.use(async (c, next) => {
    // Until the token is known to be good, error pages are for anybody.
    c.set('viewer', ANONYMOUS);
    const remoteAddress = c.env?.incoming?.socket.remoteAddress;
    const request = { method: c.req.method, headers: c.req.raw.headers, remoteAddress };
    const own = new URL(c.req.url).origin;
    c.set(
      'viewer',
      await findViewer(
        request,
        {
          tokens,
          origins: [...origins, own],
          trustedProxies: deps.trustedProxies ?? 0,
          ...(deps.groupsOf && { groupsOf: deps.groupsOf }),
        },
        clock(),
      ),
    );
    if (HARVEST_PATH.test(c.req.path)) await deps.onHarvest?.();
    await next();
  });

  addServiceRoutes(app, deps, assets, metrics);
  addOaiRoutes(app, deps, assets);
  addSearchRoutes(app, deps);
  addItemRoutes(app, deps);
  addListingRoutes(app, deps);
  addRunRoutes(app, deps);
  addRollbackRoute(app, deps);
  addPushRoutes(app, deps.push);
  addSearchPages(app, deps, assets);
  addItemPages(app, deps, assets);
  addDescribeRoutes(app, deps, assets, origins);
  addRunPages(app, deps, assets);
  if (deps.elements) {
    addDictionaryRoutes(app, deps.elements);
    addDictionaryPages(app, deps, deps.elements, assets);
  }
  if (deps.topics) {
    addTopicPages(app, deps, deps.topics, assets);
    addTopicMarks(app, deps, deps.topics, origins);
    addTopicCorpus(app, deps, deps.topics, assets);
  }
  if (deps.federation) {
    const { network, guided, gathering } = deps.federation;
    if (gathering)
      for (const path of GATHERED_PATHS)
        app.use(path, async (_, next) => {
          await gathering.wake();
          await next();
        });
    addProfRoutes(app, deps, deps.federation);
    if (network) addQueryRoutes(app, deps, network, assets);
    if (network && guided) addGuidedRoutes(app, deps, { network, guided }, assets);
  }
  if (deps.products) addProdRoutes(app, deps, deps.products);
  addSourcePages(app, deps, assets);
  addResourceSyncRoutes(app, deps);
  addFeedRoutes(app, deps);
  addCdxRoutes(app, deps);
  addSnapshotRoutes(app, deps);
  if (deps.sites) {
    const { packages: forms, dataFolder } = deps;
    if (forms && dataFolder !== undefined)
      addPackageRoutes(app, deps, { forms, dataFolder, models: deps.sites.models });
    addSiteModelRoutes(app, deps, deps.sites.models);
    addMetsRoutes(app, deps, assets, deps.sites.publisher);
  }
  addRepositoryPages(app, deps, assets);
  addLoginPages(app, deps, assets, origins);
  app.get('/help', (c) =>
    c.html(
      renderHelpPage({
        site: siteFor(c, deps, assets),
        fields: deps.formats.fieldSpecs(),
        signedInAs: signedInAs(c),
      }),
    ),
  );

  app.openAPIRegistry.registerComponent('securitySchemes', 'token', {
    type: 'http',
    scheme: 'bearer',
    description: 'A token of the configuration. As a basic password it works as well.',
  });
  const description = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: repository.name,
      version: deps.version,
      description: 'Search, items, their history, and runs. Reading what is public needs no token.',
    },
    servers: [{ url: repository.baseUrl }],
  });
  app.get('/api/openapi.json', (c) => c.json(description));

  app.notFound(async (c) => {
    const allowed = allowedMethods(app, c.req.path);
    if (allowed.length === 0)
      return answerError(c, new GarnerError('request.unknown', `there is nothing at ${c.req.path}`));
    const response =
      c.req.method === 'OPTIONS'
        ? new Response(null, { status: 204 })
        : await answerError(
            c,
            new GarnerError('request.method', `${c.req.path} answers ${allowed.join(', ')} only`),
          );
    response.headers.set('allow', allowed.join(', '));
    return response;
  });
  app.onError((thrown, c) => {
    const error = asGarnerError(thrown);
    // Whoever showed no token may have one.
    const isUnsigned = error.code === 'access.denied' && c.get('viewer').token === undefined;
    return answerError(c, isUnsigned ? new GarnerError('access.token', error.message) : error);
  });
  return app;

  function answerError(c: HttpContext, error: GarnerError): Response | Promise<Response> {
    const problem = describeProblem(error);
    if (problem.status >= 500) log('http.failed', { method: c.req.method, path: targetOf(c), error });
    if (wantsProblem(c)) return problemResponse(problem);
    const url = new URL(c.req.url);
    const isSearch = url.pathname === '/search' || url.pathname === '/';
    const page = renderErrorPage({
      site: siteFor(c, deps, assets),
      status: problem.status,
      code: problem.code,
      message: problem.detail,
      help: problem.help,
      query:
        isSearch && error.code.startsWith('query.') ? (url.searchParams.get('q') ?? '').trim() : undefined,
      position: problem.position,
      versionsPath: versionsPathOf(error),
      signedInAs: signedInAs(c),
    });
    for (const [name, value] of Object.entries(problemHeaders(problem))) c.header(name, value);
    return c.html(page, problem.status as ContentfulStatusCode);
  }
}

function wantsProblem(c: HttpContext): boolean {
  if (c.req.path.startsWith('/api/')) return true;
  return (
    chooseMedia(c.req.header('accept'), [
      'text/html',
      'application/json',
      'application/xml',
      'application/ld+json',
    ]) !== 'text/html'
  );
}

export interface RunningServer {
  /** Without a slash at the end. */
  readonly url: string;
  /** Answers under way may end; then everything is closed. */
  close(): Promise<void>;
}

const CLOSE_AFTER_MS = 5000;

export async function startServer(
  app: Pick<Hono<HttpEnv>, 'fetch'>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<RunningServer> {
  const server = createAdaptorServer({
    fetch: (request, env) => app.fetch(request, 'incoming' in env ? env : {}),
    overrideGlobalObjects: false,
    serverOptions: {
      maxHeaderSize: 32 * 1024,
      headersTimeout: 15_000,
      requestTimeout: 300_000,
      // Longer than proxies keep connections (mostly 60 s): a request must not meet one that is being closed.
      keepAliveTimeout: 75_000,
      connectionsCheckingInterval: 5_000,
    },
  }) as Server;
  answerBrokenRequests(server, async (path) => app.fetch(new Request(`http://localhost${path}`), {}));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(
        new GarnerError('server.address', `cannot listen on ${host}, port ${port}: ${cause.message}`, {
          cause,
        }),
      );
    });
    server.listen(port, host, resolve);
  });
  const { port: actualPort } = server.address() as AddressInfo;
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return {
    url: `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${actualPort}`,
    close: () =>
      new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), CLOSE_AFTER_MS);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}
