/** OAI-PMH at `/oai`, and of one source or view at `/oai/{name}`. */
import type { Hono } from 'hono';
import type { Viewer } from '../core/access.ts';
import { mayRead } from '../core/access-match.ts';
import { GarnerError } from '../core/errors.ts';
import { createListGate, createOaiProvider, createStoreBackend } from '../publish/index.ts';
import type { HttpContext, HttpEnv } from './context.ts';
import { targetOf } from './context.ts';
import type { HttpDeps } from './deps.ts';

export const OAI_PATH = /^\/oai(?:\/[^/]*)?$/;

const HOUR_MS = 3_600_000;

/** Answers hold XML that others wrote. A browser that shows them takes our style from here and runs nothing. */
const ANSWER_POLICY = "sandbox; default-src 'none'; style-src 'self'; frame-ancestors 'none'";

export function addOaiRoutes(app: Hono<HttpEnv>, deps: HttpDeps, stylesheet: string): void {
  const { store, formats, repository, oai, clock, log } = deps;
  const gate = createListGate({ places: oai.maxLists, clock });

  const answer = async (c: HttpContext, name?: string): Promise<Response> => {
    const viewer = c.get('viewer');
    const { scope, title } =
      name === undefined ? { title: repository.name } : await findScope(deps, name, viewer);
    const backend = createStoreBackend({
      store,
      formats,
      forms: deps.forms ?? [],
      repository: {
        name: title,
        adminEmail: repository.adminEmail,
        identifier: repository.identifier,
        friends: oai.friends,
        branding: oai.branding,
        policies: oai.policies,
        sets: oai.sets,
      },
      ...(scope && { scope }),
      viewer,
    });
    const provide = createOaiProvider(backend, {
      baseUrl: `${repository.baseUrl}/oai${name === undefined ? '' : `/${name}`}`,
      pageSize: oai.pageSize,
      pageBytes: oai.pageBytes,
      tokenLifeMs: oai.tokenHours * HOUR_MS,
      gate,
      stylesheet,
      clock,
      onFailure: (error) => log('http.failed', { method: c.req.method, path: targetOf(c), error }),
    });
    const response = await provide(c.req.raw);
    response.headers.set('content-security-policy', ANSWER_POLICY);
    return response;
  };
  app.all('/oai', (c) => answer(c));
  app.all('/oai/:name', (c) => answer(c, c.req.param('name')));
}

interface Scoped {
  readonly scope?: { readonly source: string } | { readonly view: string };
  readonly title: string;
}

/** What the viewer can see nothing of is not there. */
async function findScope(
  { store, sources, views, repository }: HttpDeps,
  name: string,
  viewer: Viewer,
): Promise<Scoped> {
  const titled = (title: string) => `${repository.name}: ${title}`;
  const view = views.find((one) => one.name === name && mayRead(one.access, viewer));
  if (view) return { scope: { view: name }, title: titled(view.title) };
  const source = sources.find((one) => one.name === name);
  const isKnown = (await store.items.listSources()).some((one) => one.name === name);
  if (isKnown) {
    const isOpen = source !== undefined && mayRead(source.access, viewer);
    if (isOpen || (await store.harvest.listPage({ source: name, limit: 1 }, viewer)).records.length > 0)
      return { scope: { source: name }, title: titled(source?.title ?? name) };
  }
  throw new GarnerError('request.unknown', 'there is no repository of that name');
}
