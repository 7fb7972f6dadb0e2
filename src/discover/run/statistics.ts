/** What a list looks like as a whole: domains, top-level domains, kinds, and how far engines agree. */
import { getDomain, getPublicSuffix } from 'tldts';
import type { Candidate, TopicRun } from './topic-run.ts';

export interface Share {
  readonly name: string;
  readonly count: number;
}

export interface Overlap {
  readonly engines: readonly string[];
  /** Row by column: addresses that both engines gave; the diagonal has all of one engine. */
  readonly shared: readonly (readonly number[])[];
  /** Addresses that so many engines agree on, from 1. */
  readonly agreement: readonly number[];
}

export interface TopicStatistics {
  /** Most frequent first. */
  readonly topLevel: readonly Share[];
  readonly domains: readonly Share[];
  readonly kinds: readonly Share[];
  readonly html: number;
  readonly other: number;
  readonly overlap: Overlap;
}

export function topicStatistics(run: Pick<TopicRun, 'candidates' | 'engines'>): TopicStatistics {
  const { candidates, engines } = run;
  const hosts = [...new Set(candidates.map(({ url }) => new URL(url).hostname))];
  const html = candidates.filter(({ category }) => category.html).length;
  return {
    // Hosts count once, as in the table of the text: many pages of one host show no variety.
    topLevel: countNames(hosts.map(topLevelOf)),
    domains: countNames(candidates.map(({ url }) => getDomain(url) ?? new URL(url).hostname)),
    kinds: countNames(candidates.map(({ category }) => category.kind)),
    html,
    other: candidates.length - html,
    overlap: overlapOf(
      engines.map(({ name }) => name),
      candidates,
    ),
  };
}

const topLevelOf = (host: string): string => {
  const suffix = getPublicSuffix(host);
  return suffix === null ? 'none' : `.${suffix.split('.').at(-1) ?? suffix}`;
};

function countNames(names: readonly string[]): Share[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

function overlapOf(engines: readonly string[], candidates: readonly Candidate[]): Overlap {
  const shared = engines.map((row) =>
    engines.map(
      (column) =>
        candidates.filter(({ ranks }) => Object.hasOwn(ranks, row) && Object.hasOwn(ranks, column)).length,
    ),
  );
  const agreement = engines.map(
    (_, i) => candidates.filter(({ ranks }) => Object.keys(ranks).length === i + 1).length,
  );
  return { engines, shared, agreement };
}
