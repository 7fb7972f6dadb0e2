/**
 * How text becomes words: the same here for the index, the in-memory matcher, highlights and queries,
 * so that all of them agree. A word is a run of letters, marks and digits; scripts written without
 * spaces (Han, kana, Thai, Lao, Khmer, Myanmar) give one word per character, found again as a phrase.
 */
import { stemmer } from 'stemmer';

/**
 * Stands between the values of a field and between text nodes, so that no phrase crosses them. In no word, and
 * ASCII: one letter of another kind would double the size of every line in memory and between threads.
 */
export const WORD_GAP = '\x7f';

/** Longer words are cut here, in the index and in queries alike (base64 and hex dumps). */
export const MAX_WORD_LENGTH = 64;

const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const WORD = new RegExp(`[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');
const ASCII_WORD = /[A-Za-z0-9]+/g;
const ASCII_ONLY = /^[\x00-\x7f]*$/;

/** Letters that Unicode does not decompose, but readers expect to find by their plain form. */
const PLAIN_FORMS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ħ: 'h',
  ŋ: 'n',
  ŧ: 't',
  ς: 'σ',
};
const SPECIAL = new RegExp(`[${Object.keys(PLAIN_FORMS).join('')}]`, 'g');

/** Case, accents and compatibility forms removed. */
export function fold(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(SPECIAL, (letter) => PLAIN_FORMS[letter] ?? letter)
    .normalize('NFC');
}

/** `Fuscé` → `fusce`, `Straße` → `strasse`; signs that compatibility forms bring (`⑴` → `(1)`) fall away. */
export function foldWord(word: string): string {
  return fold(word).replace(/[\x00-\x2f\x3a-\x60\x7b-\x7f\s]/g, '');
}

/** A whole value, folded for comparison: white space runs as one space, trimmed. */
export function foldValue(value: string): string {
  return fold(value).replace(/\s+/g, ' ').trim();
}

/** As `foldValue`, but a piece between wildcards keeps the spaces at its ends. */
export function foldPiece(text: string): string {
  return fold(text).replace(/\s+/g, ' ');
}

export interface PlacedWord {
  readonly word: string;
  /** Offsets into the original text. */
  readonly start: number;
  readonly end: number;
}

/** The folded words of a text with their places. */
export function* placeWords(text: string): Generator<PlacedWord> {
  for (const match of text.matchAll(ASCII_ONLY.test(text) ? ASCII_WORD : WORD)) {
    const word = foldWord(match[0]);
    const start = match.index;
    const end = start + match[0].length;
    // Compatibility forms may hide several words: ㌀ is アパート, ⅐ is 1⁄7.
    if (word !== match[0] && !ASCII_ONLY.test(word)) {
      for (const [part] of word.matchAll(WORD)) yield { word: part.slice(0, MAX_WORD_LENGTH), start, end };
    } else if (word) yield { word: word.slice(0, MAX_WORD_LENGTH), start, end };
  }
}

/** The folded words of a text. */
export function splitWords(text: string): string[] {
  if (ASCII_ONLY.test(text)) {
    const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
    for (let i = 0; i < words.length; i++) {
      const word = words[i] as string;
      if (word.length > MAX_WORD_LENGTH) words[i] = word.slice(0, MAX_WORD_LENGTH);
    }
    return words;
  }
  const words: string[] = [];
  for (const { word } of placeWords(text)) words.push(word);
  return words;
}

/** The English stem of a folded word; words with other than ASCII letters stay as they are. */
export function stemWord(word: string): string {
  return /^[a-z]{3,}$/.test(word) ? stemmer(word) : word;
}
