/** Pieces from which the built-in formats put their XPaths together. */

/**
 * Every text below an element once: plain text, `gco:CharacterString`, `gmx:Anchor` and all languages of
 * a `PT_FreeText`.
 */
export const LEAVES = 'descendant-or-self::*[not(*)]';

/** Elements by local name, for formats whose versions differ in namespace only: `a/b` → `*[local-name()='a']/…`. */
export function anyNamespace(path: string): string {
  return path
    .split('/')
    .map((step) => step.replace(/^(\w[\w.-]*)(?=$|\[)/, (name) => `*[local-name()='${name}']`))
    .join('/');
}

/** One of several values of an attribute or of `.`, for a predicate. */
export const isOneOf = (subject: string, values: readonly string[]): string =>
  values.map((value) => `${subject}='${value}'`).join(' or ');

/** A code of an ISO code list, wherever the record puts it. */
export const hasCode = (codes: readonly string[]): string =>
  `${isOneOf('@codeListValue', codes)} or ${isOneOf('normalize-space(.)', codes)}`;

/** The n-th (from 1) of the words in a text of at least n words. */
export function nthWord(text: string, n: number): string {
  let rest = `normalize-space(${text})`;
  for (let skipped = 1; skipped < n; skipped++) rest = `substring-after(${rest},' ')`;
  return `substring-before(concat(${rest},' '),' ')`;
}

/** XPath 1.0 has no lower-case(). */
export const lowerCase = (text: string): string =>
  `translate(${text},'ABCDEFGHIJKLMNOPQRSTUVWXYZ','abcdefghijklmnopqrstuvwxyz')`;
