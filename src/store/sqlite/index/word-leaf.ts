/** Leaves of a query that ask for words, as word queries. */

import type { LeafNode } from '../../../query/resolve.ts';
import { escapePattern, parsePattern } from '../../../query/wildcard.ts';
import { foldWord, splitWords, stemWord } from '../../../query/words.ts';
import type { PhraseStep, WordColumn, WordIndex, WordQuery } from './word-index.ts';

/** Undefined: no document can match. */
export function wordLeaf(
  index: WordIndex,
  node: LeafNode,
  column: WordColumn,
  stemmed: boolean,
  note: (text: string) => void,
): WordQuery | undefined {
  switch (node.type) {
    case 'term':
      return termQuery(index, splitWords(node.text), column, stemmed);
    case 'phrase': {
      const words = splitWords(node.text);
      if (words.length < 2) return termQuery(index, words, column, false);
      return { type: 'phrase', column, steps: words.map(plainStep), slop: node.slop };
    }
    case 'wildcard': {
      const parts = parsePattern(node.pattern, foldWord);
      const [first, second] = parts;
      if (parts.length === 2 && typeof first === 'object' && second === 'run') {
        return { type: 'prefix', column, prefix: first.text };
      }
      const { words, cut } = index.expandPattern(parts);
      if (cut)
        note(
          `${node.pattern} stands for too many words: only the ${words.length} most frequent were searched`,
        );
      return anyOf(column, words);
    }
    case 'fuzzy': {
      const [word = ''] = splitWords(node.text);
      const { words, cut } = index.expandFuzzy(word, node.distance);
      if (cut) note(`${escapePattern(node.text)}~ was compared with a part of the words only`);
      return anyOf(column, words);
    }
    default:
      return undefined;
  }
}

function termQuery(
  index: WordIndex,
  words: readonly string[],
  column: WordColumn,
  stemmed: boolean,
): WordQuery | undefined {
  const [only, second] = words;
  if (only === undefined) return undefined;
  if (second === undefined) {
    const forms = stemmed ? index.listForms(only) : [only];
    return { ...anyOf(column, forms), exact: only };
  }
  const steps = stemmed
    ? words.map((word) => ({ name: stemWord(word), words: index.listForms(word) }))
    : words.map(plainStep);
  return { type: 'phrase', column, steps, slop: 0 };
}

function anyOf(column: WordColumn, words: readonly string[]): Extract<WordQuery, { type: 'any' }> {
  return { type: 'any', column, words };
}

function plainStep(word: string): PhraseStep {
  return { name: word, words: [word] };
}
