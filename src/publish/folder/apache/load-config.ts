/** httpd.conf with everything it includes, variables put in; conditions answered as far as files can tell. */
import { globSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { GarnerError } from '../../../core/errors.ts';
import { USUAL_MODULES } from './directive-names.ts';
import { type Directive, parseDirectives } from './directives.ts';
import type { Conditions, Finding } from './layer.ts';

export interface LoadedConfig extends Conditions {
  readonly directives: readonly Directive[];
  /** Every file that was read: when one changes, all is read again. */
  readonly files: readonly string[];
  readonly findings: readonly Finding[];
  /** Rules that are somewhere and cannot be read: until they can, nobody may read anything. */
  readonly denied: readonly Finding[];
  readonly serverRoot: string;
}

const MAX_INCLUDE_DEPTH = 32;
const MAX_FILES = 2000;

export function loadConfig(path: string): LoadedConfig {
  const files: string[] = [];
  const findings: Finding[] = [];
  const denied: Finding[] = [];
  const variables = new Map<string, string>();
  const defined = new Set<string>();
  let serverRoot = resolve(path, '..');

  const read = (file: string, depth: number): Directive[] => {
    if (depth > MAX_INCLUDE_DEPTH || files.length >= MAX_FILES)
      throw new GarnerError(
        'source.unreadable',
        `${file}: the web server's configuration includes too many files`,
      );
    files.push(file);
    const { directives, mistakes } = parseDirectives(readText(file), file);
    findings.push(...mistakes);
    return expand(directives, depth);
  };

  const expand = (directives: readonly Directive[], depth: number): Directive[] =>
    directives.flatMap((given): Directive[] => {
      const directive = substitute(given, variables);
      const { name, args } = directive;
      const [first = ''] = args;
      if (name === 'serverroot') serverRoot = first;
      else if (name === 'define') {
        defined.add(first);
        variables.set(first, args[1] ?? '');
      } else if (name === 'undefine') {
        defined.delete(first);
        variables.delete(first);
      } else if (name === 'include' || name === 'includeoptional') return include(directive, depth);
      return [directive.children ? { ...directive, children: expand(directive.children, depth) } : directive];
    });

  const include = ({ name, args, file, line }: Directive, depth: number): Directive[] => {
    const pattern = isAbsolute(args[0] ?? '') ? (args[0] ?? '') : join(serverRoot, args[0] ?? '');
    const found = includedFiles(pattern);
    const isMissing = found.length === 0 && name === 'include' && !/[*?[]/.test(pattern);
    if (isMissing || hasVariable(pattern))
      denied.push({
        file,
        line,
        message: `${pattern} is included but not found; rules in it are not known: taken as a denial of everything`,
      });
    return found.flatMap((one) => read(one, depth + 1));
  };

  const directives = read(resolve(path), 0);
  const modules = loadedModules(directives);
  return {
    directives,
    files,
    findings,
    denied,
    serverRoot,
    holds: (section) => holds(section, defined, modules),
  };
}

/** What .htaccess files ask where no server configuration is known: answered as by a plain 2.4. */
export const PLAIN_SERVER: Conditions = { holds: (section) => holds(section, new Set(), new Set()) };

/** In the order of their names; of a folder all files in it. */
function includedFiles(pattern: string): string[] {
  const names = /[*?[]/.test(pattern) ? globSync(pattern).toSorted() : [pattern];
  return names.flatMap((name) => {
    const stats = statSync(name, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return includedFiles(join(name, '*'));
    return stats?.isFile() ? [name] : [];
  });
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new GarnerError('source.unreadable', `the web server's configuration ${file} cannot be read`, {
      cause,
    });
  }
}

/** One that is not defined in the configuration, but where the server is started. */
export const hasVariable = (text: string): boolean => /\$\{\w+\}/.test(text);

function substitute(directive: Directive, variables: ReadonlyMap<string, string>): Directive {
  if (!directive.rest.includes('${')) return directive;
  const put = (text: string) =>
    text.replace(/\$\{(\w+)\}/g, (found, name: string) => variables.get(name) ?? found);
  return { ...directive, rest: put(directive.rest), args: directive.args.map(put) };
}

/** Names as `mod_x.c` and as `x_module`. */
function loadedModules(directives: readonly Directive[]): ReadonlySet<string> {
  const found = directives.flatMap(({ name, args, children }): string[] => {
    if (children) return [...loadedModules(children)];
    if (name !== 'loadmodule' || args[0] === undefined) return [];
    return [args[0], /([^/\\]+)\.(?:so|dll)$/.exec(args[1] ?? '')?.[1] ?? ''].flatMap((one) => [
      one,
      `${one}.c`,
    ]);
  });
  return new Set(found);
}

function holds(
  { name, args, rest }: Directive,
  defined: ReadonlySet<string>,
  modules: ReadonlySet<string>,
): boolean | undefined {
  const negated = args[0]?.startsWith('!') === true;
  const subject = (args[0] ?? '').replace(/^!/, '');
  switch (name) {
    case 'ifmodule': {
      const alias = subject.replace(/^(\w+)_module$/, 'mod_$1.c');
      const known = modules.has(subject) || modules.has(alias) || USUAL_MODULES.has(alias);
      if (known) return !negated;
      // A configuration that loads modules names all that are not compiled in.
      return modules.size > 0 ? negated : undefined;
    }
    case 'ifdefine':
      // What was not defined here may have been on the server's command line.
      return defined.has(subject) ? !negated : undefined;
    case 'ifversion':
      return versionHolds(rest);
    case 'limit':
      return args.some(isReading);
    case 'limitexcept':
      return !args.some(isReading);
    default:
      return undefined;
  }
}

/** In capitals only; to Apache, HEAD is GET. */
const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** The server is taken for a 2.4; finer questions stay open. */
function versionHolds(condition: string): boolean | undefined {
  const [, operator = '=', major = '', minor = '0'] =
    /^\s*(!?(?:<=|>=|<|>|==?))?\s*(\d+)(?:\.(\d+))?\s*$/.exec(condition) ?? [];
  if (major === '') return undefined;
  const difference = 204 - (Number(major) * 100 + Number(minor));
  const plain = operator.replace(/^!/, '');
  const answer =
    plain === '<'
      ? difference < 0
      : plain === '<='
        ? difference <= 0
        : plain === '>'
          ? difference > 0
          : plain === '>='
            ? difference >= 0
            : difference === 0;
  return operator.startsWith('!') ? !answer : answer;
}
