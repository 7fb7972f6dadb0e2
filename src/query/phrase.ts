/** Words in order, near each other, inside one value. */
import { WORD_GAP } from './words.ts';

/**
 * Whether `phrase` occurs in `words` in order, with at most `slop` other words in between altogether,
 * and without crossing a WORD_GAP. An empty phrase occurs nowhere.
 */
export function hasPhrase(words: readonly string[], phrase: readonly string[], slop: number): boolean {
  const first = phrase[0];
  if (first === undefined) return false;
  for (let start = words.indexOf(first); start >= 0; start = words.indexOf(first, start + 1)) {
    if (endsInTime(words, phrase, start, slop)) return true;
  }
  return false;
}

/** From a fixed start, taking each next word as early as possible leaves the fewest others in between. */
function endsInTime(
  words: readonly string[],
  phrase: readonly string[],
  start: number,
  slop: number,
): boolean {
  let place = start;
  let left = slop;
  for (let i = 1; i < phrase.length; i++) {
    place++;
    while (words[place] !== phrase[i]) {
      if (place >= words.length || words[place] === WORD_GAP || left === 0) return false;
      left--;
      place++;
    }
  }
  return true;
}
