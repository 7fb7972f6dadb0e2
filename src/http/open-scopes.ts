/** Sources and views that a viewer may harvest. What he can see nothing of is not there. */
import type { Viewer } from '../core/access.ts';
import { mayRead } from '../core/access-match.ts';
import type { HarvestScope } from '../store/index.ts';
import type { HttpDeps } from './deps.ts';

export interface OpenScope {
  readonly name: string;
  readonly title: string;
  readonly scope: Omit<HarvestScope, 'set'>;
}

type ScopeDeps = Pick<HttpDeps, 'store' | 'sources' | 'views'>;

export async function findOpenScope(
  deps: ScopeDeps,
  name: string,
  viewer: Viewer,
): Promise<OpenScope | undefined> {
  const view = findOpenView(deps, name, viewer);
  if (view) return view;
  const known = await deps.store.items.listSources();
  return known.some((source) => source.name === name) ? findOpenSource(deps, name, viewer) : undefined;
}

/** Sources first. */
export async function listOpenScopes(deps: ScopeDeps, viewer: Viewer): Promise<OpenScope[]> {
  const sources: OpenScope[] = [];
  for (const { name } of await deps.store.items.listSources()) {
    const source = await findOpenSource(deps, name, viewer);
    if (source) sources.push(source);
  }
  return [...sources, ...deps.views.flatMap(({ name }) => findOpenView(deps, name, viewer) ?? [])];
}

function findOpenView({ views }: ScopeDeps, name: string, viewer: Viewer): OpenScope | undefined {
  const view = views.find((one) => one.name === name && mayRead(one.access, viewer));
  return view && { name, title: view.title, scope: { view: name } };
}

/** One whose rule lets the viewer in, or that has something for him, were it only news of deletions. */
async function findOpenSource(
  { store, sources }: ScopeDeps,
  name: string,
  viewer: Viewer,
): Promise<OpenScope | undefined> {
  const configured = sources.find((one) => one.name === name);
  const isOpen =
    (configured !== undefined && mayRead(configured.access, viewer)) ||
    (await store.harvest.listPage({ source: name, limit: 1 }, viewer)).records.length > 0;
  return isOpen ? { name, title: configured?.title ?? name, scope: { source: name } } : undefined;
}
