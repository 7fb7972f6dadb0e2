/** Why is this address here, at this weight, and why is it crawled or not? */
import { canonicalKey } from '../fusion/canonical.ts';
import { rankWorth } from '../fusion/fuse.ts';
import { refuse } from '../fusion/refuse.ts';
import type { SeedOutcome, TopicRun } from '../run/topic-run.ts';
import type { Assessment, Verdict } from './assess.ts';

export interface WeightPart {
  readonly engine: string;
  readonly rank: number;
  readonly worth: number;
}

export interface CandidateReasons {
  readonly url: string;
  readonly title?: string;
  /** In the ranking; absent for what was found in a document. */
  readonly position?: number;
  readonly weight: number;
  /** Their sum is the weight. */
  readonly weights: readonly WeightPart[];
  /** What it is, and why it is taken for that. */
  readonly kind: string;
  readonly kindReason: string;
  readonly verdict: Verdict;
  /** Addresses of candidates that link to it, or of documents that name it. */
  readonly linkedFrom: readonly string[];
  /** Of the list's crawl, as far as it was part of it. */
  readonly outcome?: SeedOutcome;
}

/** By any spelling of its address. */
export function hasCandidate({ candidates, found = [] }: TopicRun, address: string): boolean {
  const key = canonicalKey(address);
  return [...candidates, ...found].some((one) => one.key === key);
}

/** By any spelling of its address; undefined when the list does not have it. */
export function explainCandidate(
  list: TopicRun,
  { verdicts }: Assessment,
  address: string,
): CandidateReasons | undefined {
  if (refuse(address, true) !== undefined) return undefined;
  const key = canonicalKey(address);
  const verdict = verdicts.get(key);
  const facts = describeRanked(list, key) ?? describeFound(list, key);
  if (!facts || !verdict) return undefined;
  const outcome = list.crawl?.outcomes?.[key];
  return { ...facts, verdict, ...(outcome && { outcome }) };
}

type Facts = Omit<CandidateReasons, 'verdict' | 'outcome'>;

function describeRanked(list: TopicRun, key: string): Facts | undefined {
  const candidate = list.candidates.find((one) => one.key === key);
  if (!candidate) return undefined;
  const { url, title, position, weight, ranks, category, linkedFrom = [] } = candidate;
  const worth = rankWorth(list);
  return {
    url,
    ...(title !== undefined && { title }),
    position,
    weight,
    weights: Object.entries(ranks).map(([engine, rank]) => ({ engine, rank, worth: worth(rank) })),
    kind: category.kind,
    kindReason: category.reason,
    linkedFrom: linkedFrom.map((other) => list.candidates.find((one) => one.key === other)?.url ?? other),
  };
}

function describeFound({ found = [] }: TopicRun, key: string): Facts | undefined {
  const candidate = found.find((one) => one.key === key);
  if (!candidate) return undefined;
  const { url, title, kind, foundIn } = candidate;
  return {
    url,
    ...(title !== undefined && { title }),
    weight: 0,
    weights: [],
    kind,
    kindReason: `found in ${foundIn.map((place) => `the ${place.where} of ${place.url}`).join(', ')}`,
    linkedFrom: foundIn.map((place) => place.url),
  };
}
