/** Port inside the index: questions about words, answered as sets of documents. */
import type { PatternPart } from '../../../query/wildcard.ts';
import type { DocSet } from './doc-set.ts';

/** Number of a column of words; undefined: any of them. */
export type WordColumn = number | undefined;

/** One place of a phrase: any of these words; `name` stands for all of them (their stem, or the word). */
export interface PhraseStep {
  readonly name: string;
  readonly words: readonly string[];
}

export type WordQuery =
  /** `exact` is one of the words; the others weigh half as much. */
  | {
      readonly type: 'any';
      readonly column: WordColumn;
      readonly words: readonly string[];
      readonly exact?: string;
    }
  | { readonly type: 'prefix'; readonly column: WordColumn; readonly prefix: string }
  /** In this order within one value, at most `slop` other words in between altogether. */
  | {
      readonly type: 'phrase';
      readonly column: WordColumn;
      readonly steps: readonly PhraseStep[];
      readonly slop: number;
    };

/** Words that a pattern stands for; `cut`: there were more. */
export interface Expansion {
  readonly words: readonly string[];
  readonly cut: boolean;
}

export interface WordIndex {
  /** About how long it would take, in milliseconds. */
  estimateMs(query: WordQuery, ranked: boolean): number;
  docs(query: WordQuery): DocSet;
  /** The same documents; `weight` times how well each matches is added to its score, by key. */
  rank(query: WordQuery, scores: Float32Array, weight: number): DocSet;

  /** Every indexed word with the same English stem, the word itself included. */
  listForms(word: string): readonly string[];
  expandPattern(parts: readonly PatternPart[]): Expansion;
  expandFuzzy(word: string, distance: number): Expansion;
  /** How many documents have each word; those that were replaced since the last merge count, too. */
  documentCounts(words: readonly string[]): Map<string, number>;
}
