/** What a viewer may know of sources, runs and problems, which the store's ports for keepers do not filter. */
import { OPERATOR, type Viewer } from '../core/access.ts';
import { mayRead } from '../core/access-match.ts';
import { GarnerError } from '../core/errors.ts';
import type { ShownRun } from '../portal/runs-page.ts';
import { MATCH_ALL } from '../query/ast.ts';
import type { GarnerStore, ListedProblem, RunInfo, RunProblemCount } from '../store/index.ts';
import type { HttpDeps, ListedName } from './deps.ts';

export function readableOf(things: readonly ListedName[], viewer: Viewer): ListedName[] {
  return things.filter((thing) => mayRead(thing.access, viewer));
}

/** A source that holds something the viewer may see, with how much of it. */
export interface SeenSource {
  readonly name: string;
  readonly title: string;
  readonly items: number;
}

const MOST_SOURCES = 1000;
const COUNTS = 3;

/**
 * The configured sources that the viewer may read, and others (imported by name, or since taken out of the
 * configuration) when some item of theirs is open to the viewer. Counted by a search, which leaves out the rest.
 */
export async function listReadableSources(
  { store, sources }: Pick<HttpDeps, 'store' | 'sources'>,
  viewer: Viewer,
): Promise<SeenSource[]> {
  const counts = await countBySource({ store }, viewer);
  const listed = readableOf(sources, viewer).map(({ name, title }) => ({
    name,
    title,
    items: counts.get(name) ?? 0,
  }));
  for (const [name, items] of counts)
    if (!sources.some((source) => source.name === name)) listed.push({ name, title: name, items });
  return listed;
}

/**
 * A test for the sources whose numbers (of runs, of quality) the viewer may know: those of which he may see all.
 * Where single items may be hidden numbers are for keepers, hidden or not: else their absence would tell of it.
 */
export async function countedSources(
  deps: Pick<HttpDeps, 'store' | 'sources'>,
  viewer: Viewer,
): Promise<(source: string) => boolean> {
  if (viewer.role !== 'reader') return () => true;
  const open = new Set<string>();
  // Something may be committed between two counts: a source is open if they agreed once.
  for (let attempt = 0; attempt < COUNTS; attempt++) {
    const [own, all] = await Promise.all([countBySource(deps, viewer), countBySource(deps, OPERATOR)]);
    for (const name of [...all.keys(), ...deps.sources.map((source) => source.name)])
      if (own.get(name) === all.get(name)) open.add(name);
    if (open.size >= all.size) break;
  }
  for (const { name, mayHideItems } of deps.sources) if (mayHideItems) open.delete(name);
  return (source) => open.has(source);
}

async function countBySource(
  { store }: Pick<HttpDeps, 'store'>,
  viewer: Viewer,
): Promise<Map<string, number>> {
  const { facets } = await store.search.search(
    { query: MATCH_ALL, limit: 0, facets: [{ field: 'source', limit: MOST_SOURCES }] },
    viewer,
  );
  return new Map((facets.source ?? []).map(({ value, count }) => [value, count]));
}

/** A message may tell numbers, too. */
const withoutNumbers = ({ id, source, kind, status, startedAt, endedAt, holder }: RunInfo): ShownRun => ({
  id,
  source,
  kind,
  status,
  startedAt,
  ...(endedAt !== undefined && { endedAt }),
  holder,
});

/** A test for the sources whose runs the viewer may know of; keepers know all. */
export async function readableRuns(
  deps: Pick<HttpDeps, 'store' | 'sources' | 'topics'>,
  viewer: Viewer,
): Promise<(source: string) => boolean> {
  if (viewer.role !== 'reader') return () => true;
  const names = new Set((await listReadableSources(deps, viewer)).map(({ name }) => name));
  const topics = deps.topics && mayRead(deps.topics.access, viewer) ? deps.topics.topics : undefined;
  return (source) => names.has(source) || topics?.has(source) === true;
}

export async function getReadableRun(
  deps: Pick<HttpDeps, 'store' | 'sources' | 'topics'>,
  idText: string,
  viewer: Viewer,
): Promise<ShownRun> {
  const id = /^\d{1,15}$/.test(idText) ? Number(idText) : 0;
  const run = id > 0 ? await deps.store.runs.findRun(id) : undefined;
  const maySee = await readableRuns(deps, viewer);
  if (!run || !maySee(run.source)) throw new GarnerError('run.unknown', `there is no run ${idText}`);
  return (await countedSources(deps, viewer))(run.source) ? run : withoutNumbers(run);
}

/** The newest runs that the viewer may see, a page of them. */
export async function listReadableRuns(
  deps: Pick<HttpDeps, 'store' | 'sources' | 'topics'>,
  page: {
    readonly source?: string | undefined;
    readonly before?: number | undefined;
    readonly limit: number;
  },
  viewer: Viewer,
): Promise<ShownRun[]> {
  const maySee = await readableRuns(deps, viewer);
  const isCounted = await countedSources(deps, viewer);
  const seen: ShownRun[] = [];
  let before = page.before;
  for (;;) {
    const runs = await deps.store.runs.listRuns({
      limit: page.limit,
      ...(page.source !== undefined && { source: page.source }),
      ...(before !== undefined && { before }),
    });
    for (const run of runs)
      if (maySee(run.source)) seen.push(isCounted(run.source) ? run : withoutNumbers(run));
    before = runs.at(-1)?.id;
    if (seen.length >= page.limit || runs.length < page.limit || before === undefined)
      return seen.slice(0, page.limit);
  }
}

/** Problems that would tell readers of folders and files that are not for them. */
const FOR_KEEPERS: ReadonlySet<string> = new Set(['access.unclear', 'folder.unreadable']);

/** A page of them, filled up: how many are left out is not told. */
export async function listVisibleProblems(
  store: GarnerStore,
  { id, source }: Pick<RunInfo, 'id' | 'source'>,
  page: {
    readonly after?: number | undefined;
    readonly code?: string | undefined;
    readonly limit: number;
  },
  viewer: Viewer,
): Promise<{ problems: ListedProblem[]; next?: number }> {
  const seen: ListedProblem[] = [];
  for (let after = page.after; ; ) {
    const listed = await store.runs.listProblems({
      runId: id,
      limit: page.limit + 1,
      ...(page.code !== undefined && { code: page.code }),
      ...(after !== undefined && { after }),
    });
    seen.push(...(await visibleProblems(store, source, listed, viewer)));
    after = listed.at(-1)?.id;
    if (seen.length <= page.limit && listed.length > page.limit) continue;
    const problems = seen.slice(0, page.limit);
    const last = seen.length > page.limit ? problems.at(-1) : undefined;
    return { problems, ...(last && { next: last.id }) };
  }
}

/** By kind, where all of the run's numbers are for the viewer. */
export async function countVisibleProblems(
  store: GarnerStore,
  { id, problems = 0 }: Pick<ShownRun, 'id' | 'problems'>,
  { role }: Viewer,
): Promise<readonly RunProblemCount[]> {
  if (problems === 0) return [];
  const counts = await store.runs.countProblemsOfRun(id);
  return role === 'reader' ? counts.filter(({ code }) => !FOR_KEEPERS.has(code)) : counts;
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
    problems.map(async ({ code, identifier }) => {
      if (FOR_KEEPERS.has(code)) return false;
      if (identifier === undefined) return true;
      if (await store.items.findItem({ source, identifier }, viewer)) return true;
      return (await store.items.findItem({ source, identifier }, OPERATOR)) === undefined;
    }),
  );
  return problems.filter((_, i) => visible[i]);
}
