/** What one section, one server or one .htaccess file says about reading: a layer, before layers are merged. */

import { OF_OTHER_METHODS } from './authorize.ts';
import {
  AUTH_DIRECTIVES,
  COMPAT_DIRECTIVES,
  CONDITIONS,
  HARMLESS,
  isAccessDirective,
  REFUSING,
  REQUIRE_DIRECTIVES,
} from './directive-names.ts';
import type { Directive, Place } from './directives.ts';
import { globMatcher, type Matches, regexMatcher } from './patterns.ts';
import { isRefusal, type Refusal, readRefusal } from './refusals.ts';

export interface Finding extends Place {
  readonly message: string;
}

/** mod_access_compat's directives of one section; together they replace those of outer ones. */
export interface CompatRules {
  readonly order: 'deny,allow' | 'allow,deny' | 'mutual-failure';
  readonly allow: readonly Directive[];
  readonly deny: readonly Directive[];
  readonly satisfy: 'all' | 'any';
}

export interface AuthSettings {
  readonly type?: string;
  readonly name?: string;
  readonly userFile?: string;
  readonly groupFile?: string;
  readonly provider?: string;
}

export interface FilesSection {
  readonly matches: Matches;
  readonly layer: Layer;
}

export interface Layer {
  /** Children of an implicit RequireAny; absent when the section has none. */
  readonly requires?: readonly Directive[];
  readonly merging: 'off' | 'and' | 'or';
  readonly compat?: CompatRules;
  readonly auth: AuthSettings;
  readonly files: readonly FilesSection[];
  readonly refusals: readonly Refusal[];
  /** Classes of directives that .htaccess files may have, in lower case; absent: as before. */
  readonly overrides?: ReadonlySet<string>;
  /** Single directives that they may have (AllowOverrideList), in lower case; absent: as before. */
  readonly overrideList?: ReadonlySet<string>;
  readonly indexNames?: readonly string[];
  readonly followLinks?: boolean;
  readonly rewrites?: boolean;
  /** Files with these extensions are run. */
  readonly runExtensions: readonly string[];
  /** The name of a handler that answers instead of the file; `none` for the file itself. */
  readonly handler?: string;
  /** Why nobody may read below here, whatever inner sections say. */
  readonly denied: readonly Finding[];
}

/** What follows a directive into every section it is in, and says whether it counts. */
export interface Conditions {
  /** Undefined: cannot be known from here. */
  holds(section: Directive): boolean | undefined;
}

interface Draft {
  requires: Directive[] | undefined;
  merging: Layer['merging'];
  compat:
    | { order: CompatRules['order']; allow: Directive[]; deny: Directive[]; satisfy: CompatRules['satisfy'] }
    | undefined;
  auth: AuthSettings;
  files: FilesSection[];
  refusals: Refusal[];
  overrides: ReadonlySet<string> | undefined;
  overrideList: ReadonlySet<string> | undefined;
  indexNames: readonly string[] | undefined;
  followLinks: boolean | undefined;
  runExtensions: string[];
  handler: string | undefined;
  denied: Finding[];
  unknown: Directive[];
  rewrites: boolean | undefined;
  /** Before the next RewriteRule. */
  rewriteConditions: Directive[];
}

export function readLayer(directives: readonly Directive[], conditions: Conditions): Layer {
  const draft: Draft = {
    requires: undefined,
    merging: 'off',
    compat: undefined,
    auth: {},
    files: [],
    refusals: [],
    overrides: undefined,
    overrideList: undefined,
    indexNames: undefined,
    followLinks: undefined,
    runExtensions: [],
    handler: undefined,
    denied: [],
    unknown: [],
    rewrites: undefined,
    rewriteConditions: [],
  };
  for (const directive of flatten(directives, conditions, draft)) takeDirective(draft, directive, conditions);
  noteUnknown(draft);
  const {
    requires,
    merging,
    compat,
    auth,
    files,
    refusals,
    overrides,
    overrideList,
    indexNames,
    followLinks,
    rewrites,
    handler,
    denied,
  } = draft;
  return {
    ...(requires && { requires }),
    merging,
    ...(compat && { compat }),
    auth,
    files,
    refusals: rewrites === false ? refusals.filter(({ rewrite }) => !rewrite) : refusals,
    ...(overrides && { overrides }),
    ...(overrideList && { overrideList }),
    ...(indexNames && { indexNames }),
    ...(followLinks !== undefined && { followLinks }),
    ...(rewrites !== undefined && { rewrites }),
    runExtensions: draft.runExtensions,
    ...(handler !== undefined && { handler }),
    denied,
  };
}

/** Conditional sections opened where their condition is known; where it is not, rules in them deny. */
function* flatten(
  directives: readonly Directive[],
  conditions: Conditions,
  draft: Draft,
): Generator<Directive> {
  for (const directive of directives) {
    const { name, children } = directive;
    const isCondition = /^if(?:module|define|version)$/.test(name) || CONDITIONS.has(name);
    if (!children || !(isCondition || name === 'limit' || name === 'limitexcept')) {
      yield directive;
      continue;
    }
    const holds = conditions.holds(directive);
    if (holds === true) yield* flatten(children, conditions, draft);
    else if (holds === false && name.startsWith('limit')) yield* forOtherMethods(children, conditions, draft);
    else if (holds === undefined && mentionsAccess(children)) {
      const { file, line } = directive;
      draft.denied.push({
        file,
        line,
        message: `<${name} ${directive.rest}> cannot be decided here, and it has rules of access: taken as a denial`,
      });
    }
  }
}

export const mentionsAccess = (directives: readonly Directive[]): boolean =>
  directives.some(
    ({ name, children }) =>
      isAccessDirective(name) || REFUSING.has(name) || (children !== undefined && mentionsAccess(children)),
  );

/** Rules for other methods replace those of outer sections for GET, too: by none. Other directives are for all. */
function* forOtherMethods(
  directives: readonly Directive[],
  conditions: Conditions,
  draft: Draft,
): Generator<Directive> {
  for (const directive of flatten(directives, conditions, draft)) {
    if (COMPAT_DIRECTIVES.has(directive.name)) draft.compat ??= noCompat();
    else if (isRequirement(directive)) yield { ...directive, ...OF_OTHER_METHODS };
    else yield directive;
  }
}

const isRequirement = ({ name }: Directive): boolean =>
  REQUIRE_DIRECTIVES.has(name) && name !== 'authmerging';

const noCompat = (): NonNullable<Draft['compat']> => ({
  order: 'deny,allow',
  allow: [],
  deny: [],
  satisfy: 'all',
});

function takeDirective(draft: Draft, directive: Directive, conditions: Conditions): void {
  const { name, args, children, file, line } = directive;
  const [first = ''] = args;
  if (name === 'authmerging')
    draft.merging = first.toLowerCase() === 'and' ? 'and' : first.toLowerCase() === 'or' ? 'or' : 'off';
  else if (REQUIRE_DIRECTIVES.has(name)) draft.requires = [...(draft.requires ?? []), directive];
  else if (COMPAT_DIRECTIVES.has(name)) takeCompat(draft, directive);
  else if (AUTH_DIRECTIVES.has(name)) takeAuth(draft, name, args);
  else if (name === 'files' || name === 'filesmatch') {
    const matches = filesMatcher(directive);
    if (matches) draft.files.push({ matches, layer: readLayer(children ?? [], conditions) });
    else if (mentionsAccess(children ?? []))
      draft.denied.push({
        file,
        line,
        message: `the expression ${directive.rest} is not understood: taken as a denial`,
      });
  } else if (name === 'allowoverride') draft.overrides = readOverrides(args);
  else if (name === 'allowoverridelist')
    draft.overrideList = new Set(args.map((arg) => arg.toLowerCase()).filter((arg) => arg !== 'none'));
  else if (name === 'directoryindex')
    draft.indexNames = first.toLowerCase() === 'disabled' ? [] : [...(draft.indexNames ?? []), ...args];
  else if (name === 'options') draft.followLinks = readFollowLinks(args) ?? draft.followLinks;
  else if (name === 'rewriteengine') draft.rewrites = first.toLowerCase() !== 'off';
  else if (name === 'rewritecond') draft.rewriteConditions.push(directive);
  else if (name === 'sethandler') draft.handler = first.toLowerCase();
  else if (isServedElsewhere(directive)) draft.handler = 'elsewhere';
  else if (name === 'addhandler' || (name === 'addtype' && /^application\/x-httpd-/i.test(first)))
    draft.runExtensions.push(...args.slice(1).map((extension) => extension.replace(/^\./, '').toLowerCase()));
  else if (isRefusal(directive)) {
    const refusal = readRefusal(directive, draft.rewriteConditions);
    if (refusal) draft.refusals.push(refusal);
    else
      draft.denied.push({
        file,
        line,
        message: `${name} ${directive.rest} is not understood: taken as a denial`,
      });
  } else if (!HARMLESS.has(name) && !REFUSING.has(name) && !isScope(name)) draft.unknown.push(directive);
  if (name === 'rewriterule') draft.rewriteConditions = [];
}

/** In sections of addresses these have no path of their own. */
const isServedElsewhere = ({ name, args }: Directive): boolean =>
  (/^(?:script)?alias$/.test(name) && args.length === 1) ||
  (name === 'proxypass' && /^(?:\w+:\/\/|unix:)/i.test(args[0] ?? ''));

/** Sections that the server's own walk handles (see `server-rules.ts`). */
const isScope = (name: string): boolean =>
  /^(?:directory|directorymatch|location|locationmatch|virtualhost|proxy|proxymatch|macro)$/.test(name);

function takeCompat(draft: Draft, directive: Directive): void {
  draft.compat ??= noCompat();
  const text = directive.rest.replace(/\s/g, '').toLowerCase();
  if (directive.name === 'order')
    draft.compat.order = text === 'allow,deny' || text === 'mutual-failure' ? text : 'deny,allow';
  else if (directive.name === 'satisfy') draft.compat.satisfy = text === 'any' ? 'any' : 'all';
  else draft.compat[directive.name === 'allow' ? 'allow' : 'deny'].push(directive);
}

function takeAuth(draft: Draft, name: string, args: readonly string[]): void {
  const [value = ''] = args;
  const keys: Readonly<Record<string, keyof AuthSettings>> = {
    authtype: 'type',
    authname: 'name',
    authuserfile: 'userFile',
    authgroupfile: 'groupFile',
    authbasicprovider: 'provider',
  };
  const key = keys[name];
  if (key) draft.auth = { ...draft.auth, [key]: key === 'provider' ? args.join(' ') : value };
}

function filesMatcher({ name, args }: Directive): Matches | undefined {
  const isRegex = name === 'filesmatch' || args[0] === '~';
  const pattern = (name === 'files' && isRegex ? args[1] : args[0]) ?? '';
  return isRegex ? regexMatcher(pattern) : globMatcher(pattern);
}

/** Not with a value: `Options=…` grants some options only, `Nonfatal=…` leaves out what is not granted. */
function readOverrides(args: readonly string[]): ReadonlySet<string> {
  const classes = new Set(args.map((arg) => arg.toLowerCase()));
  if (classes.has('all')) return new Set(['all', 'authconfig', 'fileinfo', 'indexes', 'limit', 'options']);
  classes.delete('none');
  return classes;
}

/** SymLinksIfOwnerMatch is taken for a no: owners are not compared here. */
function readFollowLinks(args: readonly string[]): boolean | undefined {
  const relative = args.filter((arg) => /^[+-]/.test(arg)).map((arg) => arg.toLowerCase());
  if (relative.includes('-followsymlinks') || relative.includes('+symlinksifownermatch')) return false;
  if (relative.includes('+followsymlinks')) return true;
  if (relative.length > 0) return undefined;
  return args.some((arg) => /^(?:followsymlinks|all)$/i.test(arg));
}

/**
 * Directives that nobody here knows do no harm beside rules that let everybody in, and change nothing
 * beside rules that let nobody in. Beside any other rule they may be part of it.
 */
function noteUnknown(draft: Draft): void {
  const rules = [...(draft.requires ?? []), ...(draft.compat?.allow ?? []), ...(draft.compat?.deny ?? [])];
  const restricts =
    (draft.requires !== undefined || draft.compat !== undefined) &&
    !rules.every(
      ({ name, rest }) =>
        /^(?:require|allow)$/.test(name) && /^(?:all\s+granted|from\s+all)$/i.test(rest.trim()),
    ) &&
    !rules.every(
      ({ name, rest }) =>
        /^(?:require|deny)$/.test(name) && /^(?:all\s+denied|from\s+all)$/i.test(rest.trim()),
    );
  if (!restricts) return;
  for (const { name, file, line } of draft.unknown)
    draft.denied.push({
      file,
      line,
      message: `the directive ${name} is not known and stands beside rules of access: taken as a denial`,
    });
}
