/** What a viewer may know of sources, runs and problems, which the store's ports for keepers do not filter. */
import { OPERATOR, type Viewer } from '../core/access.ts';
import { mayRead } from '../core/access-match.ts';
import { GarnerError } from '../core/errors.ts';
import type { GarnerStore, ListedProblem, RunInfo } from '../store/index.ts';
import type { ListedName } from './deps.ts';

export function readableOf(things: readonly ListedName[], viewer: Viewer): ListedName[] {
  return things.filter((thing) => mayRead(thing.access, viewer));
}

/** A source that is no longer configured has no rule: keepers only. */
export function maySeeRun(run: RunInfo, sources: readonly ListedName[], viewer: Viewer): boolean {
  if (viewer.role !== 'reader') return true;
  const source = sources.find((known) => known.name === run.source);
  return source !== undefined && mayRead(source.access, viewer);
}

export async function getReadableRun(
  store: GarnerStore,
  sources: readonly ListedName[],
  idText: string,
  viewer: Viewer,
): Promise<RunInfo> {
  const id = /^\d{1,15}$/.test(idText) ? Number(idText) : 0;
  const run = id > 0 ? await store.runs.findRun(id) : undefined;
  if (!run || !maySeeRun(run, sources, viewer))
    throw new GarnerError('run.unknown', `there is no run ${idText}`);
  return run;
}

/** The newest runs that the viewer may see, a page of them. */
export async function listReadableRuns(
  store: GarnerStore,
  sources: readonly ListedName[],
  page: {
    readonly source?: string | undefined;
    readonly before?: number | undefined;
    readonly limit: number;
  },
  viewer: Viewer,
): Promise<RunInfo[]> {
  const seen: RunInfo[] = [];
  let before = page.before;
  for (;;) {
    const runs = await store.runs.listRuns({
      limit: page.limit,
      ...(page.source !== undefined && { source: page.source }),
      ...(before !== undefined && { before }),
    });
    for (const run of runs) if (maySeeRun(run, sources, viewer)) seen.push(run);
    before = runs.at(-1)?.id;
    if (seen.length >= page.limit || runs.length < page.limit || before === undefined)
      return seen.slice(0, page.limit);
  }
}

/** Without those that speak of an item which exists but is hidden from this viewer. */
export async function visibleProblems(
  store: GarnerStore,
  source: string,
  problems: readonly ListedProblem[],
  viewer: Viewer,
): Promise<ListedProblem[]> {
  if (viewer.role !== 'reader') return [...problems];
  const visible = await Promise.all(
    problems.map(async ({ identifier }) => {
      if (identifier === undefined) return true;
      if (await store.items.findItem({ source, identifier }, viewer)) return true;
      return (await store.items.findItem({ source, identifier }, OPERATOR)) === undefined;
    }),
  );
  return problems.filter((_, i) => visible[i]);
}
