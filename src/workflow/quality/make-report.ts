/** Looks at every live item once, and says what is good and what is wrong with each source. */
import type { FieldSpec, Instant } from '../../core/model.ts';
import type { GarnerStore, LiveItem } from '../../store/index.ts';
import { DuplicateFinder } from './duplicate-finder.ts';
import { DUPLICATE_KINDS, type DuplicateKind, duplicateKeys } from './duplicate-keys.ts';
import { groupByRule } from './problem-rules.ts';
import type { DuplicateGroup, FieldCoverage, QualityReport, SourceQuality, TrendPoint } from './report.ts';

const PAGE = 500;
const MOST_GROUPS = 50;
const MOST_MEMBERS = 10;
const TREND_RUNS = 30;
/** An item's key and its source's number are kept as one number. */
const MOST_SOURCES = 4096;
/** Kinds of runs that change what a source holds. */
const TREND_KINDS: ReadonlySet<string> = new Set(['import', 'harvest', 'push']);
/** What readers look for; told even when no item has it. */
const EXPECTED_FIELDS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'creator',
  'publisher',
  'subject',
  'date',
  'time',
  'bbox',
  'identifier',
  'link',
  'rights',
  'type',
  'language',
]);

type QualityStore = Pick<GarnerStore, 'items' | 'runs' | 'admin'>;

interface Tally {
  /** Position among the sources. */
  readonly number: number;
  items: number;
  readonly present: Map<string, number>;
  readonly groups: DuplicateGroup[];
  readonly counts: Record<DuplicateKind, { groups: number; acrossSources: number }>;
}

/** What a report depends on: a run may fail, or refuse records, without any commit. */
export async function findState({
  admin,
  runs,
}: Pick<QualityStore, 'admin' | 'runs'>): Promise<Pick<QualityReport, 'seq' | 'lastRun'>> {
  const [newest] = await runs.listRuns({ limit: 1 });
  const { seq } = await admin.statistics();
  return { seq, lastRun: newest ? `${newest.id} ${newest.status}` : '' };
}

export async function makeQualityReport(
  store: QualityStore,
  fields: readonly FieldSpec[],
  now: Instant,
  signal?: AbortSignal,
): Promise<QualityReport> {
  // Before the first item is read: what changes meanwhile makes the report old, not wrong.
  const { seq, lastRun } = await findState(store);
  const tallies = new Map<string, Tally>();
  const finders: Record<DuplicateKind, DuplicateFinder> = {
    doi: new DuplicateFinder(),
    identifier: new DuplicateFinder(),
    title: new DuplicateFinder(),
  };
  for (let after = 0; ; ) {
    signal?.throwIfAborted();
    const items = await store.items.listLive(after, PAGE);
    for (const item of items) look(item, tallyOf(tallies, item.source), finders);
    if (items.length < PAGE) break;
    after = items.at(-1)?.key ?? after;
  }
  const byNumber = [...tallies.values()];
  for (const kind of DUPLICATE_KINDS) {
    for await (const { items } of finders[kind].groups()) {
      signal?.throwIfAborted();
      await noteGroup(store, kind, items, byNumber);
    }
  }
  const sources: Record<string, SourceQuality> = {};
  for (const { name } of await store.items.listSources())
    sources[name] = await describeSource(store, name, tallyOf(tallies, name), fields);
  return {
    seq,
    lastRun,
    madeAt: now,
    allCompared: DUPLICATE_KINDS.every((kind) => finders[kind].complete),
    sources,
  };
}

function tallyOf(tallies: Map<string, Tally>, source: string): Tally {
  let tally = tallies.get(source);
  if (!tally) {
    const none = () => ({ groups: 0, acrossSources: 0 });
    tally = {
      number: tallies.size,
      items: 0,
      present: new Map(),
      groups: [],
      counts: { doi: none(), identifier: none(), title: none() },
    };
    tallies.set(source, tally);
  }
  return tally;
}

function look(item: LiveItem, tally: Tally, finders: Record<DuplicateKind, DuplicateFinder>): void {
  tally.items++;
  for (const [name, values] of Object.entries(item.fields))
    if (values.length > 0) tally.present.set(name, (tally.present.get(name) ?? 0) + 1);
  const keys = duplicateKeys(item.identifier, item.fields);
  for (const kind of DUPLICATE_KINDS)
    for (const key of keys[kind])
      finders[kind].add(key, item.key * MOST_SOURCES + (tally.number % MOST_SOURCES));
}

/**
 * Groups are counted by what their keys tell. Of those that will be shown the first members are read
 * again, and compared in full, since two keys may have the same hash.
 */
async function noteGroup(
  store: QualityStore,
  kind: DuplicateKind,
  codes: readonly number[],
  tallies: readonly Tally[],
): Promise<void> {
  const touched = [...new Set(codes.map((code) => code % MOST_SOURCES))].flatMap(
    (number) => tallies[number] ?? [],
  );
  for (const tally of touched) {
    tally.counts[kind].groups++;
    if (touched.length > 1) tally.counts[kind].acrossSources++;
  }
  const open = touched.filter(({ groups }) => groups.length < MOST_GROUPS);
  if (open.length === 0) return;
  const members: LiveItem[] = [];
  for (const code of codes.slice(0, MOST_MEMBERS)) {
    const key = Math.floor(code / MOST_SOURCES);
    const [item] = await store.items.listLive(key - 1, 1);
    if (item?.key === key) members.push(item);
  }
  const [first, ...others] = members;
  const shared = first && sharedKey(kind, first, others);
  if (shared === undefined) return;
  const same = members.filter((item) => keysOf(kind, item).includes(shared));
  const group: DuplicateGroup = {
    kind,
    key: shared,
    size: codes.length - (members.length - same.length),
    members: same.map(({ source, identifier, fields }) => {
      const [title] = fields.title ?? [];
      return { source, identifier, ...(typeof title === 'string' && { title }) };
    }),
  };
  for (const { groups } of open) groups.push(group);
}

const keysOf = (kind: DuplicateKind, { identifier, fields }: LiveItem): readonly string[] =>
  duplicateKeys(identifier, fields)[kind];

/** Undefined when only their hashes were equal, or when they changed since. */
function sharedKey(kind: DuplicateKind, first: LiveItem, others: readonly LiveItem[]): string | undefined {
  return keysOf(kind, first).find((key) => others.some((item) => keysOf(kind, item).includes(key)));
}

async function describeSource(
  store: QualityStore,
  source: string,
  tally: Tally,
  fields: readonly FieldSpec[],
): Promise<SourceQuality> {
  const { current, keptOut } = await store.runs.countProblems(source);
  return {
    source,
    items: tally.items,
    fields: coverage(tally, fields),
    problems: groupByRule(current),
    keptOut: groupByRule(keptOut),
    duplicates: DUPLICATE_KINDS.map((kind) => ({ kind, ...tally.counts[kind] })),
    duplicateGroups: tally.groups,
    trend: await listTrend(store, source),
  };
}

function coverage(tally: Tally, fields: readonly FieldSpec[]): FieldCoverage[] {
  return fields
    .filter(({ name, stored }) => stored && (EXPECTED_FIELDS.has(name) || tally.present.has(name)))
    .map(({ name, label }) => ({ name, label, present: tally.present.get(name) ?? 0 }));
}

async function listTrend({ runs }: QualityStore, source: string): Promise<TrendPoint[]> {
  const listed = await runs.listRuns({ source, limit: 4 * TREND_RUNS });
  return listed
    .filter(({ kind, status }) => TREND_KINDS.has(kind) && status !== 'running')
    .slice(0, TREND_RUNS)
    .map(({ id, kind, status, startedAt, counts, problems, message }) => ({
      runId: id,
      kind,
      status,
      startedAt,
      counts,
      problems,
      ...(message !== undefined && { message }),
    }))
    .reverse();
}
