/** What is wrong with the rules of a .htaccess file: Apache answers with an error for all that is below it. */
import { parseAddresses } from './address-ranges.ts';
import type { Directive } from './directives.ts';
import type { Finding } from './layer.ts';
import { regexMatcher } from './patterns.ts';

/** Undefined: nothing is wrong. */
type Check = (directive: Directive) => string | undefined;

const METHODS = new Set(
  'GET HEAD POST PUT DELETE CONNECT OPTIONS PATCH PROPFIND PROPPATCH MKCOL COPY MOVE LOCK UNLOCK'.split(' '),
);
const OPTIONS =
  /^[+-]?(?:all|execcgi|followsymlinks|includes|includesnoexec|indexes|multiviews|runscripts|symlinksifownermatch)$/i;

const oneOf =
  (expected: RegExp): Check =>
  ({ args }) =>
    args.length === 1 && expected.test(args[0] ?? '') ? undefined : 'takes another argument';

const oneText = oneOf(/./s);

const fromHosts: Check = ({ args }) =>
  args.length > 1 && args[0]?.toLowerCase() === 'from' ? undefined : 'must be followed by "from" and hosts';

const onMethods: Check = ({ args }) =>
  args.length > 0 && args.every((method) => METHODS.has(method))
    ? undefined
    : 'names a method that is not known';

const container: Check = ({ args, children = [] }) => {
  if (args.length > 0) return 'takes no arguments';
  return children.length > 0 ? undefined : 'has no rules in it';
};

/** Names of rules are written in small letters. */
const required: Check = ({ args }) => {
  const negative = args[0]?.toLowerCase() === 'not';
  const [kind = '', ...values] = negative ? args.slice(1) : args;
  if (kind === '' || kind !== kind.toLowerCase()) return 'asks for what is not known';
  if (kind === 'all')
    return !negative && values.length === 1 && /^(?:granted|denied)$/i.test(values[0] ?? '')
      ? undefined
      : 'of all must be granted or denied';
  if (kind === 'ip')
    return values.length > 0 && values.every((value) => parseAddresses(value) !== undefined)
      ? undefined
      : 'has no address or network';
  if (kind === 'method')
    return values.every((method) => METHODS.has(method)) ? undefined : 'names an unknown method';
  return undefined;
};

const withOptions: Check = ({ args }) => {
  const relative = args.filter((arg) => /^[+-]/.test(arg)).length;
  const isKnown = args.every((arg) => OPTIONS.test(arg) || /^none$/i.test(arg));
  return isKnown && (relative === 0 || relative === args.length)
    ? undefined
    : 'has options that do not go together';
};

/** Also expressions that we cannot read: they may be one. */
const rewriting: Check = ({ args }) => {
  const [pattern = '', , flags = '[]'] = args;
  if (args.length < 2 || !regexMatcher(pattern.replace(/^!/, ''))) return 'is not understood';
  return /^\[.*\]$/s.test(flags) &&
    flags
      .slice(1, -1)
      .split(',')
      .every((flag) => flag.trim() === '' || REWRITE_FLAG.test(flag.trim()))
    ? undefined
    : 'has a flag that is not known';
};

const REWRITE_FLAG =
  /^(?:B|BCTLS|BNE|BNP|C|chain|CO|cookie|DPI|discardpath|E|env|END|F|forbidden|G|gone|H|handler|L|last|N|next|NC|nocase|NE|noescape|NS|nosubreq|P|proxy|PT|passthrough|QSA|qsappend|QSD|qsdiscard|QSL|qslast|R|redirect|S|skip|T|type|Unsafe\w+)(?:=.*)?$/is;

const expression: Check = ({ args }) =>
  args[0] !== undefined && regexMatcher(args[0]) ? undefined : 'is not understood';

const someArgument: Check = ({ args }) => (args.length > 0 ? undefined : 'takes an argument');

const CHECKS: Readonly<Record<string, Check>> = {
  allow: fromHosts,
  authgroupfile: oneText,
  authmerging: oneOf(/^(?:off|and|or)$/i),
  authname: oneText,
  authtype: oneText,
  authuserfile: oneText,
  deny: fromHosts,
  files: someArgument,
  filesmatch: expression,
  limit: onMethods,
  limitexcept: onMethods,
  options: withOptions,
  order: oneOf(/^(?:allow,deny|deny,allow|mutual-failure)$/i),
  redirect: someArgument,
  redirectmatch: someArgument,
  require: required,
  requireall: container,
  requireany: container,
  requirenone: container,
  rewriteengine: oneOf(/^(?:on|off)$/i),
  rewriterule: rewriting,
  satisfy: oneOf(/^(?:all|any)$/i),
  sethandler: oneText,
};

const isNegative = ({ name, args }: Directive): boolean =>
  name === 'requirenone' || (name === 'require' && args[0]?.toLowerCase() === 'not');

/** Outside of RequireAll a rule that only shuts out has no effect, and is not accepted. */
export function findMistakes(directives: readonly Directive[], inside = ''): Finding[] {
  return directives.flatMap((directive) => {
    const { name, children, file, line } = directive;
    const wrong =
      (inside !== 'requireall' && isNegative(directive)
        ? 'shuts out, and can be in RequireAll only'
        : undefined) ?? CHECKS[name]?.(directive);
    return [
      ...(wrong === undefined
        ? []
        : [{ file, line, message: `${name} ${wrong}: the server answers with an error` }]),
      ...(children ? findMistakes(children, name) : []),
    ];
  });
}
