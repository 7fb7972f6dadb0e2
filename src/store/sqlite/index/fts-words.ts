/** The word index on FTS5. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { GarnerError } from '../../../core/errors.ts';
import { hasPhrase } from '../../../query/phrase.ts';
import type { PatternPart } from '../../../query/wildcard.ts';
import { canExpress, canNest, countLeaves, MAX_ALTERNATIVES, writeMatch, writeNear } from './fts-query.ts';
import { readArray, TermTable } from './term-table.ts';
import type { Expansion, PhraseStep, RankedDocs, WordColumn, WordIndex, WordQuery } from './word-index.ts';

/**
 * Key and score travel in one integer below 2⁵³; the score takes the low 20 bits, as a logarithm, since
 * FTS5 gives words that most documents have a weight of 10⁻⁶.
 */
const SCORE_SLOTS = 1 << 20;
const SCORE_SCALE = 1e7;
const SLOT_BITS = 15;
const SLOTS_PER_DOUBLING = 1 << SLOT_BITS;
/** 2^(i / SLOTS_PER_DOUBLING); powers cost as much as all the rest of unpacking. */
const FRACTIONS = Float64Array.from({ length: SLOTS_PER_DOUBLING }, (_, i) => 2 ** (i / SLOTS_PER_DOUBLING));
const POWERS = Float64Array.from({ length: SCORE_SLOTS >> SLOT_BITS }, (_, i) => 2 ** i);

function unpackScore(slot: number): number {
  return (FRACTIONS[slot & (SLOTS_PER_DOUBLING - 1)]! * POWERS[slot >> SLOT_BITS]! - 1) / SCORE_SCALE;
}

/** Words asked in one MATCH when the documents of many words are united. */
const UNION_CHUNK = 8;
/** Documents whose words are read back to see whether a phrase stands in order. */
const MAX_CHECKED = 5000;

/** Milliseconds, measured on two cores with 500,000 records of 1.6 KB; postings are (word, document) pairs. */
const COST = {
  posting: 0.00005,
  /** Every alternative is looked at for every hit. */
  child: 0.000004,
  prefixPosting: 0.00018,
  hit: 0.00003,
  rankedHit: 0.0005,
  rankedPosting: 0.0003,
  check: 0.06,
};

interface Work {
  postings: number;
  prefixPostings: number;
  /** Documents at most. */
  hits: number;
  /** Documents whose words are read back. */
  checked: number;
}

type PhraseQuery = Extract<WordQuery, { type: 'phrase' }>;

export class FtsWords implements WordIndex {
  readonly #terms: TermTable;
  readonly #size: () => number;
  readonly #readWords: (key: number) => Readonly<Record<string, string>>;
  readonly #columnName: (column: number) => string | undefined;
  readonly #count: StatementSync;
  readonly #docs: StatementSync;
  readonly #ranked: StatementSync;

  /** `readWords` gives a document's words as they were indexed; `columnName` the field of a column of words. */
  constructor(
    db: DatabaseSync,
    options: {
      readonly weights: readonly number[];
      readonly size: () => number;
      readonly readWords: (key: number) => Readonly<Record<string, string>>;
      readonly columnName: (column: number) => string | undefined;
    },
  ) {
    this.#terms = new TermTable(db);
    this.#size = options.size;
    this.#readWords = options.readWords;
    this.#columnName = options.columnName;
    this.#count = db.prepare('SELECT count(*) AS hits FROM words WHERE words MATCH ?');
    this.#docs = db.prepare('SELECT json_group_array(rowid) AS docs FROM words WHERE words MATCH ?');
    const weights = options.weights.map((weight) => weight.toFixed(4)).join(', ');
    // LIMIT -1 keeps the inner query apart, so that bm25 is computed once per row.
    this.#ranked = db.prepare(
      `SELECT json_group_array(key * ${SCORE_SLOTS}
         + min(${SCORE_SLOTS - 1}, CAST(log2(1 - score * ${SCORE_SCALE}) * ${SLOTS_PER_DOUBLING} AS INTEGER))) AS docs
       FROM (SELECT rowid AS key, bm25(words, ${weights}) AS score FROM words WHERE words MATCH ? LIMIT -1 OFFSET 0)`,
    );
  }

  canCombine(query: WordQuery): boolean {
    return canExpress(query) && canNest(query);
  }

  estimateMs(query: WordQuery, ranked: boolean): number {
    const work = this.#work(query);
    let cost = COST.child * work.hits * Math.min(countLeaves(query), MAX_ALTERNATIVES);
    cost += COST.posting * work.postings + COST.prefixPosting * work.prefixPostings + COST.hit * work.hits;
    cost += COST.check * work.checked;
    if (ranked) {
      const postings = work.postings + work.prefixPostings;
      cost += COST.rankedHit * work.hits + COST.rankedPosting * Math.min(postings, work.hits * 10);
    }
    return cost;
  }

  count(query: WordQuery): number {
    if (!canExpress(query)) return this.docs(query).length;
    return Number(this.#count.get(writeMatch(query))?.hits ?? 0);
  }

  docs(query: WordQuery): Uint32Array {
    if (canExpress(query)) return this.#match(writeMatch(query));
    if (query.type === 'any') return this.#unite(query.column, query.words);
    if (query.type === 'phrase') return this.#checkedPhrase(query);
    throw new GarnerError('internal.bug', `a query of type ${query.type} was combined that cannot be`);
  }

  ranked(query: WordQuery): RankedDocs {
    if (canExpress(query)) return this.#rank(writeMatch(query));
    const docs = this.docs(query);
    if (query.type !== 'phrase' || docs.length === 0) return { docs, scores: new Float32Array(docs.length) };
    const near = this.#rank(writeNear(query.column, query.steps, query.slop));
    const scores = new Float32Array(docs.length);
    let next = 0;
    for (let i = 0; i < near.docs.length && next < docs.length; i++) {
      if (near.docs[i] === docs[next]) scores[next++] = near.scores[i]!;
    }
    return { docs, scores };
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
    return this.#terms.documentCounts(words);
  }

  #match(expression: string): Uint32Array {
    return Uint32Array.from(readArray<number>(this.#docs.get(expression)?.docs));
  }

  #rank(expression: string): RankedDocs {
    const packed = readArray<number>(this.#ranked.get(expression)?.docs);
    const docs = new Uint32Array(packed.length);
    const scores = new Float32Array(packed.length);
    for (let i = 0; i < packed.length; i++) {
      const value = packed[i]!;
      const key = Math.floor(value / SCORE_SLOTS);
      docs[i] = key;
      scores[i] = unpackScore((value - key * SCORE_SLOTS) | 0);
    }
    return { docs, scores };
  }

  #unite(column: WordColumn, words: readonly string[]): Uint32Array {
    const seen = new Uint8Array(this.#size());
    let count = 0;
    for (let i = 0; i < words.length; i += UNION_CHUNK) {
      for (const key of this.#match(
        writeMatch({ type: 'any', column, words: words.slice(i, i + UNION_CHUNK) }),
      )) {
        if (seen[key]) continue;
        seen[key] = 1;
        count++;
      }
    }
    const docs = new Uint32Array(count);
    for (let key = 0, next = 0; next < count; key++) if (seen[key]) docs[next++] = key;
    return docs;
  }

  /** FTS5 finds words near each other; whether they stand in order, their stored places decide. */
  #checkedPhrase({ column, steps, slop }: PhraseQuery): Uint32Array {
    const near = this.#match(writeNear(column, steps, slop));
    const adjacent: PhraseQuery = { type: 'phrase', column, steps, slop: 0 };
    const certain = new Set(canExpress(adjacent) ? this.#match(writeMatch(adjacent)) : []);
    if (near.length - certain.size > MAX_CHECKED) {
      throw new GarnerError(
        'query.too-broad',
        `the words of the phrase stand near each other in ${near.length} documents; ask for fewer words between them or add a filter`,
        { details: { documents: near.length, limit: MAX_CHECKED } },
      );
    }
    const names = new Map(steps.flatMap(({ name, words }) => words.map((word) => [word, name] as const)));
    const phrase = steps.map(({ name }) => name);
    return near.filter((key) => certain.has(key) || this.#stands(key, column, names, phrase, slop));
  }

  #stands(
    key: number,
    column: WordColumn,
    names: ReadonlyMap<string, string>,
    phrase: readonly string[],
    slop: number,
  ): boolean {
    const lines = this.#readWords(key);
    const wanted = column === undefined ? undefined : this.#columnName(column);
    return Object.entries(lines).some(
      ([field, line]) =>
        (wanted === undefined || field === wanted) &&
        hasPhrase(
          line.split(' ').map((word) => names.get(word) ?? word),
          phrase,
          slop,
        ),
    );
  }

  #work(query: WordQuery): Work {
    switch (query.type) {
      case 'any':
        return this.#workOfWords(query.words);
      case 'prefix': {
        const { postings, words } = this.#terms.prefixPostings(query.prefix);
        const prefixPostings = postings * 1.15 + words * 4;
        return { postings: 0, prefixPostings, hits: Math.min(this.#size(), prefixPostings), checked: 0 };
      }
      case 'phrase':
        return this.#workOfPhrase(query.steps, query.slop);
      case 'without': {
        const of = this.#work(query.of);
        const not = this.#work(query.not);
        return {
          postings: of.postings + not.postings,
          prefixPostings: of.prefixPostings + not.prefixPostings,
          hits: of.hits,
          checked: 0,
        };
      }
      default: {
        const parts = query.of.map((part) => this.#work(part));
        const sum = { postings: 0, prefixPostings: 0, hits: 0, checked: 0 };
        for (const part of parts) {
          sum.postings += part.postings;
          sum.prefixPostings += part.prefixPostings;
          sum.hits += part.hits;
        }
        const most = query.type === 'and' ? Math.min(...parts.map(({ hits }) => hits)) : this.#size();
        return { ...sum, hits: Math.min(sum.hits, most) };
      }
    }
  }

  /** Counts in the table lag behind by an eighth at most. */
  #workOfWords(words: readonly string[]): Work {
    let postings = words.length * 8;
    for (const count of this.#terms.documentCounts(words).values()) postings += count * 1.15;
    const many = words.length > MAX_ALTERNATIVES;
    const hits = Math.min(this.#size(), postings);
    return many
      ? { postings: 0, prefixPostings: postings, hits, checked: 0 }
      : { postings, prefixPostings: 0, hits, checked: 0 };
  }

  #workOfPhrase(steps: readonly PhraseStep[], slop: number): Work {
    const parts = steps.map(({ words }) => this.#workOfWords(words));
    const postings = parts.reduce((sum, part) => sum + part.postings, 0);
    const hits = Math.min(...parts.map((part) => part.hits));
    // Positions are read too; unordered candidates are checked one by one.
    const checked = slop > 0 ? Math.min(hits / 20, MAX_CHECKED) : 0;
    return { postings: postings * (slop > 0 ? 3 : 2), prefixPostings: 0, hits: hits / 4, checked };
  }
}
