/** The word index on postings of our own. */
import type { DatabaseSync } from 'node:sqlite';
import type { PatternPart } from '../../../query/wildcard.ts';
import { DocSet } from '../index/doc-set.ts';
import { TermTable } from '../index/term-table.ts';
import type { Expansion, WordColumn, WordIndex, WordQuery } from '../index/word-index.ts';
import { addScores } from './bm25.ts';
import { FoundDocs } from './found-docs.ts';
import { matchPhrase } from './phrase-match.ts';
import { readPostings } from './postings.ts';
import { compareBytes, encodeWord } from './word-bytes.ts';
import type { OpenSegment, WordReader } from './word-reader.ts';

/** Of other forms of a word than the one that was asked for. */
const FORM_WEIGHT = 0.5;
/** More words than this (of a pattern) are scored as if they were one. */
const MAX_SCORED = 32;

/** Counts of words may have doubled since they were written; most have not. */
const GROWTH = 1.5;

/** Milliseconds, measured on two cores with 500,000 records of 1.8 KB; postings are (word, document) pairs. */
const COST = {
  posting: 0.00001,
  scoredPosting: 0.000016,
  place: 0.00002,
  /** Looking a word up in one segment. */
  lookup: 0.012,
};

export class PostingWords implements WordIndex {
  readonly #reader: WordReader;
  readonly #terms: TermTable;
  readonly #weights: Float32Array;
  readonly #size: () => number;
  readonly #found = new FoundDocs();

  /** `size`: all keys lie below. The reader must show the state of the transaction that asks. */
  constructor(
    db: DatabaseSync,
    reader: WordReader,
    options: { readonly weights: readonly number[]; readonly size: () => number },
  ) {
    this.#terms = new TermTable(db);
    this.#reader = reader;
    this.#weights = Float32Array.from(options.weights);
    this.#size = options.size;
  }

  estimateMs(query: WordQuery, ranked: boolean): number {
    const posting = ranked ? COST.scoredPosting : COST.posting;
    const lookup = COST.lookup * Math.max(1, this.#reader.segments.length);
    const countOf = (words: readonly string[]) => GROWTH * sum(this.#terms.documentCounts(words).values());
    switch (query.type) {
      case 'any':
        return countOf(query.words) * posting + query.words.length * lookup;
      case 'prefix':
        return GROWTH * this.#terms.prefixPostings(query.prefix).postings * posting + lookup;
      case 'phrase': {
        const words = query.steps.flatMap((step) => step.words);
        return countOf(words) * COST.place + words.length * lookup;
      }
    }
  }

  docs(query: WordQuery): DocSet {
    return this.#answer(query, undefined, 0);
  }

  rank(query: WordQuery, scores: Float32Array, weight: number): DocSet {
    return this.#answer(query, scores, weight);
  }

  listForms(word: string): readonly string[] {
    return this.#terms.listForms(word);
  }

  expandPattern(parts: readonly PatternPart[]): Expansion {
    return this.#terms.expandPattern(parts);
  }

  expandFuzzy(word: string, distance: number): Expansion {
    return this.#terms.expandFuzzy(word, distance);
  }

  documentCounts(words: readonly string[]): Map<string, number> {
    const wanted = words.map((word) => ({ word, bytes: encodeWord(word), count: 0 }));
    wanted.sort((a, b) => compareWords(a.bytes, b.bytes));
    for (const { cursor } of this.#reader.segments) {
      for (const entry of wanted) if (cursor.find(entry.bytes)) entry.count += cursor.df;
    }
    return new Map(wanted.map(({ word, count }) => [word, count]));
  }

  #answer(query: WordQuery, scores: Float32Array | undefined, weight: number): DocSet {
    const set = new DocSet(this.#size());
    const take = (factor = 1) => {
      this.#addTo(set);
      if (scores) addScores(this.#found, this.#reader.docs, scores, weight * factor);
    };
    switch (query.type) {
      case 'any': {
        if (query.words.length > MAX_SCORED)
          return this.#together(query.column, sorted(query.words), false, scores, weight);
        for (const word of query.words) {
          this.#found.clear();
          const bytes = encodeWord(word);
          for (const open of this.#reader.segments) {
            if (open.cursor.find(bytes)) this.#collect(open, query.column);
          }
          take(query.exact === undefined || word === query.exact ? 1 : FORM_WEIGHT);
        }
        return set;
      }
      case 'prefix':
        return this.#together(query.column, [encodeWord(query.prefix)], true, scores, weight);
      case 'phrase': {
        this.#found.clear();
        const steps = query.steps.map(({ words }) => words.map(encodeWord));
        for (const open of this.#reader.segments) {
          matchPhrase(open, { ...query, steps }, this.#weights, (doc, frequency) =>
            this.#found.add(doc, frequency),
          );
        }
        take();
        return set;
      }
    }
  }

  /** Many words, or all that begin with one of these, as if they were one word. */
  #together(
    column: WordColumn,
    words: readonly Uint8Array[],
    asPrefixes: boolean,
    scores: Float32Array | undefined,
    weight: number,
  ): DocSet {
    const found = this.#found;
    const set = new DocSet(this.#size());
    const sums = scores && new Float32Array(this.#size());
    const takeIn = (open: OpenSegment) => {
      found.clear();
      this.#collect(open, column);
      this.#addTo(set);
      if (sums) for (let i = 0; i < found.count; i++) sums[found.docs[i]!]! += found.frequencies[i]!;
    };
    for (const open of this.#reader.segments) {
      const { cursor } = open;
      for (const word of words) {
        if (!asPrefixes) {
          if (cursor.find(word)) takeIn(open);
          continue;
        }
        for (let more = cursor.seek(word); more && cursor.startsWith(word); more = cursor.next())
          takeIn(open);
      }
    }
    if (scores && sums) {
      found.clear();
      const keys = set.keys();
      found.reserve(keys.length);
      for (const key of keys) found.add(key, sums[key]!);
      addScores(found, this.#reader.docs, scores, weight);
    }
    return set;
  }

  /** Adds the documents of the word that the segment's cursor stands at. */
  #collect({ segment, cursor, validity }: OpenSegment, column: WordColumn): void {
    const found = this.#found;
    found.reserve(cursor.df);
    found.count = readPostings(
      segment.postings(cursor),
      segment.row.base,
      validity,
      column,
      this.#weights,
      found.docs,
      found.frequencies,
      found.count,
    );
  }

  #addTo(set: DocSet): void {
    const { docs, count } = this.#found;
    for (let i = 0; i < count; i++) set.add(docs[i]!);
  }
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

/** In the order of dictionaries, so that each is gone through once. */
function sorted(words: readonly string[]): Uint8Array[] {
  return words.map(encodeWord).sort(compareWords);
}

function compareWords(a: Uint8Array, b: Uint8Array): number {
  return compareBytes(a, 0, a.length, b, 0, b.length);
}
