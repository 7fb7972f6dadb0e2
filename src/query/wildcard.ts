/**
 * Patterns of wildcard nodes: `*` any run (also none), `?` one character, `\` before a character that
 * stands for itself. Matching is a greedy scan with one point of return per star, never a regular
 * expression, so that hostile patterns cost at most length × length.
 */
export type PatternPart = 'run' | 'one' | { readonly text: string };

/** `fold` is applied to the literal parts: the same folding as that of what is matched. */
export function parsePattern(pattern: string, fold: (text: string) => string): PatternPart[] {
  const parts: PatternPart[] = [];
  let literal = '';
  const flush = () => {
    const text = fold(literal);
    if (text) parts.push({ text });
    literal = '';
  };
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i]!;
    if (char === '\\' && i + 1 < pattern.length) literal += pattern[++i];
    else if (char === '*' || char === '?') {
      flush();
      if (char === '?') parts.push('one');
      else if (parts.at(-1) !== 'run') parts.push('run');
    } else literal += char;
  }
  flush();
  return parts;
}

/** The literal characters a match must begin with. */
export function patternPrefix(parts: readonly PatternPart[]): string {
  const first = parts[0];
  return typeof first === 'object' ? first.text : '';
}

/** Makes a pattern part of literal text. */
export function escapePattern(text: string): string {
  return text.replace(/[\\*?]/g, '\\$&');
}

const RUN = 0;
const ONE = 1;

export function compilePattern(parts: readonly PatternPart[]): (text: string) => boolean {
  const wanted: (string | typeof RUN | typeof ONE)[] = [];
  for (const part of parts) {
    if (part === 'run') wanted.push(RUN);
    else if (part === 'one') wanted.push(ONE);
    else wanted.push(...part.text);
  }
  return (text) => {
    const chars: ArrayLike<string> = /[\ud800-\udfff]/.test(text) ? Array.from(text) : text;
    let at = 0;
    let want = 0;
    let returnAt = -1;
    let returnWant = -1;
    while (at < chars.length) {
      const part = wanted[want];
      if (part === RUN) {
        returnWant = ++want;
        returnAt = at;
      } else if (part === ONE || part === chars[at]) {
        want++;
        at++;
      } else if (returnWant >= 0) {
        want = returnWant;
        at = ++returnAt;
      } else return false;
    }
    while (wanted[want] === RUN) want++;
    return want === wanted.length;
  };
}
