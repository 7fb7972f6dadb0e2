/** The composition root: configuration in, a working Garner out. Nothing else puts parts together. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { AccessRule } from './core/access.ts';
import { type Config, configMistake, type SourceConfig } from './core/config.ts';
import { type ConfigMistake, configError } from './core/config-mistakes.ts';
import { asGarnerError, GarnerError } from './core/errors.ts';
import type { Log } from './core/log.ts';
import { nearestNames } from './core/nearest.ts';
import { systemClock } from './core/time.ts';
import { readTopics, type Topic } from './discover/index.ts';
import { BUILTIN_FORMATS } from './formats/builtin-formats.ts';
import type { MetadataFormat } from './formats/format.ts';
import { buildOwnFormats } from './formats/own-formats.ts';
import { createFormatRegistry, type FormatRegistry } from './formats/registry.ts';
import type { FilesSource } from './harvest/files/index.ts';
import { createSiteClient } from './harvest/http/site-client.ts';
import type { Ingest } from './harvest/ingest.ts';
import { createIngestPool } from './harvest/ingest-pool.ts';
import { userAgent } from './net/user-agent.ts';
import {
  type PublishedFolders,
  publishFolders,
  readFolderSource,
  readPublishOptions,
} from './publish/folder/index.ts';
import { MATCH_ALL } from './query/ast.ts';
import { createCatalogue, type FieldCatalogue } from './query/catalogue.ts';
import { parseQuery } from './query/parse.ts';
import type { GarnerStore, StoreSetup, StoreUpdate, ViewSpec } from './store/index.ts';
import { openStore } from './store/open.ts';

export { restoreBackup } from './store/sqlite/backup.ts';

export interface OpenOptions {
  /** Keep this thread free: the store works in threads of its own. */
  readonly threads?: boolean;
  /** How many of them read; each has memory of its own. */
  readonly readers?: number;
  /** Sources that the configuration does not name (`garner import PATH --source NAME`). */
  readonly extraSources?: readonly string[];
  /** Hears how a store of an older version is brought up to date. */
  readonly onUpdate?: (update: StoreUpdate) => void;
}

export interface Garner extends AsyncDisposable {
  readonly config: Config;
  readonly store: GarnerStore;
  readonly formats: FormatRegistry;
  readonly ownFormats: readonly MetadataFormat[];
  readonly catalogue: FieldCatalogue;
  /** By acronym. */
  readonly topics: ReadonlyMap<string, Topic>;
}

const MAX_READERS = 2;

export async function openGarner(config: Config, options: OpenOptions = {}): Promise<Garner> {
  const ownFormats = buildOwnFormats(config.formats, BUILTIN_FORMATS);
  const formats = createFormatRegistry(ownFormats);
  const catalogue = createCatalogue(formats.fieldSpecs());
  const topics = readTopics(config);
  const setup: StoreSetup = {
    folder: config.data,
    fields: formats.fieldSpecs(),
    extractionDigest: digestOf(formats.list(), readStylesheets(config)),
    sources: [
      ...Object.entries(config.sources).map(([name, source]) => ({
        name,
        access: ruleOf(source.access, config),
      })),
      // What is found of a topic has a source of its own.
      ...[...topics.keys()].map((name) => ({ name, access: ruleOf(undefined, config) })),
      ...(options.extraSources ?? [])
        .filter((name) => !Object.hasOwn(config.sources, name))
        .map((name) => ({ name, access: ruleOf(undefined, config) })),
    ],
    views: readViews(config, catalogue),
    repositoryIdentifier: config.repository.identifier,
  };
  mkdirSync(config.data, { recursive: true });
  const store = await openStore(setup, {
    threads:
      options.threads === true ? (options.readers ?? Math.min(MAX_READERS, availableParallelism())) : 0,
    ...(options.onUpdate && { onUpdate: options.onUpdate }),
  });
  return {
    config,
    store,
    formats,
    ownFormats,
    catalogue,
    topics,
    [Symbol.asyncDispose]: () => store.close(),
  };
}

function ruleOf(own: AccessRuleConfig | undefined, config: Config): AccessRule {
  const rule = own ?? config.access.default;
  return {
    ...(rule.public !== undefined && { public: rule.public }),
    ...(rule.networks && { networks: rule.networks }),
    ...(rule.groups && { groups: rule.groups }),
    ...(rule.tokens && { tokens: rule.tokens }),
  };
}
type AccessRuleConfig = Config['access']['default'];

/** A view whose query does not parse is a mistake in the config, told with its line; all of them at once. */
function readViews(config: Config, catalogue: FieldCatalogue): ViewSpec[] {
  const mistakes: ConfigMistake[] = [];
  const views = Object.entries(config.views).map(([name, view]): ViewSpec => {
    const access = ruleOf(view.access, config);
    const scope = view.sources ? { sources: view.sources } : {};
    try {
      return {
        name,
        ...scope,
        query: view.query === undefined ? MATCH_ALL : parseQuery(view.query, catalogue),
        access,
      };
    } catch (error) {
      mistakes.push(configMistake(config, ['views', name, 'query'], asGarnerError(error).message));
      return { name, ...scope, query: MATCH_ALL, access };
    }
  });
  if (mistakes.length > 0) throw configError(mistakes);
  return views;
}

function readStylesheets(config: Config): string[] {
  return Object.values(config.sources).flatMap((source) =>
    'xslt' in source && source.xslt !== undefined ? [readStylesheet(source.xslt)] : [],
  );
}

function readStylesheet(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new GarnerError('xslt.stylesheet', `the stylesheet ${path} cannot be read`, { cause });
  }
}

function digestOf(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Extraction as one source wants it; sources that the configuration does not name take the defaults. */
export function createSourceIngest(garner: Garner, name: string): Ingest {
  const named = garner.config.sources[name];
  const source = named?.kind === 'folder' || named?.kind === 'archive' ? undefined : named;
  return createIngestPool({
    ownFormats: garner.ownFormats,
    format: source?.format,
    xsd: source?.xsd,
    xsdRoot: source?.xsdRoot,
    stylesheet: source?.xslt === undefined ? undefined : readStylesheet(source.xslt),
    validation: source?.validation ?? 'report',
    accept: source?.accept,
    deny: source?.deny,
    threads: Math.max(1, availableParallelism() - 1),
  });
}

/** The configured sources of a kind: all, or those named. */
export function sourcesOfKind<Kind extends SourceConfig['kind']>(
  { config }: Garner,
  kind: Kind,
  names: readonly string[],
): [name: string, source: Extract<SourceConfig, { kind: Kind }>][] {
  const isOfKind = (source: SourceConfig): source is Extract<SourceConfig, { kind: Kind }> =>
    source.kind === kind;
  const all: [string, Extract<SourceConfig, { kind: Kind }>][] = [];
  for (const [name, source] of Object.entries(config.sources)) if (isOfKind(source)) all.push([name, source]);
  for (const name of names) {
    if (all.some(([known]) => known === name)) continue;
    const near = nearestNames(
      name,
      all.map(([known]) => known),
    );
    throw new GarnerError(
      'source.unknown',
      `there is no source "${name}" of kind ${kind}${near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''}`,
    );
  }
  return all.filter(([name]) => names.length === 0 || names.includes(name));
}

/** The configured folders that are published, ready to be scanned and watched; all, or those named. */
export function openFolders(garner: Garner, log: Log, names: readonly string[] = []): PublishedFolders {
  const { store, formats, config } = garner;
  const { baseUrl, adminEmail } = config.repository;
  return publishFolders(
    { store, fieldSpecs: formats.fieldSpecs(), clock: systemClock, log },
    sourcesOfKind(garner, 'folder', names).map(([name, source]) => ({
      source: readFolderSource(name, source, ruleOf(source.access, config)),
      options: readPublishOptions(source),
      client: createSiteClient({
        userAgent: userAgent({ url: baseUrl, email: adminEmail }),
        allowPrivate: source.allowPrivate,
      }),
    })),
  );
}

/** The configured sources of kind `files`: all, or those named. */
export function filesSources(garner: Garner, names: readonly string[]): FilesSource[] {
  return sourcesOfKind(garner, 'files', names).map(([name, { path, maxDeleteShare, record }]) => ({
    name,
    paths: path,
    maxDeleteShare,
    ...(record !== undefined && { record }),
  }));
}
