/**
 * Patterns of CDX filters: a part of regular expressions that is matched in bounded time, since anybody may
 * ask. Literals, `.`, `.*`, `\` before a sign, `\d`, alternatives with `|`, and one pair of parentheses
 * around all of it.
 */
import { GarnerError } from '../../core/errors.ts';

type Token = 'star' | 'any' | 'digit' | { readonly literal: string };

export type ValueTest = (value: string) => boolean;

const MAX_LENGTH = 500;

/** The whole value must match. */
export function compilePattern(pattern: string): ValueTest {
  if (pattern.length > MAX_LENGTH) throw refuse(pattern);
  const whole = pattern.replace(/^\^/, '').replace(/\$$/, '');
  const inner = /^\(([^()]*)\)$/.exec(whole)?.[1] ?? whole;
  const alternatives = inner.split('|').map(tokenise);
  return (value) => alternatives.some((tokens) => matches(tokens, value));
}

function tokenise(pattern: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern[at] ?? '';
    if (sign === '.') {
      const isStar = pattern[at + 1] === '*';
      tokens.push(isStar ? 'star' : 'any');
      if (isStar) at++;
    } else if (sign === '\\' && at + 1 < pattern.length) {
      at++;
      const escaped = pattern[at] ?? '';
      if (escaped !== 'd' && /\w/.test(escaped)) throw refuse(pattern);
      tokens.push(escaped === 'd' ? 'digit' : { literal: escaped });
    } else if (/[*+?()[\]{}\\^$]/.test(sign)) throw refuse(pattern);
    else tokens.push({ literal: sign });
  }
  return tokens;
}

/** Going back to the last star only: at worst the product of both lengths. */
function matches(tokens: readonly Token[], value: string): boolean {
  let token = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < value.length) {
    const wanted = tokens[token];
    if (wanted === 'star') {
      star = token++;
      starAt = at;
    } else if (wanted !== undefined && fits(wanted, value[at] ?? '')) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++starAt;
    } else return false;
  }
  while (tokens[token] === 'star') token++;
  return token === tokens.length;
}

const fits = (token: Exclude<Token, 'star'>, sign: string): boolean =>
  token === 'any' || (token === 'digit' ? /^\d$/.test(sign) : token.literal === sign);

const refuse = (pattern: string): GarnerError =>
  new GarnerError(
    'request.invalid',
    `filter: "${pattern.slice(0, 100)}" is no pattern of literals, ".", ".*", "\\d" and "|"`,
  );
