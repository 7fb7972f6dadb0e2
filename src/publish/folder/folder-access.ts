/** Who may read a file of the folder: the source's rule, the configured rules and the web server's, all together. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, matchesGlob, relative, resolve } from 'node:path';
import type { AccessRule } from '../../core/access.ts';
import { writeRule } from '../../core/access-match.ts';
import { EVERY_ADDRESS, NO_ADDRESS, parseAddresses, unite } from './apache/address-ranges.ts';
import { bothOf, type Clients, toAccessRule } from './apache/clients.ts';
import { createDecider, type FileKind, type FolderRules } from './apache/decide.ts';
import type { Passwords } from './apache/htpasswd.ts';
import type { Conditions, Finding } from './apache/layer.ts';
import { loadConfig, PLAIN_SERVER } from './apache/load-config.ts';
import { NO_SERVER_RULES, readServerRules, type ServerRules } from './apache/server-rules.ts';
import type { FolderSource } from './folder-source.ts';
import { decodeEntry, encodeText } from './url-path.ts';

/** A folder or file of the disk that stands at an address of its own (`Alias`). */
export interface Mount {
  /** The entry of a file, or with a slash at the end that of a folder; empty for the root. */
  readonly entry: string;
  readonly path: string;
}

/** Undefined rule: nobody may read it. */
export interface FileAccess {
  readonly rule: AccessRule | undefined;
  readonly findings: readonly Finding[];
}

export interface FolderAccess {
  readonly mounts: readonly Mount[];
  /** About the configuration as a whole. */
  readonly findings: readonly Finding[];
  /** The rules at a mount, all folders above it taken into account. */
  enterMount(path: string): FolderRules;
  enter(outer: FolderRules, name: string): FolderRules;
  decide(folder: FolderRules, entry: string, name: string, kind: FileKind): FileAccess;
  indexNames(folder: FolderRules): readonly string[];
  /** Whether a configuration file has changed since. */
  isStale(): boolean;
}

const MAX_ACCESS_FILE_BYTES = 1024 * 1024;
/** Where nothing is. */
const NO_SERVER_ROOT = '/nonexistent';

export function createFolderAccess(source: FolderSource, passwords: Passwords): FolderAccess {
  const { conditions, rules, files, serverRoot } = loadRules(source);
  const stamps = new Map(files.map((file) => [file, stampOf(file)]));
  const decider = createDecider(rules, conditions, {
    userGroup: (file, user) => passwords.userGroup(resolve(serverRoot, file), user),
    membersOf: (file, group) => passwords.membersOf(resolve(serverRoot, file), group),
  });
  const basePath = new URL(source.baseUrl).pathname;
  const sourceClients = toClients(source.access);
  const sourceRule = writeRule(source.access);
  const root = serverPathOf(source.folder, rules.documentRoot);

  const enterPath = (outer: FolderRules, path: string): FolderRules =>
    decider.enter(outer, path, readAccessFile(path, source, rules));

  const indexNames = (folder: FolderRules): readonly string[] => folder.indexNames ?? source.indexNames;

  const enterMount = (path: string): FolderRules => {
    // Without a server configuration nothing is known of what lies above the folder.
    if (!source.httpdConf) return enterPath(decider.start, path);
    const steps = path.split('/').filter(Boolean);
    return ['/', ...steps.map((_, i) => `/${steps.slice(0, i + 1).join('/')}`)].reduce(
      enterPath,
      decider.start,
    );
  };

  return {
    mounts: [{ entry: '', path: root }, ...aliasMounts(rules, basePath)],
    findings: rules.findings,
    enterMount,
    enter: (outer, name) => enterPath(outer, `${outer.path.replace(/\/$/, '')}/${name}`),
    decide: (folder, entry, name, kind) => {
      const local = decodeEntry(entry).toString('utf8');
      const own = source.rules.find(({ match }) => matchesGlob(local, match));
      const urlPath = basePath + local;
      const { clients, findings } = decider.decide(folder, { name, urlPath, kind });
      // What answers at the address of its folder must be allowed there, too.
      const there = indexNames(folder).includes(name)
        ? decider.decide(folder, { name: '', urlPath: urlPath.replace(/[^/]*$/, ''), kind })
        : undefined;
      const joined = [own && toClients(own.access), clients, there?.clients].reduce<Clients>(
        (all, next) => (next ? bothOf(all, next) : all),
        sourceClients,
      );
      const rule = toRule(joined);
      return { rule: rule && writeRule(rule) === sourceRule ? source.access : rule, findings };
    },
    indexNames,
    isStale: () => stamps.entries().some(([file, stamp]) => stampOf(file) !== stamp),
  };
}

interface LoadedRules {
  readonly conditions: Conditions;
  readonly rules: ServerRules;
  readonly files: readonly string[];
  /** What relative paths are relative to. */
  readonly serverRoot: string;
}

function loadRules(source: FolderSource): LoadedRules {
  if (source.httpdConf === undefined)
    return { conditions: PLAIN_SERVER, rules: NO_SERVER_RULES, files: [], serverRoot: NO_SERVER_ROOT };
  const config = loadConfig(source.httpdConf);
  const rules = readServerRules(config, { host: new URL(source.baseUrl).hostname, folder: source.folder });
  return { conditions: config, rules, files: config.files, serverRoot: config.serverRoot };
}

const stampOf = (file: string): string => {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : '';
};

function readAccessFile(
  path: string,
  source: FolderSource,
  rules: ServerRules,
): { path: string; text: string } | undefined {
  if (!source.htaccess) return undefined;
  for (const name of rules.accessFileNames) {
    const file = join(path, name);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats?.isFile()) continue;
    // A file that is there and cannot be read is a denial: so says Apache, too.
    if (stats.size > MAX_ACCESS_FILE_BYTES) return { path: file, text: 'Require all denied' };
    try {
      return { path: file, text: readFileSync(file, 'utf8') };
    } catch {
      return { path: file, text: 'Require all denied' };
    }
  }
  return undefined;
}

/** The folder as the server names it: by its DocumentRoot, which may lead here by a link. */
function serverPathOf(folder: string, documentRoot: string | undefined): string {
  if (documentRoot === undefined) return resolve(folder);
  const real = realPath(folder);
  const inside = relative(realPath(documentRoot), real);
  return inside === '' || (!inside.startsWith('..') && !isAbsolute(inside))
    ? join(documentRoot, inside)
    : real;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // The scan tells that the folder is missing.
    return resolve(path);
  }
}

/** Aliases below the base URL; the ones above it are another site's. */
function aliasMounts(rules: ServerRules, basePath: string): Mount[] {
  return rules.aliases.flatMap(({ url, target }) => {
    if (!url.startsWith(basePath) || url === basePath) return [];
    const isFolder = statSync(target, { throwIfNoEntry: false })?.isDirectory() === true;
    const entry = url.slice(basePath.length).replace(/\/+$/, '').split('/').map(encodeText).join('/');
    return [{ entry: isFolder ? `${entry}/` : entry, path: target }];
  });
}

/** Tokens travel as groups, which rules know, too. */
const TOKEN = 'token ';

function toClients(rule: AccessRule): Clients {
  const addresses = rule.public
    ? EVERY_ADDRESS
    : unite(NO_ADDRESS, ...(rule.networks ?? []).map((network) => parseAddresses(network) ?? NO_ADDRESS));
  return {
    addresses,
    groups: new Set([...(rule.groups ?? []), ...(rule.tokens ?? []).map((token) => TOKEN + token)]),
    exact: true,
  };
}

function toRule(clients: Clients): AccessRule | undefined {
  const rule = toAccessRule(clients);
  const tokens =
    rule?.groups?.filter((group) => group.startsWith(TOKEN)).map((group) => group.slice(TOKEN.length)) ?? [];
  if (!rule || tokens.length === 0) return rule;
  const { groups = [], ...rest } = rule;
  const others = groups.filter((group) => !group.startsWith(TOKEN));
  return { ...rest, ...(others.length > 0 && { groups: others }), tokens };
}
