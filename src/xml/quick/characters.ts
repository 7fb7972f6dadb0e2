/** What each character may do, by its code; NaN (the end of a text) may nothing. */

const IS_NAME = 1;
const IS_TEXT = 2;
const IS_VALUE = 4;
const IS_SPACE = 8;

const ASCII = 0x80;
/** U+FFFE and U+FFFF are no characters of XML; surrogates in text that was UTF-8 come in pairs. */
const FIRST_ILLEGAL = 0xfffe;

const classes = new Uint8Array(ASCII);
for (let code = 0; code < ASCII; code++) {
  const character = String.fromCharCode(code);
  let flags = 0;
  if (/[\w.:-]/.test(character)) flags |= IS_NAME;
  // Carriage returns are gone before anything is read; XML has DEL.
  if (/[\t\n\x20-\x7f]/.test(character) && !/[<&\]]/.test(character)) flags |= IS_TEXT;
  if (/[\x20-\x7f]/.test(character) && !/[<&]/.test(character)) flags |= IS_VALUE;
  if (/[ \t\n]/.test(character)) flags |= IS_SPACE;
  classes[code] = flags;
}
const flagsOf = (code: number): number => classes[code] as number;

/** Part of a plain name: ASCII only. */
export const isNameCharacter = (code: number): boolean => code < ASCII && (flagsOf(code) & IS_NAME) !== 0;
/** Text that needs no second look. */
export const isPlainText = (code: number): boolean =>
  code < ASCII ? (flagsOf(code) & IS_TEXT) !== 0 : code < FIRST_ILLEGAL;
/** The same in an attribute, where quotes are looked for before. */
export const isPlainValue = (code: number): boolean =>
  code < ASCII ? (flagsOf(code) & IS_VALUE) !== 0 : code < FIRST_ILLEGAL;
export const isSpace = (code: number): boolean => code < ASCII && (flagsOf(code) & IS_SPACE) !== 0;

const REFERENCE = /&(?:amp|lt|gt|quot|apos|#(?:([0-9]{1,7})|x([0-9a-fA-F]{1,6})));/y;

/** After the reference at `from`; 0 when it is none, or not to a character of XML. */
export function afterReference(text: string, from: number): number {
  REFERENCE.lastIndex = from;
  const found = REFERENCE.exec(text);
  if (!found) return 0;
  const [, decimal, hex] = found;
  if (decimal === undefined && hex === undefined) return REFERENCE.lastIndex;
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return isXmlCharacter(code) ? REFERENCE.lastIndex : 0;
}

const isXmlCharacter = (code: number): boolean =>
  code === 0x09 ||
  code === 0x0a ||
  code === 0x0d ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code < FIRST_ILLEGAL) ||
  (code >= 0x10000 && code <= 0x10ffff);
