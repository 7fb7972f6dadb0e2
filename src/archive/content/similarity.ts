/** How alike two texts are, by the runs of words that they share (Broder 1997): order counts, layout does not. */
import { splitWords } from '../../query/words.ts';

/** Words in a run. */
const RUN = 3;
/** Of very long texts the beginning stands for all. */
const MAX_WORDS = 50_000;

/** From 0, nothing in common, to 1, the same words in the same order; two empty texts are alike. */
export function textSimilarity(one: string, other: string): number {
  const a = shingles(one);
  const b = shingles(other);
  if (a.size === 0 && b.size === 0) return 1;
  let shared = 0;
  for (const run of a) if (b.has(run)) shared++;
  return shared / (a.size + b.size - shared);
}

/** A text that is shorter than a run is one. */
function shingles(text: string): Set<string> {
  const words = splitWords(text).slice(0, MAX_WORDS);
  const runs = new Set<string>();
  for (let at = 0; at + RUN <= words.length; at++) runs.add(words.slice(at, at + RUN).join(' '));
  if (runs.size === 0 && words.length > 0) runs.add(words.join(' '));
  return runs;
}
