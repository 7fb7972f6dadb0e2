/**
 * Strings of JavaScript that look like addresses. A guess by nature, and marked so. A string that is glued
 * to something (`'/img/' + name`) is only a part of an address and is left out, as are templates with
 * expressions in them.
 */
import { rereadPart, type SourceText } from '../markup/source-text.ts';
import type { LinkList, LinkNotes } from './link-list.ts';
import { guessLinkKind } from './looks-like-url.ts';

/** Longer strings are data, not addresses. */
const MAX_STRING = 4096;

export function addScriptLinks(list: LinkList, source: SourceText, notes: LinkNotes = {}): void {
  for (const { from, to } of listStrings(source.text)) {
    const raw = source.text.slice(from, to);
    const value = raw.includes('\\') ? unescapeScript(raw) : raw;
    const kind = guessLinkKind(value);
    if (kind === undefined) continue;
    const marked = { ...notes, heuristic: true };
    if (value === raw) list.add(source, kind, { ...marked, from, to });
    else list.add(rereadPart(source, from, to, value), kind, marked);
  }
}

interface StringSpan {
  readonly from: number;
  readonly to: number;
}

const isSpace = (char: string | undefined): boolean =>
  char === ' ' || char === '\n' || char === '\t' || char === '\r';

/** Complete string literals that are not an operand of `+`. Comments and regular expressions are passed over. */
export function* listStrings(script: string): Generator<StringSpan> {
  /** The last character that is neither space nor comment: says whether `/` divides, and whether `+` precedes. */
  let previous = '';
  /** Up to here a regular expression was looked for in vain: looking again and again would take for ever. */
  let noRegexBefore = 0;
  for (let at = 0; at < script.length; ) {
    const char = script[at] ?? '';
    if (char === '/' && script[at + 1] === '/') {
      const end = script.indexOf('\n', at);
      at = end < 0 ? script.length : end + 1;
    } else if (char === '/' && script[at + 1] === '*') {
      const end = script.indexOf('*/', at + 2);
      at = end < 0 ? script.length : end + 2;
    } else if (char === '/' && at >= noRegexBefore && '(,=:[!&|?{};+-*%<>~^'.includes(previous)) {
      const end = regexEnd(script, at);
      const closed = script[end] === '/';
      if (!closed) noRegexBefore = end;
      at = closed ? end + 1 : at + 1;
      previous = ')';
    } else if (char === '"' || char === "'" || char === '`') {
      const end = stringEnd(script, at);
      const closed = script[end] === char;
      if (closed && previous !== '+' && !isGlued(script, end + 1)) {
        const to = Math.min(end, at + 1 + MAX_STRING);
        if (to === end && !(char === '`' && script.slice(at, end).includes('${'))) yield { from: at + 1, to };
      }
      at = end + 1;
      previous = '"';
    } else {
      if (!isSpace(char)) previous = char;
      at++;
    }
  }
}

/** Index of the closing quote, or of where the literal breaks off. */
function stringEnd(script: string, from: number): number {
  const quote = script[from];
  for (let at = from + 1; at < script.length; at++) {
    const char = script[at];
    if (char === '\\') at++;
    else if (char === quote) return at;
    else if (char === '\n' && quote !== '`') return at;
  }
  return script.length;
}

function isGlued(script: string, after: number): boolean {
  let at = after;
  while (isSpace(script[at])) at++;
  return script[at] === '+' || script.startsWith('.concat', at);
}

/** Index of the closing slash. It must stand on the same line; when it does not, the slash was a division. */
function regexEnd(script: string, from: number): number {
  let inClass = false;
  let at = from + 1;
  for (; at < script.length && script[at] !== '\n'; at++) {
    const char = script[at];
    if (char === '\\') at++;
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if (char === '/' && !inClass) return at;
  }
  return at;
}

const ESCAPE = /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|\r?\n|(.))/gi;

export function unescapeScript(text: string): string {
  return text.replace(ESCAPE, (_, wide?: string, narrow?: string, char?: string) => {
    const hex = wide ?? narrow;
    return hex === undefined ? (char ?? '') : String.fromCharCode(Number.parseInt(hex, 16));
  });
}
