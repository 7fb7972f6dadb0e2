/** Ways to refuse a file that are not rules of access: rewriting to "forbidden", redirects to 403, 404 and 410. */
import type { Directive } from './directives.ts';
import { type Matches, regexMatcher } from './patterns.ts';

export interface Refusal {
  /** `url`: the path of the address, from its slash; `local`: relative to the folder of the section. */
  readonly of: 'url' | 'local';
  readonly matches: Matches;
  readonly rewrite: boolean;
}

const STATUS = /^(?:4\d\d|gone)$/i;
const FORBIDDING = /(?:^|,)\s*(?:F|forbidden|G|gone|R=4\d\d|redirect=4\d\d)\s*(?:,|$)/i;

export function isRefusal({ name, args }: Directive): boolean {
  if (name === 'rewriterule') return FORBIDDING.test(flagsOf(args));
  if (name === 'redirect' || name === 'redirectmatch') return STATUS.test(args[0] ?? '');
  return name === 'redirectgone';
}

const flagsOf = (args: readonly string[]): string => /^\[(.*)\]$/s.exec(args.slice(2).join(' '))?.[1] ?? '';

/** Conditions (RewriteCond) before a rule are not looked at: what it might refuse counts as refused. */
export function readRefusal({ name, args }: Directive): Refusal | undefined {
  const rewrite = name === 'rewriterule';
  if (name === 'redirect') {
    const prefix = args[1] ?? '';
    return { of: 'url', rewrite, matches: (path) => path.startsWith(prefix) };
  }
  const [pattern = ''] = rewrite ? args : args.slice(1);
  const negated = rewrite && pattern.startsWith('!');
  const regex = regexMatcher(
    (negated ? pattern.slice(1) : pattern).replace(/^/, /\bNC\b|nocase/i.test(flagsOf(args)) ? '(?i)' : ''),
  );
  if (!regex) return undefined;
  return { of: rewrite ? 'local' : 'url', rewrite, matches: negated ? (path) => !regex(path) : regex };
}
