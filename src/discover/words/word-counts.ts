/** How often each word stands in a text. Words are those of the search index. */
import { splitWords } from '../../query/words.ts';

export type WordCounts = ReadonlyMap<string, number>;

/** English words that stand in every text and tell nothing of it. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    'a about above after again all also am an and any are as at be because been before being below between both but by ' +
    'can could did do does doing down during each few for from further had has have having he her here hers him his how ' +
    'i if in into is it its just may me more most must my no nor not now of off on once only or other our ours out over ' +
    'own per same shall she should so some such than that the their theirs them then there these they this those through ' +
    'to too under until up upon us very via was we were what when where which while who whom why will with would you your'
  ).split(' '),
);

/** Single letters, numbers and words that every text has. */
export const isEmptyWord = (word: string): boolean =>
  word.length < 2 || /^\d+$/.test(word) || EMPTY_WORDS.has(word);

export function countWords(texts: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const word of splitWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** The most frequent first; of equal ones by the alphabet. */
export function sortCounts(counts: WordCounts): [word: string, count: number][] {
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}

/** The telling words, so many at most. */
export function tellingWords(texts: Iterable<string>, most: number): Record<string, number> {
  return Object.fromEntries(
    sortCounts(countWords(texts))
      .filter(([word]) => !isEmptyWord(word))
      .slice(0, most),
  );
}
