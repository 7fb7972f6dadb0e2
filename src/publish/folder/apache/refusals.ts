/** Ways to keep a file from clients that are not rules of access: rewriting, redirects to 403, 404 and 410. */
import type { Directive } from './directives.ts';
import { type Matches, regexMatcher } from './patterns.ts';

export interface Refusal {
  /** `url`: the path of the address, from its slash; `local`: relative to the folder of the section. */
  readonly of: 'url' | 'local';
  readonly matches: Matches;
  readonly rewrite: boolean;
  /** Conditions leave out what is there. */
  readonly spares: { readonly files: Sparing; readonly folders: Sparing };
}

/** `in-folders`: in sections of folders only, since elsewhere no address has been mapped to a name yet. */
type Sparing = 'always' | 'in-folders' | 'never';

const STATUS = /^(?:4\d\d|gone)$/i;
const FORBIDDING = /(?:^|,)\s*(?:F|forbidden|G|gone|R=4\d\d|redirect=4\d\d)\s*(?:,|$)/i;
const REDIRECTING = /(?:^|,)\s*(?:R|redirect)\s*(?:=[^,]*)?(?:,|$)/i;

export function isRefusal({ name, args }: Directive): boolean {
  if (name === 'rewriterule') return FORBIDDING.test(flagsOf(args)) || leadsElsewhere(args);
  if (name === 'redirect' || name === 'redirectmatch') return STATUS.test(args[0] ?? '');
  return name === 'redirectgone';
}

const flagsOf = (args: readonly string[]): string => /^\[(.*)\]$/s.exec(args.slice(2).join(' '))?.[1] ?? '';

/** To another file or server, so that nobody gets this one at its address. Clients are told of redirects. */
function leadsElsewhere(args: readonly string[]): boolean {
  const [, target = '-'] = args;
  const redirects = REDIRECTING.test(flagsOf(args)) || /^https?:/i.test(target);
  return target !== '-' && (!redirects || /(?:^|,)\s*(?:P|proxy)\s*(?:,|$)/i.test(flagsOf(args)));
}

/** Of the conditions (RewriteCond) before a rule only those count that ask for files; others may hold. */
export function readRefusal(
  { name, args }: Directive,
  conditions: readonly Directive[],
): Refusal | undefined {
  const rewrite = name === 'rewriterule';
  if (name === 'redirect') {
    const prefix = args[1] ?? '';
    return { of: 'url', rewrite, matches: (path) => path.startsWith(prefix), spares: NOTHING_SPARED };
  }
  const [pattern = ''] = rewrite ? args : args.slice(1);
  const negated = rewrite && pattern.startsWith('!');
  const regex = regexMatcher(
    (negated ? pattern.slice(1) : pattern).replace(/^/, /\bNC\b|nocase/i.test(flagsOf(args)) ? '(?i)' : ''),
  );
  if (!regex) return undefined;
  return {
    of: rewrite ? 'local' : 'url',
    rewrite,
    matches: negated ? (path) => !regex(path) : regex,
    spares: rewrite
      ? { files: sparing(conditions, /^(?:!-f|-d)$/), folders: sparing(conditions, /^(?:!-d|-f)$/) }
      : NOTHING_SPARED,
  };
}

const NOTHING_SPARED: Refusal['spares'] = { files: 'never', folders: 'never' };

const isAlternative = (condition: Directive | undefined): boolean =>
  /(?:^|[[,])\s*(?:OR|ornext)\s*(?:[\],]|$)/i.test(condition?.args[2] ?? '');

/** `asked`: what does not hold for them. */
function sparing(conditions: readonly Directive[], asked: RegExp): Sparing {
  const decisive = conditions.filter(
    (condition, i) =>
      !isAlternative(condition) && !isAlternative(conditions[i - 1]) && asked.test(condition.args[1] ?? ''),
  );
  const isAskedOf = (name: RegExp) => decisive.some(({ args }) => name.test(args[0] ?? ''));
  if (isAskedOf(/^%\{DOCUMENT_ROOT\}\/?%\{REQUEST_URI\}$/i)) return 'always';
  return isAskedOf(/^%\{(?:REQUEST|SCRIPT)_FILENAME\}$/i) ? 'in-folders' : 'never';
}
