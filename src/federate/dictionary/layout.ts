/**
 * Layouts of values: `A` a letter; `N`, `9` and the letters of dates `Y M D h m s` a digit; `X` any character;
 * `A(8)` eight of them, `A(1..8)` one to eight; 'text' in single quotes, and everything else, stands for itself.
 */
const PIECE = /'((?:[^']|'')*)'|([\s\S])/gy;
const COUNT = /\((\d{1,6})(?:\.\.(\d{1,6}))?\)/y;
const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;
const MAX_REPEAT = 65_535;
/** Pieces of varying length are what makes testing slow: few, and short. */
const MAX_VARYING = 2;
const MAX_VARYING_LENGTH = 255;

const LETTERS: Readonly<Record<string, string>> = {
  A: '\\p{L}',
  N: '\\p{Nd}',
  X: '[\\s\\S]',
  ...Object.fromEntries(['9', 'Y', 'M', 'D', 'h', 'm', 's'].map((letter) => [letter, '[0-9]'])),
};

function toPattern(layout: string): { readonly pattern: string } | { readonly mistake: string } {
  let pattern = '';
  let varying = 0;
  let at = 0;
  while (at < layout.length) {
    PIECE.lastIndex = at;
    const [whole = '', quoted, letter = ''] = PIECE.exec(layout) ?? [];
    if (quoted === undefined && letter === "'") return { mistake: 'a quote is not closed' };
    at += whole.length;
    const literal = quoted?.replaceAll("''", "'") ?? letter;
    const known = quoted === undefined ? LETTERS[letter] : undefined;
    pattern += known ?? literal.replace(SYNTAX, '\\$&');
    COUNT.lastIndex = at;
    const [count, least = '', most] = COUNT.exec(layout) ?? [];
    if (known === undefined || count === undefined) continue;
    const upper = Number(most ?? least);
    if (Number(least) > upper || upper > (most === undefined ? MAX_REPEAT : MAX_VARYING_LENGTH))
      return { mistake: `cannot repeat ${letter}${count}` };
    if (most !== undefined && ++varying > MAX_VARYING)
      return { mistake: `at most ${MAX_VARYING} pieces may have a varying length` };
    pattern += `{${Number(least)}${most === undefined ? '' : `,${upper}`}}`;
    at += count.length;
  }
  return { pattern: `^${pattern}$` };
}

/** Why a text is no layout; undefined when it is one. */
export function findLayoutMistake(layout: string): string | undefined {
  const result = toPattern(layout);
  return 'mistake' in result ? result.mistake : undefined;
}

const compiled = new Map<string, RegExp>();
const MOST_COMPILED = 1000;

export function fitsLayout(layout: string, value: string): boolean {
  let pattern = compiled.get(layout);
  if (!pattern) {
    const result = toPattern(layout);
    // A dictionary does not hold such a layout.
    if ('mistake' in result) return false;
    pattern = new RegExp(result.pattern, 'u');
    if (compiled.size >= MOST_COMPILED) compiled.clear();
    compiled.set(layout, pattern);
  }
  return pattern.test(value);
}
