/** OAI-PMH at `/oai`, and of one source or view at `/oai/{name}`. */
import type { Hono } from 'hono';
import type { Viewer } from '../core/access.ts';
import { GarnerError } from '../core/errors.ts';
import type { PortalAssets } from '../portal/assets.ts';
import {
  createListGate,
  createOaiProvider,
  createStoreBackend,
  type OaiBackend,
  type OaiProviderOptions,
} from '../publish/index.ts';
import type { HttpContext, HttpEnv } from './context.ts';
import { targetOf } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { FOREIGN_BYTES_POLICY } from './headers.ts';
import { oaiPage, PAGE_SIZES, wantsPage } from './oai-page.ts';
import { findOpenScope, type OpenScope } from './open-scopes.ts';

export const OAI_PATH = /^\/oai(?:\/[^/]*)?$/;

const HOUR_MS = 3_600_000;

type PageSizes = Pick<OaiProviderOptions, 'pageSize' | 'headersPageSize' | 'pageBytes'>;

export function addOaiRoutes(app: Hono<HttpEnv>, deps: HttpDeps, assets: PortalAssets): void {
  const { repository, oai, clock, log } = deps;
  const gate = createListGate({ places: oai.maxLists, clock });

  const answer = async (c: HttpContext, name?: string): Promise<Response> => {
    const viewer = c.get('viewer');
    const { scope, title } =
      name === undefined ? { title: repository.name } : await findScope(deps, name, viewer);
    const provide = (sizes: PageSizes) =>
      createOaiProvider(repositoryBackend(deps, viewer, title, scope), {
        baseUrl: `${repository.baseUrl}/oai${name === undefined ? '' : `/${name}`}`,
        ...sizes,
        tokenLifeMs: oai.tokenHours * HOUR_MS,
        gate,
        clock,
        onFailure: (error) => log('http.failed', { method: c.req.method, path: targetOf(c), error }),
      });
    const page = wantsPage(c) ? await oaiPage(c, deps, assets, provide(PAGE_SIZES)) : undefined;
    const response = page ?? (await provide({ pageSize: oai.pageSize, pageBytes: oai.pageBytes })(c.req.raw));
    if (!page) response.headers.set('content-security-policy', FOREIGN_BYTES_POLICY);
    response.headers.append('vary', 'Upgrade-Insecure-Requests');
    return response;
  };
  app.all('/oai', (c) => answer(c));
  app.all('/oai/:name', (c) => answer(c, c.req.param('name')));
}

export function repositoryBackend(
  { store, formats, forms = [], repository, oai, links }: HttpDeps,
  viewer: Viewer,
  title: string,
  scope: Scoped['scope'],
): OaiBackend {
  return createStoreBackend({
    store,
    formats,
    forms,
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
    ...(links && { relate: links.relate }),
    viewer,
  });
}

interface Scoped {
  readonly scope?: OpenScope['scope'];
  readonly title: string;
}

async function findScope(deps: HttpDeps, name: string, viewer: Viewer): Promise<Scoped> {
  const found = await findOpenScope(deps, name, viewer);
  if (!found) throw new GarnerError('request.unknown', 'there is no repository of that name');
  return { scope: found.scope, title: `${deps.repository.name}: ${found.title}` };
}
