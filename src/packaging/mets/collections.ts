/** The two orders of a continuous archive: each site over time, and each day over the sites. */
import { GarnerError } from '../../core/errors.ts';
import { type Aggregate, type AggregateMember, aggregateParts } from './aggregates.ts';
import type { SnapshotEntry } from './list-snapshots.ts';
import { metsUrl, type Publisher } from './package-context.ts';

/** Where aggregators lead, when it is not to the addresses of this Garner. */
export interface AggregatePlaces {
  site(source: string, series: string): string;
  day(day: string): string;
  harvest(entry: SnapshotEntry): string;
}

/** Stable addresses, below the base URL. */
export const AGGREGATE_PATHS = {
  sites: '/mets/sites',
  site: (source: string, series: string) =>
    `/mets/sites/${encodeURIComponent(source)}/${encodeURIComponent(series)}`,
  days: '/mets/days',
  day: (day: string) => `/mets/days/${day}`,
} as const;

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const timeOf = (at: number): string => new Date(at).toISOString().replace('T', ' ').slice(0, 16);

/** All sites, each with its own aggregator. */
export function sitesAggregate(
  entries: readonly SnapshotEntry[],
  publisher: Publisher,
  places?: AggregatePlaces,
) {
  const sites = Map.groupBy(entries, ({ source, series }) => AGGREGATE_PATHS.site(source, series));
  return aggregateOf(publisher, entries, {
    path: AGGREGATE_PATHS.sites,
    title: `${publisher.name}: sites`,
    type: 'collection',
    genre: 'Web site collection',
    members: Array.from(sites, ([path, [first]]) => ({
      type: 'web site',
      label: first?.series ?? path,
      url: publisher.baseUrl + path,
      place: first && places?.site(first.source, first.series),
    })),
  });
}

/** One site as an intellectual object, with all its harvests. */
export function siteAggregate(
  entries: readonly SnapshotEntry[],
  publisher: Publisher,
  { source, series }: Pick<SnapshotEntry, 'source' | 'series'>,
  places?: AggregatePlaces,
) {
  const own = entries.filter((entry) => entry.source === source && entry.series === series);
  if (own.length === 0)
    throw new GarnerError('item.unknown', `there is no snapshot of "${series}" in "${source}"`);
  return aggregateOf(publisher, own, {
    path: AGGREGATE_PATHS.site(source, series),
    title: series,
    type: 'web site',
    genre: 'Web site',
    members: own.map((entry) => harvestMember(entry, publisher, places)),
  });
}

/** All days on which something was harvested. */
export function daysAggregate(
  entries: readonly SnapshotEntry[],
  publisher: Publisher,
  places?: AggregatePlaces,
) {
  const days = new Set(entries.map(({ startedAt }) => dayOf(startedAt)));
  return aggregateOf(publisher, entries, {
    path: AGGREGATE_PATHS.days,
    title: `${publisher.name}: days`,
    type: 'collection',
    genre: 'Web site collection',
    members: Array.from(days, (day) => ({
      type: 'day',
      label: day,
      url: publisher.baseUrl + AGGREGATE_PATHS.day(day),
      place: places?.day(day),
    })),
  });
}

/** One day, with the sites that were harvested on it. */
export function dayAggregate(
  entries: readonly SnapshotEntry[],
  publisher: Publisher,
  day: string,
  places?: AggregatePlaces,
) {
  const own = entries.filter(({ startedAt }) => dayOf(startedAt) === day);
  if (own.length === 0) throw new GarnerError('item.unknown', `nothing was harvested on ${day}`);
  return aggregateOf(publisher, own, {
    path: AGGREGATE_PATHS.day(day),
    title: `${publisher.name}: ${day}`,
    type: 'day',
    genre: 'Web site collection',
    members: own.map((entry) => harvestMember(entry, publisher, places)),
  });
}

const harvestMember = (
  entry: SnapshotEntry,
  publisher: Publisher,
  places: AggregatePlaces | undefined,
): AggregateMember => ({
  type: 'harvest',
  label: `${entry.series}, ${timeOf(entry.startedAt)}`,
  url: metsUrl(publisher, entry),
  place: places?.harvest(entry),
});

function aggregateOf(
  publisher: Publisher,
  entries: readonly SnapshotEntry[],
  { path, ...rest }: Omit<Aggregate, 'url' | 'createdAt' | 'captured'> & { readonly path: string },
) {
  const latest = (of: (entry: SnapshotEntry) => number): number =>
    entries.reduce((most, entry) => Math.max(most, of(entry)), 0);
  // They are sorted by their beginnings.
  const [first] = entries;
  return aggregateParts(
    {
      ...rest,
      url: publisher.baseUrl + path,
      createdAt: latest(({ datestampAt }) => datestampAt),
      ...(first && { captured: { startAt: first.startedAt, endAt: latest(({ endedAt }) => endedAt) } }),
    },
    publisher,
  );
}
