/** Why is this address here, at this weight, and why is it crawled or not? */
import { canonicalKey } from '../fusion/canonical.ts';
import { rankWorth } from '../fusion/fuse.ts';
import { refuse } from '../fusion/refuse.ts';
import type { Candidate, SeedOutcome, TopicRun } from '../run/topic-run.ts';
import type { Assessment, Verdict } from './assess.ts';

export interface WeightPart {
  readonly engine: string;
  readonly rank: number;
  readonly worth: number;
}

export interface CandidateReasons {
  readonly candidate: Candidate;
  /** Their sum is the weight. */
  readonly weights: readonly WeightPart[];
  readonly verdict: Verdict;
  /** Addresses of candidates that link to it. */
  readonly linkedFrom: readonly string[];
  /** Of the list's crawl, as far as it was part of it. */
  readonly outcome?: SeedOutcome;
}

/** By any spelling of its address; undefined when the list does not have it. */
export function explainCandidate(
  list: TopicRun,
  { verdicts }: Assessment,
  address: string,
): CandidateReasons | undefined {
  if (refuse(address, true) !== undefined) return undefined;
  const key = canonicalKey(address);
  const candidate = list.candidates.find((one) => one.key === key);
  const verdict = verdicts.get(key);
  if (!candidate || !verdict) return undefined;
  const worth = rankWorth(list);
  const outcome = list.crawl?.outcomes?.[key];
  return {
    candidate,
    weights: Object.entries(candidate.ranks).map(([engine, rank]) => ({ engine, rank, worth: worth(rank) })),
    verdict,
    linkedFrom: (candidate.linkedFrom ?? []).map(
      (other) => list.candidates.find((one) => one.key === other)?.url ?? other,
    ),
    ...(outcome && { outcome }),
  };
}
