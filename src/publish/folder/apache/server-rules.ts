/** A server's configuration, sorted by scope: what holds for folders, for files, for addresses. */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Directive } from './directives.ts';
import {
  type Conditions,
  type FilesSection,
  type Finding,
  type Layer,
  mentionsAccess,
  readLayer,
} from './layer.ts';
import { hasVariable, type LoadedConfig } from './load-config.ts';
import { globMatcher, locationMatcher, type Matches, regexMatcher } from './patterns.ts';

export interface Scope {
  readonly matches: Matches;
  readonly layer: Layer;
}

export interface Alias {
  /** Path of the address, decoded, as written. */
  readonly url: string;
  readonly target: string;
}

export interface ServerRules {
  readonly base: Layer;
  /** `<Directory>`, shortest first. */
  readonly directories: readonly (Scope & { readonly depth: number })[];
  readonly directoryMatches: readonly Scope[];
  readonly files: readonly FilesSection[];
  readonly locations: readonly Scope[];
  readonly aliases: readonly Alias[];
  /** Addresses that programs or other servers answer for. */
  readonly answeredElsewhere: readonly Matches[];
  readonly documentRoot: string | undefined;
  /** Names of .htaccess files. */
  readonly accessFileNames: readonly string[];
  readonly findings: readonly Finding[];
}

/** Without a configuration: .htaccess files are obeyed, nothing else is known. */
export const NO_SERVER_RULES: ServerRules = {
  base: {
    merging: 'off',
    auth: {},
    files: [],
    refusals: [],
    runExtensions: [],
    denied: [],
    overrides: new Set(['all', 'authconfig', 'fileinfo', 'indexes', 'limit', 'options']),
  },
  directories: [],
  directoryMatches: [],
  files: [],
  locations: [],
  aliases: [],
  answeredElsewhere: [],
  documentRoot: undefined,
  accessFileNames: ['.htaccess'],
  findings: [],
};

export function readServerRules(
  config: LoadedConfig,
  site: { readonly host: string; readonly folder: string },
): ServerRules {
  const main = unwrap(config.directives, config);
  const host = chooseHost(main, site);
  const own = [...main.filter(({ name }) => name !== 'virtualhost'), ...unwrap(host?.children ?? [], config)];
  const denied = [...config.denied, ...findUnnamed(own)];
  const findings: Finding[] = [...config.findings, ...denied];
  const scopes = (
    isWanted: (directive: Directive) => boolean,
    make: (directive: Directive) => Matches | undefined,
  ): Scope[] =>
    own
      .filter((directive) => directive.children !== undefined && isWanted(directive))
      .flatMap((directive) => {
        const matches = make(directive);
        const layer = readLayer(directive.children ?? [], config);
        if (matches) return [{ matches, layer }];
        const { file, line } = directive;
        const finding = {
          file,
          line,
          message: `the expression of <${directive.name} ${directive.rest}> is not understood: taken as a denial of everything`,
        };
        findings.push(finding);
        return [{ matches: () => true, layer: { ...layer, denied: [...layer.denied, finding] } }];
      });
  const isRegex = ({ name, args }: Directive) => name.endsWith('match') || args[0] === '~';
  const expression = ({ name, args }: Directive) =>
    regexMatcher((name.endsWith('match') ? args[0] : args[1]) ?? '');
  const isExpressionOf = (kind: string) => (directive: Directive) =>
    directive.name.startsWith(kind) && isRegex(directive);
  const plainPath = (text: string) => resolve('/', text.replace(/(.)\/+$/, '$1'));
  const directories = own
    .filter((directive) => directive.name === 'directory' && !isRegex(directive))
    .map((directive) => {
      const path = plainPath(directive.args[0] ?? '/');
      return {
        matches: globMatcher(path),
        layer: readLayer(directive.children ?? [], config),
        depth: path.split('/').filter(Boolean).length,
      };
    })
    .toSorted((a, b) => a.depth - b.depth);
  const root = own.findLast(({ name }) => name === 'documentroot')?.args[0];
  const { files, ...base } = readLayer(own, config);
  return {
    base: { ...base, files: [], denied: [...base.denied, ...denied] },
    files,
    directories,
    directoryMatches: scopes(isExpressionOf('directory'), expression),
    locations: scopes(
      ({ name }) => /^location(?:match)?$/.test(name),
      (directive) => (isRegex(directive) ? expression(directive) : locationMatcher(directive.args[0] ?? '/')),
    ),
    aliases: own
      .filter(({ name }) => name === 'alias')
      .map(({ args }) => ({ url: args[0] ?? '/', target: resolve(config.serverRoot, args[1] ?? '') })),
    answeredElsewhere: readElsewhere(own, findings),
    documentRoot: root === undefined ? undefined : resolve(config.serverRoot, root),
    accessFileNames: own.findLast(({ name }) => name === 'accessfilename')?.args ?? ['.htaccess'],
    findings,
  };
}

/** Sections with rules of access for what only the running server can name. */
const findUnnamed = (directives: readonly Directive[]): Finding[] =>
  directives
    .filter(({ rest, children }) => children && hasVariable(rest) && mentionsAccess(children))
    .map(({ name, rest, file, line }) => ({
      file,
      line,
      message: `the variable in <${name} ${rest}> is not known: taken as a denial of everything`,
    }));

/** Sections whose condition holds are opened, also where they hold whole scopes. */
function unwrap(directives: readonly Directive[], conditions: Conditions): Directive[] {
  return directives.flatMap((directive) => {
    if (!/^if(?:module|define|version)$/.test(directive.name) || !directive.children) return [directive];
    const holds = conditions.holds(directive);
    if (holds === true) return unwrap(directive.children, conditions);
    return holds === undefined ? moveInside(directive, unwrap(directive.children, conditions)) : [];
  });
}

/**
 * What cannot be decided is left to `readLayer`, which takes it for a denial if there are rules in it. Of whole
 * scopes the condition goes inside, so that only they are denied.
 */
function moveInside(condition: Directive, children: readonly Directive[]): Directive[] {
  const isScope = ({ name }: Directive) => /^(?:directory|location)(?:match)?$/.test(name);
  return [
    ...children
      .filter(isScope)
      .map((scope) => ({ ...scope, children: [{ ...condition, children: scope.children ?? [] }] })),
    { ...condition, children: children.filter((child) => !isScope(child)) },
  ];
}

/** By name, else by the folder it serves, else the first, which Apache takes for all unknown names. */
function chooseHost(
  directives: readonly Directive[],
  site: { readonly host: string; readonly folder: string },
): Directive | undefined {
  const hosts = directives.filter(({ name }) => name === 'virtualhost');
  const folder = realPath(site.folder);
  const named = ({ children = [] }: Directive) =>
    children.some(
      ({ name, args }) =>
        (name === 'servername' || name === 'serveralias') &&
        args.some((arg) =>
          globMatcher(
            arg
              .replace(/^\w+:\/\//, '')
              .replace(/:\d+$/, '')
              .toLowerCase(),
          )(site.host.toLowerCase()),
        ),
    );
  const serving = ({ children = [] }: Directive) =>
    children.some(({ name, args }) => name === 'documentroot' && realPath(args[0] ?? '') === folder);
  return (
    hosts.find((host) => named(host) && serving(host)) ?? hosts.find(named) ?? hosts.find(serving) ?? hosts[0]
  );
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A folder that is not on this machine is the same as no other.
    return path;
  }
}

function readElsewhere(directives: readonly Directive[], findings: Finding[]): Matches[] {
  return directives.flatMap(({ name, args, file, line }): Matches[] => {
    if (name === 'scriptalias' || (name === 'proxypass' && args[1] !== '!')) {
      const prefix = args[0] ?? '/';
      return [(path) => path.startsWith(prefix)];
    }
    if (!/^(?:aliasmatch|scriptaliasmatch|proxypassmatch)$/.test(name)) return [];
    const matches = regexMatcher(args[0] ?? '');
    if (matches) return [matches];
    findings.push({
      file,
      line,
      message: `the expression of ${name} is not understood: taken as a denial of everything`,
    });
    return [() => true];
  });
}
