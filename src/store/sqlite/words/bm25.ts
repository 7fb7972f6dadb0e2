/** Okapi BM25, as FTS5 computes it: sqlite.org/fts5.html#the_bm25_function. */
import type { FoundDocs } from './found-docs.ts';
import type { WordDocs } from './word-docs.ts';

const K1 = 1.2;
const B = 0.75;
/** Words that most documents have would weigh less than nothing. */
const MIN_IDF = 1e-6;

/** Adds `weight` times the score of one word (or phrase) to the scores of the documents that have it. */
export function addScores(
  { docs, frequencies, count }: FoundDocs,
  collection: WordDocs,
  scores: Float32Array,
  weight: number,
): void {
  const idf = Math.max(MIN_IDF, Math.log((collection.count - count + 0.5) / (count + 0.5)));
  const factor = weight * idf * (K1 + 1);
  const { lengths } = collection;
  const perWord = (K1 * B) / collection.averageLength;
  for (let i = 0; i < count; i++) {
    const doc = docs[i]!;
    const frequency = frequencies[i]!;
    scores[doc]! += (factor * frequency) / (frequency + K1 * (1 - B) + perWord * lengths[doc]!);
  }
}
