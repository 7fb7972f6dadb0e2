/** Word queries as FTS5 MATCH expressions. Every word is quoted, so that none can be read as syntax. */
import type { PhraseStep, WordColumn, WordQuery } from './word-index.ts';

/** FTS5 looks at every child of an OR for every row. */
export const MAX_ALTERNATIVES = 32;
/** Phrases that alternatives of words may multiply to. */
const MAX_PHRASES = 32;

export function canExpress(query: WordQuery): boolean {
  switch (query.type) {
    case 'any':
      return query.words.length > 0 && query.words.length <= MAX_ALTERNATIVES;
    case 'prefix':
      return true;
    case 'phrase':
      return query.slop === 0 && countPhrases(query.steps) <= MAX_PHRASES;
    case 'without':
      return canExpress(query.of) && canExpress(query.not);
    default:
      return query.of.length > 0 && query.of.every(canExpress);
  }
}

/** Nested so deep at most, to stay far from the limits of FTS5's parser. */
const MAX_DEPTH = 10;

export function canNest(query: WordQuery): boolean {
  return depth(query) <= MAX_DEPTH && countLeaves(query) <= MAX_ALTERNATIVES;
}

/** Phrases in the FTS5 expression. */
export function countLeaves(query: WordQuery): number {
  switch (query.type) {
    case 'and':
    case 'or':
      return query.of.reduce((sum, part) => sum + countLeaves(part), 0);
    case 'without':
      return countLeaves(query.of) + countLeaves(query.not);
    case 'any':
      return query.words.length;
    case 'phrase':
      return countPhrases(query.steps);
    case 'prefix':
      return 1;
  }
}

function depth(query: WordQuery): number {
  switch (query.type) {
    case 'and':
    case 'or':
      return 1 + Math.max(...query.of.map(depth));
    case 'without':
      return 1 + Math.max(depth(query.of), depth(query.not));
    default:
      return 0;
  }
}

function countPhrases(steps: readonly PhraseStep[]): number {
  return steps.reduce((product, step) => product * step.words.length, 1);
}

export function writeMatch(query: WordQuery): string {
  switch (query.type) {
    case 'any': {
      // Named twice, the exact form counts twice.
      const words = query.exact === undefined ? query.words : [query.exact, ...query.words];
      return inColumn(query.column, words.map(quote).join(' OR '));
    }
    case 'prefix':
      return inColumn(query.column, `${quote(query.prefix)} *`);
    case 'phrase':
      return inColumn(
        query.column,
        listPhrases(query.steps)
          .map((words) => quote(words.join(' ')))
          .join(' OR '),
      );
    case 'without':
      return `(${writeMatch(query.of)} NOT ${writeMatch(query.not)})`;
    default:
      return `(${query.of.map(writeMatch).join(query.type === 'and' ? ' AND ' : ' OR ')})`;
  }
}

/**
 * A superset of a phrase's documents: for each step some word, near each other in any order. FTS5 counts
 * the tokens between the first and the last word, those of the phrase included.
 */
export function writeNear(column: WordColumn, steps: readonly PhraseStep[], slop: number): string {
  if (countPhrases(steps) > MAX_PHRASES) {
    return inColumn(column, steps.map(({ words }) => `(${words.map(quote).join(' OR ')})`).join(' AND '));
  }
  const distance = slop + Math.max(0, steps.length - 2);
  return inColumn(
    column,
    listPhrases(steps)
      .map((words) => `NEAR(${words.map(quote).join(' ')}, ${distance})`)
      .join(' OR '),
  );
}

function listPhrases(steps: readonly PhraseStep[]): string[][] {
  let phrases: string[][] = [[]];
  for (const { words } of steps)
    phrases = phrases.flatMap((phrase) => words.map((word) => [...phrase, word]));
  return phrases;
}

function inColumn(column: WordColumn, expression: string): string {
  return column === undefined ? `(${expression})` : `(c${column} : (${expression}))`;
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
