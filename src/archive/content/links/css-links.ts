/**
 * URLs of a style sheet (CSS Syntax 3): `url()`, quoted or not, `@import`, the strings of `image-set()`, and
 * the filter of old Internet Explorer. One pass over the characters; escapes and comments are understood.
 */
import type { LinkKind } from '../link.ts';
import { rereadPart, type SourceText } from '../markup/source-text.ts';
import type { LinkList, LinkNotes } from './link-list.ts';

const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);
const isNameCode = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x30 && code <= 0x39) ||
  code === 0x2d ||
  code === 0x5f ||
  code >= 0x80;

interface Token {
  readonly from: number;
  readonly to: number;
  /** After the closing quote or parenthesis. */
  readonly after: number;
}

/** `notes` go to every link: a style attribute's base, say. */
export function addCssLinks(list: LinkList, source: SourceText, notes: LinkNotes = {}): void {
  const css = source.text;
  /** The at-rule whose prelude or block we are in, and the property being set. */
  let atRule = '';
  let property = '';
  let depth = 0;
  const functions: string[] = [];

  const add = ({ from, to }: Token, kind: LinkKind, heuristic = false) => {
    const value = css.slice(from, to);
    const marked = heuristic ? { ...notes, heuristic } : notes;
    if (value.includes('\\')) list.add(rereadPart(source, from, to, unescapeCss(value)), kind, marked);
    else list.add(source, kind, { ...marked, from, to });
  };

  for (let at = 0; at < css.length; ) {
    const char = css[at];
    if (char === '/' && css[at + 1] === '*') {
      const end = css.indexOf('*/', at + 2);
      at = end < 0 ? css.length : end + 2;
    } else if (char === '"' || char === "'") {
      const token = readString(css, at);
      if (atRule === 'import' && depth === 0) add(token, 'style');
      else if (/^(?:-webkit-)?image-set$/.test(functions.at(-1) ?? '')) add(token, 'image');
      else if (functions.at(-1)?.endsWith('alphaimageloader')) add(token, 'image', true);
      at = token.after;
    } else if (char === '@') {
      const to = nameEnd(css, at + 1);
      atRule = css.slice(at + 1, Math.min(to, at + 30)).toLowerCase();
      at = to;
    } else if (char === ';' || char === '{' || char === '}') {
      if (char === '{') depth++;
      if (char === '}') depth = Math.max(0, depth - 1);
      if (depth === 0 && char !== '{') atRule = '';
      property = '';
      functions.length = 0;
      at++;
    } else if (char === ')') {
      functions.pop();
      at++;
    } else if (isNameCode(css.charCodeAt(at)) || char === '\\') {
      const to = nameEnd(css, at);
      const name = to - at > 60 ? '' : unescapeCss(css.slice(at, to)).toLowerCase();
      at = Math.max(to, at + 1);
      if (css[at] === '(') {
        at++;
        if (name === 'url' || name === 'src') {
          const token = readUrl(css, at);
          at = token.after;
          // A namespace is a name, not an address.
          if (atRule !== 'namespace') add(token, kindOf(atRule, depth, property));
        } else if (functions.length < 32) functions.push(name);
      } else if (css[skipSpace(css, at)] === ':' && property === '') property = name;
    } else at++;
  }
}

function kindOf(atRule: string, depth: number, property: string): LinkKind {
  if (atRule === 'import' && depth === 0) return 'style';
  if (atRule === 'font-face' && property === 'src') return 'font';
  return property === 'behavior' || property === '-moz-binding' ? 'script' : 'image';
}

function nameEnd(css: string, from: number): number {
  let at = from;
  for (;;) {
    if (css[at] === '\\' && at + 1 < css.length) at += 2;
    else if (at < css.length && isNameCode(css.charCodeAt(at))) at++;
    else return Math.min(at, css.length);
  }
}

function skipSpace(css: string, from: number): number {
  let at = from;
  while (at < css.length && isSpace(css.charCodeAt(at))) at++;
  return at;
}

/** A string ends at its quote, or where its line does. */
function readString(css: string, from: number): Token {
  const quote = css[from];
  let at = from + 1;
  for (; at < css.length; at++) {
    const char = css[at];
    if (char === '\\') at++;
    else if (char === quote) return { from: from + 1, to: at, after: at + 1 };
    else if (char === '\n') break;
  }
  const to = Math.min(at, css.length);
  return { from: from + 1, to, after: to };
}

function readUrl(css: string, from: number): Token {
  const start = skipSpace(css, from);
  if (css[start] === '"' || css[start] === "'") {
    const token = readString(css, start);
    const close = skipSpace(css, token.after);
    return { ...token, after: css[close] === ')' ? close + 1 : token.after };
  }
  let at = start;
  for (; at < css.length && css[at] !== ')'; at++) if (css[at] === '\\') at++;
  const end = Math.min(at, css.length);
  let to = end;
  while (to > start && isSpace(css.charCodeAt(to - 1))) to--;
  return { from: start, to, after: end + 1 };
}

const ESCAPE = /\\(?:([0-9a-f]{1,6})(?:\r\n|[ \n\r\t\f])?|\r\n|(.))/gis;

function unescapeCss(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(ESCAPE, (_, hex: string | undefined, char: string | undefined) => {
    if (hex === undefined) return char === '\n' || char === undefined ? '' : char;
    const code = Number.parseInt(hex, 16);
    return code === 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
  });
}
