/** Apache's ways to name paths: shell-like wildcards, prefixes, and Perl regular expressions. */

export type Matches = (text: string) => boolean;

/** `*`, `?` and sets never match a slash (`FNM_PATHNAME`); a backslash takes its meaning from what follows. */
function globSource(pattern: string): string {
  return pattern.replace(
    /\\(.)|\[([!^]?)(\]?[^\]]+)\]|\*|\?|[.+^${}()|\\[\]]/gs,
    (found, escaped: string | undefined, negated: string | undefined, set: string | undefined) => {
      if (escaped !== undefined) return escaped.replace(/[\W]/, '\\$&');
      if (set !== undefined) return `(?!/)[${negated ? '^' : ''}${set.replace(/[\\[\]^]/g, '\\$&')}]`;
      if (found === '*') return '[^/]*';
      return found === '?' ? '[^/]' : `\\${found}`;
    },
  );
}

export function globMatcher(pattern: string): Matches {
  const regex = new RegExp(`^${globSource(pattern)}$`, 's');
  return (text) => regex.test(text);
}

/** `<Location "/private">`: the path itself and what lies below it; with wildcards the whole path. */
export function locationMatcher(pattern: string): Matches {
  if (/[*?[\\]/.test(pattern)) return globMatcher(pattern);
  const below = pattern.endsWith('/') ? pattern : `${pattern}/`;
  return (text) => text === pattern || text.startsWith(below);
}

/** Apache's expressions know bytes, not letters. */
const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** Of bytes, as in the C locale. */
const POSIX_CLASSES: Readonly<Record<string, string>> = {
  alnum: '\\dA-Za-z',
  alpha: 'A-Za-z',
  blank: ' \\t',
  digit: '\\d',
  lower: 'a-z',
  space: ' \\t\\n\\x0b\\f\\r',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '\\dA-Fa-f',
};

/** What both languages write and mean alike: other escapes and `]` as the first of a class are not. */
const ALIKE =
  /^(?:\\(?:[dDwWsSbBAztnrf1-9]|x[\da-fA-F]{2}|[^\da-zA-Z])|\[\^?(?!\])(?:\\(?:[dDwWsStnrf]|x[\da-fA-F]{2}|[^\da-zA-Z])|\[(?![:.=])|[^\]\\[])+\]|\{(?!,)|[^\\[{])*$/s;

/** Undefined when the expression uses what JavaScript's expressions do not have, or take for something else. */
export function regexMatcher(pattern: string): Matches | undefined {
  const [, flags = '', given = ''] = /^(?:\(\?([a-z]+)\))?(.*)$/s.exec(pattern) ?? [];
  const source = given.replace(/\[:(\w+):\]/g, (found, name: string) => POSIX_CLASSES[name] ?? found);
  if (/[^ims]/.test(flags) || !ALIKE.test(source)) return undefined;
  try {
    const regex = new RegExp(
      bytesOf(source).replace(/\\([\s\S])/g, (found, escaped: string) => {
        if (escaped === 'A') return '(?<![\\s\\S])';
        return escaped === 'z' ? '(?![\\s\\S])' : found;
      }),
      // DOTALL is Apache's default.
      `${flags.replace('s', '')}s`,
    );
    return (text) => regex.test(bytesOf(text));
  } catch {
    // A possessive quantifier, a recursion …: the caller takes it for a denial.
    return undefined;
  }
}
