/** Apache's ways to name paths: shell-like wildcards, prefixes, and Perl regular expressions. */

export type Matches = (text: string) => boolean;

/** `*` and `?` never match a slash (`FNM_PATHNAME`). */
function globSource(pattern: string): string {
  return pattern.replace(
    /\[([!^]?)([^\]]+)\]|\*|\?|[.+^${}()|\\[\]]/g,
    (found, negated: string | undefined, set: string | undefined) => {
      if (set !== undefined) return `[${negated ? '^' : ''}${set.replace(/[\\[]/g, '\\$&')}]`;
      if (found === '*') return '[^/]*';
      return found === '?' ? '[^/]' : `\\${found}`;
    },
  );
}

export function globMatcher(pattern: string): Matches {
  const regex = new RegExp(`^${globSource(pattern)}$`, 's');
  return (text) => regex.test(text);
}

/** `<Location "/private">`: the path itself and what lies below it; wildcards as in shells. */
export function locationMatcher(pattern: string): Matches {
  const end = pattern.endsWith('/') ? '' : '(?:/|$)';
  const regex = new RegExp(`^${globSource(pattern)}${end}`, 's');
  return (text) => regex.test(text);
}

/** Undefined when the expression uses what JavaScript's expressions do not have. */
export function regexMatcher(pattern: string): Matches | undefined {
  const [, flags = '', source = ''] = /^(?:\(\?([a-z]+)\))?(.*)$/s.exec(pattern) ?? [];
  if (/[^ims]/.test(flags)) return undefined;
  try {
    const regex = new RegExp(
      source
        .replace(/\(\?<(?![=!])/g, '(?<')
        .replace(/\\([AZz])/g, (_, anchor: string) => (anchor === 'A' ? '^' : '$')),
      flags,
    );
    return (text) => regex.test(text);
  } catch {
    // A possessive quantifier, a recursion …: the caller takes it for a denial.
    return undefined;
  }
}
