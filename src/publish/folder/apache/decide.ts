/**
 * From the server's rules and the .htaccess files on the way to a file: who may read it. Sections are merged
 * in Apache's order: folders with their .htaccess from the outside in, DirectoryMatch, Files, Location.
 */
import { authorize, compatClients, joinChecks, type People, type Requirement } from './authorize.ts';
import { bothOf, type Clients, NOBODY, UNKNOWN } from './clients.ts';
import { type Directive, parseDirectives } from './directives.ts';
import {
  type AuthSettings,
  type CompatRules,
  type Conditions,
  type FilesSection,
  type Finding,
  type Layer,
  readLayer,
} from './layer.ts';
import { findMistakes } from './mistakes.ts';
import { overrideClasses } from './override-classes.ts';
import type { Matches } from './patterns.ts';
import type { Refusal } from './refusals.ts';
import type { ServerRules } from './server-rules.ts';

/** What holds in one folder, before files and addresses are looked at. */
export interface FolderRules {
  /** As the web server knows it. */
  readonly path: string;
  readonly requires: Requirement | undefined;
  readonly compat: CompatRules | undefined;
  readonly auth: AuthSettings;
  readonly overrides: ReadonlySet<string>;
  readonly overrideList: ReadonlySet<string>;
  readonly files: readonly FilesSection[];
  readonly refusals: readonly (Refusal & { readonly base: string })[];
  /** Absent where nobody said. */
  readonly indexNames: readonly string[] | undefined;
  readonly followLinks: boolean;
  /** By rules of folders: mod_rewrite then refuses all where links are not followed. */
  readonly rewrites: boolean;
  readonly runExtensions: ReadonlySet<string>;
  readonly handler: string | undefined;
  readonly denied: readonly Finding[];
}

/** A page is what a program answers at an address. */
export type FileKind = 'file' | 'link' | 'page';

export interface Decision {
  readonly clients: Clients;
  readonly findings: readonly Finding[];
}

export interface Decider {
  /** Rules in force before any folder is entered. */
  readonly start: FolderRules;
  /** `accessFile`: the text of the .htaccess file in the folder, undefined when there is none. */
  enter(
    outer: FolderRules,
    path: string,
    accessFile: { readonly path: string; readonly text: string } | undefined,
  ): FolderRules;
  decide(folder: FolderRules, file: FileInFolder): Decision;
}

interface FileInFolder {
  /** Empty for the folder itself. */
  readonly name: string;
  readonly urlPath: string;
  readonly kind: FileKind;
}

export function createDecider(rules: ServerRules, conditions: Conditions, people: People): Decider {
  const start = apply(
    {
      path: '',
      requires: undefined,
      compat: undefined,
      auth: {},
      // AllowOverride is None by default since 2.4.
      overrides: new Set<string>(),
      overrideList: new Set<string>(),
      files: rules.files,
      refusals: [],
      indexNames: undefined,
      followLinks: true,
      rewrites: false,
      runExtensions: new Set<string>(),
      handler: undefined,
      denied: [],
    },
    rules.base,
  );

  return {
    start,
    enter: (outer, path, accessFile) => {
      let folder: FolderRules = { ...outer, path };
      for (const { matches, layer } of rules.directories) if (matches(path)) folder = apply(folder, layer);
      if (!accessFile || folder.overrides.size + folder.overrideList.size === 0) return folder;
      return applyAccessFile(folder, accessFile, conditions);
    },
    decide: (entered, file) => {
      // Apache asks expressions for the whole path. Who wrote one for the folder meant what is in it, too.
      const exact = decideAt(entered, file, ({ path }, matches) => matches(`${path}/${file.name}`));
      if (rules.directoryMatches.length === 0) return exact;
      const meant = decideAt(entered, file, ({ path }, matches) =>
        [path, `${path}/`, `${path}/${file.name}`].some(matches),
      );
      return {
        clients: bothOf(exact.clients, meant.clients),
        findings: [...exact.findings, ...meant.findings],
      };
    },
  };

  function decideAt(
    entered: FolderRules,
    { name, urlPath, kind }: FileInFolder,
    isOf: (folder: FolderRules, matches: Matches) => boolean,
  ): Decision {
    let folder = entered;
    for (const { matches, layer } of rules.directoryMatches)
      if (isOf(folder, matches)) folder = apply(folder, layer);
    for (const { matches, layer } of folder.files) if (matches(name)) folder = apply(folder, layer);
    for (const { matches, layer } of rules.locations) if (matches(urlPath)) folder = apply(folder, layer);
    const refused =
      (kind !== 'page' && isAnswered(rules, folder, name, urlPath)) ||
      ((kind === 'link' || folder.rewrites) && !folder.followLinks) ||
      folder.refusals.some((refusal) => refuses(refusal, `${folder.path}/${name}`, urlPath));
    if (refused) return { clients: NOBODY, findings: [] };
    if (folder.denied.length > 0) return { clients: UNKNOWN, findings: folder.denied };
    const findings: Finding[] = [];
    const context = { auth: folder.auth, people, report: (finding: Finding) => findings.push(finding) };
    const hosts = folder.compat && compatClients(folder.compat, context);
    const required = folder.requires && authorize(folder.requires, context);
    return { clients: joinChecks(hosts, required, folder.compat?.satisfy ?? 'all'), findings };
  }
}

/** By a program or another server, so that nobody ever gets the file itself. */
function isAnswered(rules: ServerRules, folder: FolderRules, name: string, urlPath: string): boolean {
  const extensions = name.toLowerCase().split('.').slice(1);
  return (
    rules.answeredElsewhere.some((matches) => matches(urlPath)) ||
    (folder.handler !== undefined && !/^(?:none|default-handler)$/.test(folder.handler)) ||
    extensions.some((extension) => folder.runExtensions.has(extension))
  );
}

function refuses(refusal: Refusal & { readonly base: string }, path: string, urlPath: string): boolean {
  if (refusal.of === 'url') return refusal.matches(urlPath);
  const spared = path.endsWith('/') ? refusal.spares.folders : refusal.spares.files;
  if (spared === 'always' || (spared === 'in-folders' && refusal.base !== '')) return false;
  // Inside a folder's section the pattern sees the path from there on; at server level the address.
  return refusal.base === ''
    ? refusal.matches(urlPath)
    : refusal.matches(path.slice(refusal.base.length + 1));
}

function apply(folder: FolderRules, layer: Layer): FolderRules {
  const requires: Requirement | undefined =
    layer.requires === undefined
      ? folder.requires
      : layer.merging === 'off'
        ? layer.requires
        : { merge: layer.merging, outer: folder.requires, inner: layer.requires };
  return {
    path: folder.path,
    requires,
    compat: layer.compat ?? folder.compat,
    auth: { ...folder.auth, ...layer.auth },
    overrides: layer.overrides ?? folder.overrides,
    overrideList: layer.overrideList ?? folder.overrideList,
    files: layer.files.length > 0 ? [...folder.files, ...layer.files] : folder.files,
    refusals:
      layer.refusals.length > 0
        ? [...folder.refusals, ...layer.refusals.map((one) => ({ ...one, base: folder.path }))]
        : folder.refusals,
    indexNames: layer.indexNames ?? folder.indexNames,
    followLinks: layer.followLinks ?? folder.followLinks,
    rewrites: folder.path === '' ? false : (layer.rewrites ?? folder.rewrites),
    runExtensions:
      layer.runExtensions.length > 0
        ? new Set([...folder.runExtensions, ...layer.runExtensions])
        : folder.runExtensions,
    handler: layer.handler ?? folder.handler,
    denied: layer.denied.length > 0 ? [...folder.denied, ...layer.denied] : folder.denied,
  };
}

/** A directive that AllowOverride does not grant makes Apache answer 500 for the whole folder. */
function applyAccessFile(
  folder: FolderRules,
  { path, text }: { readonly path: string; readonly text: string },
  conditions: Conditions,
): FolderRules {
  const { directives, mistakes } = parseDirectives(text, path);
  const forbidden = findForbidden(directives, folder);
  const layer = readLayer(directives, conditions);
  return apply(folder, {
    ...layer,
    denied: [...layer.denied, ...mistakes, ...findMistakes(directives), ...forbidden],
  });
}

function findForbidden(directives: readonly Directive[], folder: FolderRules): Finding[] {
  return directives.flatMap(({ name, children, file, line }) => {
    const inner = children ? findForbidden(children, folder) : [];
    const needed = overrideClasses(name);
    const isGranted =
      needed === 'any' ? folder.overrides.size > 0 : needed.some((one) => folder.overrides.has(one));
    if (isGranted || folder.overrideList.has(children ? `<${name}` : name)) return inner;
    const why = needed.length === 0 ? 'in this file' : 'here by AllowOverride';
    return [
      { file, line, message: `${name} is not allowed ${why}: the server answers with an error` },
      ...inner,
    ];
  });
}
