/** Who gets in, by the rules that hold for one file: Require and its containers, Order with Allow and Deny. */
import { EVERY_ADDRESS, NO_ADDRESS, parseAddresses, unite } from './address-ranges.ts';
import {
  anyOf,
  bothOf,
  type Clients,
  EVERYBODY,
  fromAddresses,
  fromGroups,
  isEverybody,
  NOBODY,
  noneOf,
  UNKNOWN,
} from './clients.ts';
import type { Directive } from './directives.ts';
import type { AuthSettings, CompatRules, Finding } from './layer.ts';

/** What is known of the people behind names and passwords. */
export interface People {
  /** The group of viewers who showed a valid password of this file; undefined when it cannot be used. */
  userGroup(userFile: string, user?: string): string | undefined;
  membersOf(groupFile: string, group: string): readonly string[] | undefined;
}

export interface AuthorizeContext {
  readonly auth: AuthSettings;
  readonly people: People;
  readonly report: (finding: Finding) => void;
}

/** Of each client a node says yes, no, or nothing: `yes` are the first, `pass` all but the second. */
interface Verdict {
  readonly yes: Clients;
  readonly pass: Clients;
}

/** A section's own rules, joined as in RequireAny; or these merged with those of outer sections. */
export type Requirement =
  | readonly Directive[]
  | {
      readonly merge: 'and' | 'or';
      readonly outer: Requirement | undefined;
      readonly inner: readonly Directive[];
    };

/** Where all rules are for other methods, nothing is required for reading. */
export const authorize = (requirement: Requirement, context: AuthorizeContext): Clients =>
  isOfOtherMethods(requirement) ? EVERYBODY : verdictOn(requirement, context).yes;

function verdictOn(requirement: Requirement, context: AuthorizeContext): Verdict {
  if (!('merge' in requirement)) return anyNode(requirement, context);
  const inner = anyNode(requirement.inner, context);
  if (requirement.outer === undefined) return inner;
  const both = [verdictOn(requirement.outer, context), inner];
  return requirement.merge === 'and' ? allVerdict(both) : anyVerdict(both);
}

/** In the place of a rule that other methods than GET have: it says nothing. */
export const OF_OTHER_METHODS = { name: 'require', args: ['other-methods'] } as const;

const isOther = ({ name, args }: Directive): boolean =>
  name === OF_OTHER_METHODS.name && args[0] === OF_OTHER_METHODS.args[0];

const isOfOtherMethods = (requirement: Requirement): boolean =>
  'merge' in requirement
    ? requirement.inner.every(isOther) &&
      (requirement.outer === undefined || isOfOtherMethods(requirement.outer))
    : requirement.every(isOther);

const SAYS_NOTHING: Verdict = { yes: NOBODY, pass: EVERYBODY };

const verdictOf = (directive: Directive, context: AuthorizeContext): Verdict => {
  const { name, children = [] } = directive;
  if (name === 'requireany') return anyNode(children, context);
  if (name === 'requireall') return allNode(children, context);
  if (name === 'requirenone') return { yes: NOBODY, pass: noneOf(anyNode(children, context).yes) };
  if (isOther(directive)) return SAYS_NOTHING;
  if (name === 'require') return requireNode(directive, context);
  return unknown(directive, context, `<${name}> among rules of access is not known`);
};

function anyNode(children: readonly Directive[], context: AuthorizeContext): Verdict {
  if (children.length > 0 && children.every(isOther)) return SAYS_NOTHING;
  return anyVerdict(children.map((child) => verdictOf(child, context)));
}

const allNode = (children: readonly Directive[], context: AuthorizeContext): Verdict =>
  allVerdict(children.map((child) => verdictOf(child, context)));

function anyVerdict(verdicts: readonly Verdict[]): Verdict {
  const yes = anyOf(NOBODY, ...verdicts.map((verdict) => verdict.yes));
  return { yes, pass: yes };
}

function allVerdict(verdicts: readonly Verdict[]): Verdict {
  const pass = verdicts.reduce((clients, verdict) => bothOf(clients, verdict.pass), EVERYBODY);
  return { yes: bothOf(pass, anyOf(NOBODY, ...verdicts.map(({ yes }) => yes))), pass };
}

function requireNode(directive: Directive, context: AuthorizeContext): Verdict {
  const negated = directive.args[0]?.toLowerCase() === 'not';
  const args = negated ? directive.args.slice(1) : directive.args;
  const clients = clientsOf(args, directive, context);
  return negated ? { yes: NOBODY, pass: noneOf(clients) } : { yes: clients, pass: clients };
}

function clientsOf(args: readonly string[], directive: Directive, context: AuthorizeContext): Clients {
  const [kind = '', ...values] = args;
  switch (kind.toLowerCase()) {
    case 'all':
      return values[0]?.toLowerCase() === 'granted' ? EVERYBODY : NOBODY;
    case 'ip':
      return addressesOf(values, directive, context);
    case 'local':
      return fromAddresses(
        unite(...['127.0.0.0/8', '::1'].map((text) => parseAddresses(text) ?? NO_ADDRESS)),
      );
    case 'method':
      return values.some((method) => method.toUpperCase() === 'GET') ? EVERYBODY : NOBODY;
    case 'valid-user':
    case 'user':
    case 'group':
      return peopleOf(kind.toLowerCase(), values, directive, context);
    default:
      return unknown(directive, context, `Require ${kind} cannot be decided here: taken as a denial`).yes;
  }
}

function addressesOf(texts: readonly string[], directive: Directive, context: AuthorizeContext): Clients {
  const sets = texts.map(parseAddresses);
  const bad = texts.filter((_, i) => sets[i] === undefined);
  if (bad.length > 0)
    return unknown(directive, context, `${bad.join(', ')}: no address or network; taken as a denial`).yes;
  return fromAddresses(unite(NO_ADDRESS, ...sets.map((set) => set ?? NO_ADDRESS)));
}

function peopleOf(
  kind: string,
  values: readonly string[],
  directive: Directive,
  context: AuthorizeContext,
): Clients {
  const { auth, people } = context;
  const { userFile, groupFile } = auth;
  const isBasic = auth.type?.toLowerCase() === 'basic' && (auth.provider ?? 'file').toLowerCase() === 'file';
  // Apache answers 500 where the realm has no name.
  if (!isBasic || !auth.name || userFile === undefined)
    return unknown(
      directive,
      context,
      `Require ${kind} without AuthType Basic, AuthName and a readable AuthUserFile: taken as a denial`,
    ).yes;
  const users =
    kind === 'group'
      ? values.flatMap((group) => (groupFile === undefined ? [] : (people.membersOf(groupFile, group) ?? [])))
      : values;
  const groups =
    kind === 'valid-user'
      ? [people.userGroup(userFile)]
      : users.map((user) => people.userGroup(userFile, user));
  const known = groups.filter((group) => group !== undefined);
  if (known.length < groups.length || known.length === 0)
    return unknown(
      directive,
      context,
      `the passwords in ${userFile} cannot be used for Require ${kind}: taken as a denial`,
    ).yes;
  return fromGroups(known);
}

function unknown({ file, line }: Directive, { report }: AuthorizeContext, message: string): Verdict {
  report({ file, line, message });
  return { yes: UNKNOWN, pass: UNKNOWN };
}

/** Order, Allow and Deny of mod_access_compat. */
export function compatClients(rules: CompatRules, context: AuthorizeContext): Clients {
  const allowed = listedClients(rules.allow, context, 'allow');
  const denied = listedClients(rules.deny, context, 'deny');
  switch (rules.order) {
    case 'allow,deny':
    case 'mutual-failure':
      return bothOf(allowed, noneOf(denied));
    case 'deny,allow':
      return anyOf(noneOf(denied), allowed);
  }
}

/** `from all`, addresses, names of hosts (which are not looked up), variables (not known here). */
function listedClients(
  directives: readonly Directive[],
  context: AuthorizeContext,
  kind: 'allow' | 'deny',
): Clients {
  const all: Clients[] = [NOBODY];
  for (const directive of directives) {
    for (const value of directive.args.filter((arg, i) => i > 0 || arg.toLowerCase() !== 'from')) {
      if (value.toLowerCase() === 'all') all.push(fromAddresses(EVERY_ADDRESS));
      else {
        const addresses = parseAddresses(value);
        if (addresses) all.push(fromAddresses(addresses));
        else {
          const { file, line } = directive;
          context.report({
            file,
            line,
            message: `${directive.name} from ${value} cannot be decided here: taken as a denial`,
          });
          // An unknown host is not let in; that an unknown one is shut out means that anybody may be meant.
          all.push(kind === 'allow' ? UNKNOWN : EVERYBODY);
        }
      }
    }
  }
  return anyOf(...all);
}

/** `Satisfy` decides whether one of the two is enough. */
export function joinChecks(
  hosts: Clients | undefined,
  required: Clients | undefined,
  satisfy: CompatRules['satisfy'],
): Clients {
  if (hosts === undefined) return required ?? EVERYBODY;
  if (required === undefined) return hosts;
  if (satisfy === 'any') return isEverybody(hosts) ? hosts : anyOf(hosts, required);
  return bothOf(hosts, required);
}
