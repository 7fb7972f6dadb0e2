/**
 * Records of projects, collections and granules, and the snapshots of web pages that document them. What ties them
 * is the topic's acronym: the series of a snapshot; the project of a record, its identifier, or how that begins.
 * Nothing is stored: whatever comes first, the other one finds it.
 */
import { OPERATOR, type Viewer } from '../../core/access.ts';
import type { Fields, ItemRef } from '../../core/model.ts';
import type { QueryNode } from '../../query/ast.ts';
import { foldValue } from '../../query/words.ts';
import type { GarnerStore, Hit, StoredItem } from '../../store/index.ts';

export interface LinkedItems {
  /** `documents`: the item is a snapshot, and these are records. */
  readonly direction: 'documents' | 'documented-by';
  readonly items: readonly Pick<Hit, keyof ItemRef | 'key' | 'title' | 'oaiIdentifier'>[];
  readonly total: number;
}

export interface SnapshotLinks {
  of(item: Pick<StoredItem, 'fields'>, viewer: Viewer): Promise<LinkedItems | undefined>;
  /** OAI identifiers of the others; undefined at once where there cannot be any. `before`: see `RelateRecord`. */
  readonly relate: (
    fields: Fields,
    viewer: Viewer,
    before?: number,
  ) => Promise<readonly string[]> | undefined;
}

const SHOWN = 50;
/** Of these the first to come are told as relations. */
const RELATED = 1000;
const MOST_SERIES = 100_000;
/** A new series is seen after this long. */
const KNOWN_MS = 10_000;
/** What may follow an acronym in an identifier: `ISCCP_D2`, `ISCCP.cloud`, `ISCCP-H`. */
const DIVIDERS = ['_', '.', '-', ':'] as const;

export function createSnapshotLinks({ search }: Pick<GarnerStore, 'search'>): SnapshotLinks {
  let known: KnownSeries | undefined;
  const find = async (fields: Fields, viewer: Viewer, limit = SHOWN): Promise<LinkedItems | undefined> => {
    const [series] = textsOf(fields, 'series');
    const query = series === undefined ? snapshotsOf(acronymsIn(fields)) : recordsOf(series);
    if (!query) return undefined;
    const { hits, total } = await search.search(
      { query, limit, fields: [], sort: { by: 'captured', direction: 'desc' } },
      viewer,
    );
    const direction = series === undefined ? 'documented-by' : 'documents';
    return total === 0 ? undefined : { direction, items: hits, total };
  };
  return {
    of: ({ fields }, viewer) => find(fields, viewer),
    relate: (fields, viewer, before) => {
      if (fields.series) return identifiersOf(find(fields, viewer, RELATED), before);
      const acronyms = acronymsIn(fields);
      if (acronyms.length === 0 || known?.hasNone(acronyms)) return undefined;
      return identifiersOf(
        getKnown().then((series) => (series.hasNone(acronyms) ? undefined : find(fields, viewer, RELATED))),
        before,
      );
    },
  };

  /** Lists of OAI-PMH ask for every record; most have no snapshot. */
  async function getKnown(): Promise<KnownSeries> {
    if (known && !known.isOld()) return known;
    const { facets } = await search.search(
      {
        query: { type: 'exists', field: 'series' },
        limit: 0,
        facets: [{ field: 'series', limit: MOST_SERIES }],
      },
      OPERATOR,
    );
    known = knownSeries((facets.series ?? []).map(({ value }) => value));
    return known;
  }
}

interface KnownSeries {
  isOld(): boolean;
  /** False, too, when that is no longer sure. */
  hasNone(acronyms: readonly string[]): boolean;
}

function knownSeries(names: readonly string[]): KnownSeries {
  const folded = new Set(names.map(foldValue));
  const readAt = performance.now();
  const isOld = () => performance.now() - readAt > KNOWN_MS;
  return { isOld, hasNone: (acronyms) => !isOld() && !acronyms.some((name) => folded.has(foldValue(name))) };
}

/** In the order in which they came: those that come later change nothing. */
const identifiersOf = async (
  linked: Promise<LinkedItems | undefined>,
  before = Number.POSITIVE_INFINITY,
): Promise<readonly string[]> =>
  ((await linked)?.items ?? [])
    .filter(({ key }) => key < before)
    .toSorted((a, b) => a.key - b.key)
    .slice(0, SHOWN)
    .map(({ oaiIdentifier }) => oaiIdentifier);

const textsOf = (fields: Fields, name: string): string[] =>
  (fields[name] ?? []).filter((value) => typeof value === 'string');

/** Of a record: its projects, and what its identifiers begin with. */
function acronymsIn(fields: Fields): string[] {
  if (fields.captured) return [];
  const projects = textsOf(fields, 'project').map((name) => name.split(/\s*>\s*/)[0] ?? name);
  const identifiers = textsOf(fields, 'identifier')
    .filter((identifier) => !/[/\s]/.test(identifier))
    .flatMap((identifier) => [identifier, identifier.split(/[_.:-]/)[0] ?? '']);
  const found = [...projects, ...identifiers].filter((acronym) => acronym.length > 1 && acronym.length < 100);
  return [...new Map(found.map((acronym) => [foldValue(acronym), acronym])).values()].slice(0, 20);
}

function snapshotsOf(acronyms: readonly string[]): QueryNode | undefined {
  if (acronyms.length === 0) return undefined;
  return { type: 'or', of: acronyms.map((value) => ({ type: 'value', field: 'series', value })) };
}

function recordsOf(series: string): QueryNode {
  const literal = series.replace(/[*?\\]/g, '\\$&');
  const isRecord: QueryNode = {
    type: 'or',
    of: [
      { type: 'value', field: 'project', value: series },
      { type: 'value', field: 'identifier', value: series },
      ...DIVIDERS.map(
        (divider) => ({ type: 'wildcard', field: 'identifier', pattern: `${literal}${divider}*` }) as const,
      ),
    ],
  };
  return { type: 'and', of: [isRecord, { type: 'not', of: { type: 'exists', field: 'captured' } }] };
}
