/** More like this: documents that share the words which say most about a document. */
import type { Fields } from '../../../core/model.ts';
import { splitWords } from '../../../query/words.ts';
import type { WordIndex, WordQuery } from './word-index.ts';

/** Words that make up the question. */
const MAX_WORDS = 12;
/** Words of one document that are weighed. */
const MAX_WEIGHED = 2000;
const MIN_LENGTH = 3;

/** Undefined when the document has no word that any other has. */
export function similarQuery(fields: Fields, index: WordIndex, documents: number): WordQuery | undefined {
  const frequencies = new Map<string, number>();
  for (const values of Object.values(fields)) {
    for (const value of values) {
      if (typeof value !== 'string') continue;
      for (const word of splitWords(value)) {
        if (word.length < MIN_LENGTH || /^\d+$/.test(word)) continue;
        if (frequencies.size < MAX_WEIGHED || frequencies.has(word)) {
          frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
        }
      }
    }
  }
  const counts = index.documentCounts([...frequencies.keys()]);
  const weighed: { word: string; weight: number }[] = [];
  for (const [word, frequency] of frequencies) {
    const count = counts.get(word) ?? 0;
    // Words of half the collection say nothing; words of this document alone lead nowhere.
    if (count < 2 || count * 2 > Math.max(documents, 4)) continue;
    weighed.push({ word, weight: Math.sqrt(frequency) * Math.log(1 + documents / count) });
  }
  weighed.sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1));
  if (weighed.length === 0) return undefined;
  return { type: 'any', column: undefined, words: weighed.slice(0, MAX_WORDS).map(({ word }) => word) };
}
