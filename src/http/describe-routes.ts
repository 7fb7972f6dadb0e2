/** A curator's description of an item: the form at /describe/…, and /api/describe. */
import { z } from '@hono/zod-openapi';
import { GarnerError } from '../core/errors.ts';
import { itemPath, parseItemPath } from '../core/identifiers.ts';
import type { CataloguedElement } from '../formats/catalogued.ts';
import { withRun } from '../harvest/with-run.ts';
import { canBeCatalogued, catalogueItem } from '../packaging/curation/catalogue-item.ts';
import { CATALOGUED_ELEMENTS, checkValues, type ElementInput } from '../packaging/curation/check-values.ts';
import { readItemTrust } from '../packaging/curation/item-trust.ts';
import type { PortalAssets } from '../portal/assets.ts';
import { renderDescribePage } from '../portal/describe-page.ts';
import type { StoredItem } from '../store/index.ts';
import { demandCurator } from './api-rollback.ts';
import { type ApiApp, problemAnswers, validate } from './api-route.ts';
import { type HttpContext, itemOf, signedInAs, targetOf } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { getReadableItem } from './item-content.ts';
import { readJsonBody } from './json-body.ts';
import { demandOwnPage } from './login-pages.ts';
import { ITEM_PREFIXES } from './raw-target.ts';
import { siteFor } from './site.ts';
import { findToken } from './viewer.ts';

const texts = z.union([z.string(), z.array(z.string())]);
const body = z.strictObject({
  source: z.string().min(1),
  identifier: z.string().min(1),
  set: z
    .partialRecord(z.enum(CATALOGUED_ELEMENTS), texts)
    .openapi({ description: 'Values by element; an empty list takes away what was said before.' }),
  why: z.string().min(1).max(1000),
});

export function addDescribeRoutes(
  app: ApiApp,
  deps: HttpDeps,
  assets: PortalAssets,
  origins: readonly string[],
): void {
  const { store, formats, authorities = {} } = deps;
  const catalogue = (item: StoredItem, input: ElementInput, agent: string, reason: string) => {
    const values = checkValues(input, authorities);
    return withRun(store.runs, item.source, 'describe', (runId) =>
      catalogueItem({ store, fields: formats.fieldSpecs() }, item, runId, { values, agent, reason }),
    );
  };
  const getItem = async (c: HttpContext): Promise<StoredItem> => {
    const item = await getReadableItem(c, deps, itemOf(c, ITEM_PREFIXES.describe));
    if (canBeCatalogued(item)) return item;
    throw new GarnerError('request.invalid', 'only archived pages and snapshots are described here');
  };
  const showForm = async (
    c: HttpContext,
    item: StoredItem,
    sent?: {
      readonly input: ElementInput;
      readonly why: string;
      readonly problem: string;
      readonly status?: 401;
    },
  ) => {
    const trust = await readItemTrust(store, item, c.get('viewer'));
    const { title, ...lists } = sent?.input ?? {};
    const page = renderDescribePage({
      site: siteFor(c, deps, assets),
      item,
      action: itemPath(item.source, item.identifier, ITEM_PREFIXES.describe),
      values: sent ? { ...lists, ...(title?.[0] && { title: title[0] }) } : (trust?.catalogued?.values ?? {}),
      stated: trust?.stated ?? {},
      authorities,
      ...(sent && { reason: sent.why, problem: sent.problem }),
      signedInAs: signedInAs(c),
    });
    return c.html(page, sent ? (sent.status ?? 400) : 200);
  };

  app.get(`${ITEM_PREFIXES.describe}:source/:identifier`, async (c) => showForm(c, await getItem(c)));

  app.post(`${ITEM_PREFIXES.describe}:source/:identifier`, async (c) => {
    demandOwnPage(c, origins);
    const form = await c.req.parseBody({ all: true });
    const all = (name: string): string[] =>
      [form[name] ?? []].flat().filter((value) => typeof value === 'string');
    const why = all('why')[0]?.trim() ?? '';
    const input: Partial<Record<CataloguedElement, string[]>> = Object.fromEntries(
      CATALOGUED_ELEMENTS.map((element) => [element, all(element).filter((value) => value.trim() !== '')]),
    );
    // A session's cookie only reads, so the form brings the token itself.
    const token = findToken(all('token')[0]?.trim() ?? '', deps.tokens);
    const problem = 'This needs the token of a curator or operator.';
    const isCurator = token !== undefined && token.role !== 'reader';
    const ref = parseItemPath(targetOf(c), ITEM_PREFIXES.describe);
    const known = ref && (await store.items.findItem(ref, c.get('viewer')));
    if (!isCurator && !known) throw new GarnerError('access.token', problem);
    const item = await getItem(c);
    if (!isCurator) return showForm(c, item, { input, why, problem, status: 401 });
    if (why === '') return showForm(c, item, { input, why, problem: 'Please say why.' });
    try {
      await catalogue(item, input, token.name, why);
    } catch (thrown) {
      if (!(thrown instanceof GarnerError) || thrown.code !== 'request.invalid') throw thrown;
      return showForm(c, item, { input, why, problem: thrown.message });
    }
    return c.redirect(itemPath(item.source, item.identifier), 303);
  });

  app.openAPIRegistry.registerPath({
    method: 'post',
    path: '/api/describe',
    tags: ['Items'],
    summary: 'Say what an archived page or a snapshot is, as a new version',
    security: [{ token: [] }],
    request: { body: { required: true, content: { 'application/json': { schema: body } } } },
    responses: {
      200: {
        description: 'Whether there is a new version.',
        content: { 'application/json': { schema: z.object({ changed: z.boolean() }) } },
      },
      ...problemAnswers,
    },
  });
  app.post('/api/describe', async (c) => {
    const viewer = c.get('viewer');
    demandCurator(viewer);
    const { source, identifier, set, why } = validate(body, await readJsonBody(c));
    const item = await getReadableItem(c, deps, { source, identifier });
    const input = Object.fromEntries(Object.entries(set).map(([name, value]) => [name, [value].flat()]));
    const { updated } = await catalogue(item, input, viewer.token ?? '', why);
    return c.json({ changed: updated > 0 });
  });
}
