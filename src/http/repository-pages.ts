/** The page that explains the repository to a person. */
import type { Hono } from 'hono';
import { formatOai } from '../core/time.ts';
import type { PortalAssets } from '../portal/assets.ts';
import { renderRepositoryPage } from '../portal/repository-page.ts';
import { describeSet, listAllSets } from '../publish/index.ts';
import { type HttpEnv, signedInAs } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { repositoryBackend } from './oai-routes.ts';
import { listReadableSources, readableOf } from './readable.ts';
import { siteFor } from './site.ts';

const SHOWN_SETS = 200;

export function addRepositoryPages(app: Hono<HttpEnv>, deps: HttpDeps, assets: PortalAssets): void {
  const { store, repository, oai, views } = deps;
  const baseUrl = `${repository.baseUrl}/oai`;

  app.get('/repository', async (c) => {
    const viewer = c.get('viewer');
    const backend = repositoryBackend(deps, viewer, repository.name, undefined);
    const [formats, sets, first, entries, { earliestDatestampAt }, sources] = await Promise.all([
      backend.listFormats(),
      listAllSets(store, {}, viewer, { limit: SHOWN_SETS + 1, counted: true }),
      store.harvest.listPage({ limit: 1 }, viewer),
      store.harvest.countRecords({}, viewer),
      backend.identify(),
      listReadableSources(deps, viewer),
    ]);
    const part = (kind: 'source' | 'view') => (thing: { readonly name: string; readonly title: string }) => ({
      kind,
      title: thing.title,
      baseUrl: `${baseUrl}/${thing.name}`,
    });
    return c.html(
      renderRepositoryPage({
        site: siteFor(c, deps, assets),
        baseUrl,
        entries,
        earliest: formatOai(earliestDatestampAt),
        formats: formats ?? [],
        sets: sets.slice(0, SHOWN_SETS).map(({ spec, items }) => ({ ...describeSet(spec, oai.sets), items })),
        moreSets: sets.length > SHOWN_SETS,
        sample: first.records[0]?.oaiIdentifier,
        parts: [...sources.map(part('source')), ...readableOf(views, viewer).map(part('view'))],
        signedInAs: signedInAs(c),
      }),
    );
  });
}
