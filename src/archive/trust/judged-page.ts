/** A page as the rules of trust look at it. */
import { getDomain } from 'tldts';
import type { Doubt, JudgedElement } from '../../formats/web-capture.ts';
import { fold, splitWords } from '../../query/words.ts';
import type { ContentReading } from '../content/index.ts';

export interface JudgedPage {
  readonly url: string;
  readonly capturedAt: number;
  readonly reading: ContentReading;
  readonly text: TextWords;
}

/** Values that a page states for an element; those of a list are judged together. */
export interface Claim {
  readonly element: JudgedElement;
  readonly values: readonly string[];
}

/** `weight`: how much of the trust is lost by it, from 0 to 1. */
export type WeighedDoubt = Doubt & { readonly weight: number };

/** Undefined when the rule has nothing to say against the claim. */
export type TrustRule = (claim: Claim, page: JudgedPage) => WeighedDoubt | undefined;

export interface TextWords {
  readonly count: number;
  /** Whether the text has the folded word; of words from six letters on with any ending. */
  has(word: string): boolean;
}

/** With fewer words a page is a picture, a frame, a door. */
const FEWEST_WORDS = 40;
const STEM = 5;
/** Words beyond tell nothing new. */
const MOST_CHARACTERS = 200_000;
const OF_A_WORD = /[\p{L}\p{N}\p{M}]/u;
const ALWAYS_ALONE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Pages have thousands of words and say few of themselves: those are looked for, nothing is made of the others. */
export function wordsOfText(text: string, count: number): TextWords {
  const folded = fold(text.slice(0, MOST_CHARACTERS));
  return { count, has: (word) => hasWord(folded, word) };
}

function hasWord(folded: string, word: string): boolean {
  if (ALWAYS_ALONE.test(word)) return folded.includes(word);
  const isLong = word.length > STEM;
  const sought = isLong ? word.slice(0, STEM) : word;
  for (let at = folded.indexOf(sought); at >= 0; at = folded.indexOf(sought, at + 1)) {
    const end = at + sought.length;
    const begins = at === 0 || !OF_A_WORD.test(folded.charAt(at - 1));
    if (begins && (isLong || end === folded.length || !OF_A_WORD.test(folded.charAt(end)))) return true;
  }
  return false;
}

/** Short words of an alphabet stand in every text; a sign of Han is a word. */
const SAYS_SOMETHING = /^(?:.{4,}|[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\d]+)$/u;

export const contentWords = (values: readonly string[]): string[] => [
  ...new Set(values.flatMap((value) => splitWords(value)).filter((word) => SAYS_SOMETHING.test(word))),
];

/** The share of the words that the text has, too; undefined when either has too few to tell. */
export function shareInText(values: readonly string[], text: TextWords): number | undefined {
  const words = contentWords(values);
  if (text.count < FEWEST_WORDS || words.length === 0) return undefined;
  return words.filter((word) => text.has(word)).length / words.length;
}

/** `www.sport.example` and `news.sport.example` are one site; addresses in numbers are their own. */
export function siteOf(url: string): string | undefined {
  const host = URL.parse(url)?.hostname;
  if (host === undefined || host === '') return undefined;
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}
