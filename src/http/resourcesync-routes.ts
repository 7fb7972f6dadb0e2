/** ResourceSync: `/.well-known/resourcesync`, `/resourcesync/…` of everything and of one source or view. */
import type { Hono } from 'hono';
import type { Viewer } from '../core/access.ts';
import { GarnerError } from '../core/errors.ts';
import { XML_TYPE } from '../publish/listing/document.ts';
import { createListGate } from '../publish/oai/list-gate.ts';
import {
  createResourceSync,
  SOURCE_DESCRIPTION,
  SYNC_LIMITS,
  type SyncScope,
} from '../publish/resourcesync/provider.ts';
import type { HttpContext, HttpEnv } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { documentResponse } from './document-response.ts';
import { openToReaders, taggedResponse } from './headers.ts';
import { findOpenScope, listOpenScopes, type OpenScope } from './open-scopes.ts';

const EVERYTHING: SyncScope = { scope: {}, page: '/' };

export function addResourceSyncRoutes(app: Hono<HttpEnv>, deps: HttpDeps): void {
  const { store, formats, repository, dataFolder, clock, log } = deps;
  const gate = createListGate({ places: deps.oai.maxLists, clock });
  const sync = createResourceSync({
    store,
    terms: { baseUrl: repository.baseUrl, formats, files: deps.files },
    limits: { ...SYNC_LIMITS, ...deps.syncLimits },
    captures:
      dataFolder === undefined ? undefined : { store, dataFolder, clock, software: `Garner/${deps.version}` },
  });
  app.use(SOURCE_DESCRIPTION, openToReaders);
  app.use('/resourcesync/*', openToReaders);

  const whole = (c: HttpContext, body: string): Response =>
    taggedResponse(body, { 'content-type': XML_TYPE }, c.req.header('if-none-match'));

  app.get(SOURCE_DESCRIPTION, async (c) => {
    const scopes = await listOpenScopes(deps, c.get('viewer'));
    return whole(c, sync.describe([EVERYTHING, ...scopes.map(toSyncScope)]));
  });

  const answer = async (c: HttpContext, scope: SyncScope, file: string): Promise<Response> => {
    if (file === 'capabilitylist.xml') return whole(c, sync.listCapabilities(scope));
    const document = await sync.open(scope, file, c.get('viewer'));
    if (!document) throw new GarnerError('request.unknown', `there is nothing at ${c.req.path}`);
    return documentResponse(c, document, gate, log);
  };
  app.get('/resourcesync/:file', (c) => answer(c, EVERYTHING, c.req.param('file')));
  app.get('/resourcesync/:name/:file', async (c) =>
    answer(c, await getScope(deps, c.req.param('name'), c.get('viewer')), c.req.param('file')),
  );
}

const toSyncScope = ({ name, scope }: OpenScope): SyncScope => ({
  name,
  scope,
  page: `/search?${scope.view === undefined ? 'source' : 'view'}=${name}`,
});

async function getScope(deps: HttpDeps, name: string, viewer: Viewer): Promise<SyncScope> {
  const scope = await findOpenScope(deps, name, viewer);
  if (!scope) throw new GarnerError('request.unknown', 'there is no source or view of that name');
  return toSyncScope(scope);
}
