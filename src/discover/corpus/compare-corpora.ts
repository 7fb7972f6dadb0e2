/** What changed from one corpus to the next: documents new, gone and changed; words risen and fallen. */
import { isEmptyWord } from '../words/word-counts.ts';
import type { Corpus, CorpusDocument } from './corpus.ts';

export interface WordShift {
  readonly word: string;
  readonly before: number;
  readonly now: number;
  /** In a million words. */
  readonly rateBefore: number;
  readonly rateNow: number;
  /** Dunning's G²: how little it looks like chance; 3.84 is one case in twenty. */
  readonly surprise: number;
}

export interface CorpusChanges {
  readonly before: string;
  readonly added: readonly CorpusDocument[];
  readonly gone: readonly CorpusDocument[];
  readonly changed: readonly CorpusDocument[];
  readonly same: number;
  /** Most surprising first. */
  readonly risen: readonly WordShift[];
  readonly fallen: readonly WordShift[];
}

const MOST_WORDS = 50;
const LEAST_SURPRISE = 3.84;

export function compareCorpora(before: Corpus, now: Corpus): CorpusChanges {
  const old = new Map(before.documents.map((document) => [document.key, document]));
  const added: CorpusDocument[] = [];
  const changed: CorpusDocument[] = [];
  let same = 0;
  for (const document of now.documents) {
    const known = old.get(document.key);
    old.delete(document.key);
    if (!known) added.push(document);
    // By the text: bytes change with every banner and date in the markup.
    else if (known.text.digest === document.text.digest) same++;
    else changed.push(document);
  }
  const shifts = wordShifts(before, now).filter(({ surprise }) => surprise >= LEAST_SURPRISE);
  return {
    before: before.snapshot,
    added,
    gone: [...old.values()],
    changed,
    same,
    risen: shifts.filter(({ rateBefore, rateNow }) => rateNow > rateBefore).slice(0, MOST_WORDS),
    fallen: shifts.filter(({ rateBefore, rateNow }) => rateNow < rateBefore).slice(0, MOST_WORDS),
  };
}

function wordShifts(before: Corpus, now: Corpus): WordShift[] {
  const counts = new Map<string, [before: number, now: number]>();
  for (const { word, count } of before.words) counts.set(word, [count, 0]);
  for (const { word, count } of now.words) counts.set(word, [counts.get(word)?.[0] ?? 0, count]);
  const shifts: WordShift[] = [];
  for (const [word, [was, is]] of counts) {
    if (isEmptyWord(word) || was === is) continue;
    shifts.push({
      word,
      before: was,
      now: is,
      rateBefore: rateOf(was, before.wordCount),
      rateNow: rateOf(is, now.wordCount),
      surprise: surpriseOf(was, before.wordCount, is, now.wordCount),
    });
  }
  return shifts.sort((a, b) => b.surprise - a.surprise || (a.word < b.word ? -1 : 1));
}

const rateOf = (count: number, all: number): number => (all === 0 ? 0 : (count / all) * 1e6);

/** Dunning 1993, of two counts and the sizes of their texts. */
function surpriseOf(a: number, sizeA: number, b: number, sizeB: number): number {
  const expectedA = (sizeA * (a + b)) / (sizeA + sizeB);
  const expectedB = (sizeB * (a + b)) / (sizeA + sizeB);
  const part = (count: number, expected: number) =>
    count === 0 || expected === 0 ? 0 : count * Math.log(count / expected);
  return 2 * (part(a, expectedA) + part(b, expectedB));
}
