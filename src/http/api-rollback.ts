/** /api/rollback: a new version equal to an old one, in a run of its own. */
import { z } from '@hono/zod-openapi';
import type { Viewer } from '../core/access.ts';
import { asGarnerError, GarnerError } from '../core/errors.ts';
import type { GarnerStore, VersionInfo } from '../store/index.ts';
import { type ApiApp, problemAnswers, validate } from './api-route.ts';
import { versionSchema } from './api-schemas.ts';
import type { HttpDeps } from './deps.ts';
import { versionJson } from './item-json.ts';
import { readJsonBody } from './json-body.ts';

const body = z.strictObject({
  source: z.string().min(1),
  identifier: z.string().min(1),
  format: z.string().min(1).optional(),
  version: z.int().min(1),
  note: z.string().max(1000).optional(),
});

export function addRollbackRoute(app: ApiApp, { store }: HttpDeps): void {
  app.openAPIRegistry.registerPath({
    method: 'post',
    path: '/api/rollback',
    tags: ['Items'],
    summary: 'Bring back an old version of an item, as a new one',
    security: [{ token: [] }],
    request: { body: { required: true, content: { 'application/json': { schema: body } } } },
    responses: {
      200: { description: 'The new version.', content: { 'application/json': { schema: versionSchema } } },
      ...problemAnswers,
    },
  });
  app.post('/api/rollback', async (c) => {
    const viewer = c.get('viewer');
    demandCurator(viewer);
    const { source, identifier, format, version, note } = validate(body, await readJsonBody(c));
    const ref = { source, identifier };
    if (!(await store.items.findItem(ref, viewer)))
      throw new GarnerError('item.unknown', `there is no item ${identifier} in ${source}`);
    const made = await inOwnRun(store, source, 'rollback', (runId) =>
      store.items.rollback(ref, { version, ...(format !== undefined && { format }) }, runId, note),
    );
    return c.json(versionJson(made));
  });
}

export function demandCurator(viewer: Viewer): void {
  if (viewer.token === undefined || viewer.role === 'reader')
    throw new GarnerError('access.denied', 'changing something needs the token of a curator or operator');
}

async function inOwnRun(
  store: GarnerStore,
  source: string,
  kind: string,
  work: (runId: number) => Promise<VersionInfo>,
): Promise<VersionInfo> {
  const { id } = await store.runs.startRun(source, kind);
  try {
    const made = await work(id);
    await store.runs.finishRun(id, 'complete');
    return made;
  } catch (thrown) {
    await store.runs.finishRun(id, 'failed', asGarnerError(thrown).message);
    throw thrown;
  }
}
