/** What changed since the run before: new, gone, risen, fallen. */
import type { Candidate, Change, GoneCandidate, TopicRun } from './topic-run.ts';

export function compareRuns(
  candidates: readonly Candidate[],
  before: TopicRun | undefined,
): { readonly candidates: readonly Candidate[]; readonly gone: readonly GoneCandidate[] } {
  if (!before) return { candidates, gone: [] };
  const places = new Map(before.candidates.map(({ key, position }) => [key, position]));
  const now = new Set(candidates.map(({ key }) => key));
  return {
    candidates: candidates.map((candidate) => {
      const old = places.get(candidate.key);
      return {
        ...candidate,
        change: changeOf(candidate.position, old),
        ...(old !== undefined && { positionBefore: old }),
      };
    }),
    gone: before.candidates
      .filter(({ key }) => !now.has(key))
      .map(({ url, key, position, weight }) => ({ url, key, position, weight })),
  };
}

function changeOf(position: number, before: number | undefined): Change {
  if (before === undefined) return 'new';
  if (position === before) return 'same';
  return position < before ? 'risen' : 'fallen';
}
