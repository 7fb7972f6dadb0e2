/**
 * Port inside the index: questions about words, answered as document keys. FTS5 stands behind it now;
 * an engine with postings of its own can take its place without touching the rest.
 */
import type { PatternPart } from '../../../query/wildcard.ts';

/** Number of a column of words; undefined: any of them. */
export type WordColumn = number | undefined;

/** One place of a phrase: any of these words; `name` stands for all of them (their stem, or the word). */
export interface PhraseStep {
  readonly name: string;
  readonly words: readonly string[];
}

export type WordQuery =
  /** `exact` is one of the words and weighs more than the others. */
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
    }
  | { readonly type: 'and' | 'or'; readonly of: readonly WordQuery[] }
  | { readonly type: 'without'; readonly of: WordQuery; readonly not: WordQuery };

/** Documents in ascending order of keys; `scores[i]` belongs to `docs[i]`. */
export interface RankedDocs {
  readonly docs: Uint32Array;
  readonly scores: Float32Array;
}

/** Words that a pattern stands for; `cut`: there were more. */
export interface Expansion {
  readonly words: readonly string[];
  readonly cut: boolean;
}

export interface WordIndex {
  /** Whether the query may become a part of `and`, `or` and `without`; if not, it is asked alone. */
  canCombine(query: WordQuery): boolean;
  /** About how long it would take, in milliseconds. */
  estimateMs(query: WordQuery, ranked: boolean): number;
  count(query: WordQuery): number;
  docs(query: WordQuery): Uint32Array;
  ranked(query: WordQuery): RankedDocs;

  /** Every indexed word with the same English stem, the word itself included. */
  listForms(word: string): readonly string[];
  expandPattern(parts: readonly PatternPart[]): Expansion;
  expandFuzzy(word: string, distance: number): Expansion;
  /** About how many documents have each word. */
  documentCounts(words: readonly string[]): Map<string, number>;
}
