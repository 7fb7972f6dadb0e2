/** A page as the rules of trust look at it. */
import { getDomain } from 'tldts';
import type { Doubt, JudgedElement } from '../../formats/web-capture.ts';
import { splitWords } from '../../query/words.ts';
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
  /** Folded; of words from six letters on their first five, too, so that other endings do not matter. */
  readonly known: ReadonlySet<string>;
}

const STEM = 5;
/** Words beyond tell nothing new. */
const MOST_CHARACTERS = 200_000;

export function wordsOfText(text: string): TextWords {
  const words = splitWords(text.slice(0, MOST_CHARACTERS));
  const known = new Set<string>();
  for (const word of words) {
    known.add(word);
    if (word.length > STEM) known.add(word.slice(0, STEM));
  }
  return { count: words.length, known };
}

/** Short words of an alphabet stand in every text; a sign of Han is a word. */
const SAYS_SOMETHING = /^(?:.{4,}|[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\d]+)$/u;

export const contentWords = (values: readonly string[]): string[] => [
  ...new Set(values.flatMap((value) => splitWords(value)).filter((word) => SAYS_SOMETHING.test(word))),
];

/** The share of the words that the text has, too; undefined when either has too few to tell. */
export function shareInText(values: readonly string[], { known, count }: TextWords): number | undefined {
  const words = contentWords(values);
  if (count < 40 || words.length === 0) return undefined;
  const found = words.filter(
    (word) => known.has(word) || (word.length > STEM && known.has(word.slice(0, STEM))),
  );
  return found.length / words.length;
}

/** `www.sport.example` and `news.sport.example` are one site; addresses in numbers are their own. */
export function siteOf(url: string): string | undefined {
  const host = URL.parse(url)?.hostname;
  if (host === undefined || host === '') return undefined;
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}
