/**
 * The sets of a repository. `source:{name}` follows from where an item came; all others were given to items
 * by what brought them. The root `source` is ours: sets of items under it are not shown.
 */
import type { Viewer } from '../../core/access.ts';
import { writeOaiDc } from '../../formats/oai-dc.ts';
import type { GarnerStore, HarvestScope, HarvestSet } from '../../store/index.ts';
import type { OaiSet } from './backend.ts';

/** Roots that no topic and no imported set can have. */
export const RESERVED_SET_ROOTS = ['source'] as const;

export interface SetText {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

export const sourceSet = (source: string): string => `source:${source}`;

const isReserved = (spec: string): boolean =>
  RESERVED_SET_ROOTS.some((root) => spec === root || spec.startsWith(`${root}:`));

/** What a set that was asked for restricts the scope to; undefined when nothing can be in it. */
export function narrowBySet(
  scope: Omit<HarvestScope, 'set'>,
  set: string | undefined,
): HarvestScope | undefined {
  if (set === undefined || set === 'source') return scope;
  if (!isReserved(set)) return { ...scope, set };
  const source = set.slice('source:'.length);
  return scope.source === undefined || scope.source === source ? { ...scope, source } : undefined;
}

export const specsOf = (record: { readonly source: string; readonly sets: readonly string[] }): string[] => [
  sourceSet(record.source),
  ...record.sets.filter((spec) => !isReserved(spec)),
];

/** In the order of their specs. */
export async function listAllSets(
  store: Pick<GarnerStore, 'harvest' | 'items'>,
  scope: Omit<HarvestScope, 'set'>,
  viewer: Viewer,
  {
    after,
    limit,
    counted = false,
  }: { readonly after?: string; readonly limit: number; readonly counted?: boolean },
): Promise<HarvestSet[]> {
  const own = await listSourceSets(store, scope, viewer, counted);
  const found: HarvestSet[] = own.filter(({ spec }) => after === undefined || spec > after);
  let position = after;
  for (;;) {
    const page = await store.harvest.listSets(
      { ...scope, ...(position !== undefined && { after: position }), limit, counted },
      viewer,
    );
    found.push(...page.filter(({ spec }) => !isReserved(spec)));
    position = page.at(-1)?.spec;
    if (page.length < limit || found.length >= own.length + limit) break;
  }
  return found.sort((a, b) => (a.spec < b.spec ? -1 : 1)).slice(0, limit);
}

/** Of the sources that have something to list for this viewer. */
async function listSourceSets(
  { harvest, items }: Pick<GarnerStore, 'harvest' | 'items'>,
  scope: Omit<HarvestScope, 'set'>,
  viewer: Viewer,
  counted: boolean,
): Promise<HarvestSet[]> {
  const names =
    scope.source === undefined ? (await items.listSources()).map(({ name }) => name) : [scope.source];
  const sets: HarvestSet[] = [{ spec: 'source' }];
  let all = 0;
  for (const source of names) {
    const within = { ...scope, source };
    const { records } = await harvest.listPage({ ...within, limit: 1 }, viewer);
    if (records.length === 0) continue;
    const count = counted ? await harvest.countRecords(within, viewer) : 0;
    all += count;
    sets.push({ spec: sourceSet(source), ...(counted && { items: count }) });
  }
  return counted ? sets.map((set) => (set.spec === 'source' ? { ...set, items: all } : set)) : sets;
}

export function describeSet(spec: string, texts: Readonly<Record<string, SetText>>): OaiSet {
  const { name, description } = texts[spec] ?? {};
  return {
    spec,
    name: name ?? defaultName(spec),
    ...(description !== undefined && { descriptions: [writeOaiDc({ description: [description] })] }),
  };
}

const defaultName = (spec: string): string => {
  if (spec === 'source') return 'By source';
  if (spec === 'mime') return 'By type';
  const [root, ...below] = spec.split(':');
  if (root === 'source') return `Source ${below.join(':')}`;
  // The plus of `svg+xml` cannot stand in a spec.
  if (root === 'mime') return `Type ${below.join('/').replace(/\.(xml|json|zip)$/, '+$1')}`;
  return spec;
};
