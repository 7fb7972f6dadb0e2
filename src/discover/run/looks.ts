/** Looks at addresses: those of an interrupted run are not taken again, and together they tell who links to whom. */
import type { Looked } from '../categories/look.ts';
import { canonicalKey } from '../fusion/canonical.ts';
import type { FusedCandidate } from '../fusion/fuse.ts';
import type { Candidate, TopicRun } from './topic-run.ts';

/** By key. */
export function keepLooks(interrupted: TopicRun | undefined): Map<string, Looked> {
  const looks = new Map<string, Looked>();
  const candidates = interrupted?.candidates ?? [];
  for (const candidate of candidates) {
    const looked = lookOf(candidate);
    if (!looked) continue;
    const linksTo = candidates.flatMap(({ key, linkedFrom = [] }) =>
      linkedFrom.includes(candidate.key) ? [key] : [],
    );
    looks.set(candidate.key, { ...looked, ...(linksTo.length > 0 && { linksTo: new Set(linksTo) }) });
  }
  return looks;
}

/** Undefined when nobody looked: a name or an engine tells the type as well. */
function lookOf({ category, landedAt, lookFailure, words }: Candidate): Looked | undefined {
  if (lookFailure !== undefined) return { failure: lookFailure };
  const { mediaType, by } = category;
  if (mediaType === undefined || (by !== 'content' && by !== 'header')) return undefined;
  return {
    look: { mediaType, by },
    ...(landedAt !== undefined && { landedAt }),
    ...(words && { words }),
  };
}

/** Keys of the candidates that link to a candidate, or to where it leads; by its key. */
export function linkedFromOf(
  candidates: readonly FusedCandidate[],
  looks: ReadonlyMap<string, Looked>,
): Map<string, readonly string[]> {
  const places = new Map<string, string>();
  for (const { key } of candidates) {
    const landedAt = looks.get(key)?.landedAt;
    if (landedAt !== undefined) places.set(canonicalKey(landedAt), key);
  }
  for (const { key } of candidates) places.set(key, key);
  const from = new Map<string, string[]>();
  for (const { key } of candidates)
    for (const link of looks.get(key)?.linksTo ?? []) {
      const target = places.get(link);
      if (target === undefined || target === key) continue;
      const known = from.get(target);
      if (!known) from.set(target, [key]);
      else if (!known.includes(key)) known.push(key);
    }
  return from;
}
