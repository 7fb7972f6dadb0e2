/**
 * The pieces of a DIS expression. Bare words hold letters of any script, digits and `_ . - : # / [ ]`, and
 * beyond what was documented `%` and `+`, so that patterns and exponents need no quotes.
 */
import type { CompareOperator } from '../ast.ts';
import { queryError } from '../query-error.ts';

interface Place {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export type DisToken = Place &
  (
    | { readonly kind: 'and' | 'or' | 'not' | 'open' | 'close' | 'end' }
    | { readonly kind: 'relation'; readonly operator: CompareOperator }
    | { readonly kind: 'word'; readonly text: string; readonly quoted: boolean }
  );

const BARE_WORD = /[\p{L}\p{M}\p{N}_.\-:#/[\]%+]+/uy;
const SPACE = /\s+/y;
const SIGNS: readonly (readonly [string, CompareOperator | 'and' | 'or' | 'not' | 'open' | 'close'])[] = [
  ['!=', '!='],
  ['<>', '!='],
  ['<=', '<='],
  ['>=', '>='],
  ['==', '='],
  ['=', '='],
  ['<', '<'],
  ['>', '>'],
  ['&&', 'and'],
  ['&', 'and'],
  ['||', 'or'],
  ['|', 'or'],
  ['!', 'not'],
  ['(', 'open'],
  [')', 'close'],
];

export function lexDis(expression: string): DisToken[] {
  const tokens: DisToken[] = [];
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    return pattern.exec(expression)?.[0] ?? '';
  };
  while (at < expression.length) {
    at += take(SPACE).length;
    if (at >= expression.length) break;
    const start = at;
    const char = expression[at]!;
    if (char === '"' || char === "'") {
      const { text, end } = readQuoted(expression, at);
      tokens.push({ kind: 'word', text, quoted: true, start, end });
      at = end;
      continue;
    }
    const word = take(BARE_WORD);
    if (word) {
      at += word.length;
      tokens.push({ kind: 'word', text: word, quoted: false, start, end: at });
      continue;
    }
    const sign = SIGNS.find(([text]) => expression.startsWith(text, start));
    if (!sign) {
      const found = String.fromCodePoint(expression.codePointAt(at) ?? 0);
      throw queryError('query.syntax', `${JSON.stringify(found)} stands in no bare word`, expression, {
        position: at,
        expected: 'a name, a value (in quotes, if it has such characters), an operator or a parenthesis',
        found,
      });
    }
    const [text, meaning] = sign;
    at += text.length;
    tokens.push(signToken(meaning, { start, end: at }));
  }
  tokens.push({ kind: 'end', start: expression.length, end: expression.length });
  return tokens;
}

function signToken(
  meaning: CompareOperator | 'and' | 'or' | 'not' | 'open' | 'close',
  place: Place,
): DisToken {
  switch (meaning) {
    case 'and':
    case 'or':
    case 'not':
    case 'open':
    case 'close':
      return { kind: meaning, ...place };
    default:
      return { kind: 'relation', operator: meaning, ...place };
  }
}

function readQuoted(expression: string, start: number): { text: string; end: number } {
  const quote = expression[start]!;
  let text = '';
  for (let at = start + 1; at < expression.length; at++) {
    const char = expression[at]!;
    if (char === quote) return { text, end: at + 1 };
    if (char === '\\' && at + 1 < expression.length) text += expression[++at];
    else text += char;
  }
  throw queryError('query.syntax', 'the quotes are not closed', expression, {
    position: start,
    expected: `a closing ${quote}`,
    found: 'the end',
  });
}
