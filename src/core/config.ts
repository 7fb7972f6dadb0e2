/** The configuration: read once, at an edge, and handed down as plain data. */
import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { listOverrides, type Override, substitute } from './config-environment.ts';
import { type KeyPath, retype, writeKeyPath } from './config-keys.ts';
import { type ConfigText, readConfigText } from './config-lines.ts';
import {
  type ConfigMistake,
  configError,
  explainIssue,
  type KeyMistake,
  type Place,
} from './config-mistakes.ts';
import { findContradictions } from './config-references.ts';
import { type ConfigInput, configSchema, type ParsedConfig } from './config-schema.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { type Environment, readEnvironment } from './environment.ts';
import { GarnerError } from './errors.ts';
import { REPOSITORY_IDENTIFIER_PATTERN } from './identifiers.ts';

/** Paths of files and folders are absolute, defaults filled in. */
export type Config = DeepReadonly<
  Omit<ParsedConfig, 'repository'> & {
    repository: Required<Omit<ParsedConfig['repository'], 'archiveOrigin'>> &
      Pick<ParsedConfig['repository'], 'archiveOrigin'>;
    /** The file it was read from; absent for defaults. */
    file?: string;
    /** What relative paths start from. */
    folder: string;
    /** Where each key of the file stands, by `views.polar.query`. */
    places: Record<string, Place>;
  }
>;
export type SourceConfig = Config['sources'][string];

/** Throws `config.missing`, or `config.invalid` with every mistake at once. */
export function loadConfig(path: string, env: Environment = readEnvironment()): Config {
  const file = resolve(path);
  const where = basename(file);
  const text = readConfigText(readText(file));
  if (text.mistakes.length > 0)
    throw configError(text.mistakes.map((mistake) => ({ where, keyPath: '', ...mistake })));

  const missing: ConfigMistake[] = [];
  text.replaceTexts((value, keyPath, place) => {
    const replaced = substitute(value, env, (name) => {
      const message = `the environment variable ${name} is not set; set it, or write \${${name}:-default}`;
      missing.push({ where, place, keyPath: writeKeyPath(keyPath), message });
    });
    return replaced.changed ? retype(keyPath, replaced.text) : value;
  });

  const { config, mistakes } = build(text.toValue() ?? {}, listOverrides(env), dirname(file));
  const said = new Set(missing.map(({ keyPath }) => keyPath));
  const all = [
    ...missing,
    ...mistakes.map((mistake) => locate(mistake, where, text)).filter((m) => !said.has(m.keyPath)),
  ];
  if (!config || all.length > 0) throw configError(inFileOrder(all));
  return { ...config, file, places: text.listPlaces() };
}

/** The configuration that a folder has without a file: everything at its default, and what `input` says. */
export function defaultConfig(
  folder: string,
  input: ConfigInput = {},
  env: Environment = readEnvironment(),
): Config {
  const { config, mistakes } = build(input, listOverrides(env), resolve(folder));
  if (!config || mistakes.length > 0)
    throw configError(mistakes.map((mistake) => locate(mistake, 'config', undefined)));
  return { ...config, places: {} };
}

/** A mistake that only the caller could see (a query that does not parse), as `config.invalid` with its line. */
export function configMistake(config: Config, path: KeyPath, message: string): ConfigMistake {
  const keyPath = writeKeyPath(path);
  const place = config.places[keyPath];
  return { where: config.file ? basename(config.file) : 'config', keyPath, message, ...(place && { place }) };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw new GarnerError(
      missing ? 'config.missing' : 'config.invalid',
      missing
        ? `there is no config file ${file}`
        : `the config file ${file} cannot be read: ${String(cause)}`,
      { cause },
    );
  }
}

type LocatedMistake = KeyMistake & { readonly override?: string };
type Built = { config?: Omit<Config, 'places'>; mistakes: LocatedMistake[] };

function build(input: unknown, overrides: readonly Override[], folder: string): Built {
  const value = structuredClone(input);
  for (const { path, value: chosen } of overrides) setAt(value, path, chosen);
  const overridden = new Map(overrides.map(({ path, name }) => [writeKeyPath(path), name]));
  const withOverride = (mistake: KeyMistake): LocatedMistake => {
    const override = overridden.get(writeKeyPath(mistake.path));
    return override === undefined ? mistake : { ...mistake, override };
  };
  const parsed = configSchema.safeParse(value, { reportInput: true });
  if (!parsed.success) return { mistakes: parsed.error.issues.flatMap(explainIssue).map(withOverride) };
  const mistakes = findContradictions(parsed.data).map(withOverride);
  return { config: complete(parsed.data, folder), mistakes };
}

function setAt(target: unknown, path: KeyPath, value: unknown): void {
  let node = target;
  for (const [i, step] of path.entries()) {
    // What is no map is the schema's to refuse.
    if (typeof node !== 'object' || node === null) return;
    if (i === path.length - 1) Reflect.set(node, step, value);
    else {
      if (Reflect.get(node, step) === undefined) Reflect.set(node, step, {});
      node = Reflect.get(node, step);
    }
  }
}

/** Defaults that depend on other keys, and absolute paths. */
function complete(parsed: ParsedConfig, folder: string): Omit<Config, 'places'> {
  const { host, port } = parsed.server;
  const absolute = (path: string) => resolve(folder, path);
  const publicHost = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  const baseUrl =
    parsed.repository.baseUrl ??
    `http://${publicHost.includes(':') ? `[${publicHost}]` : publicHost}:${port}`;
  const hostName = new URL(baseUrl).hostname;
  return {
    ...parsed,
    repository: {
      ...parsed.repository,
      baseUrl,
      identifier:
        parsed.repository.identifier ??
        (REPOSITORY_IDENTIFIER_PATTERN.test(hostName) ? hostName : 'garner.localhost'),
    },
    data: absolute(parsed.data),
    ...(parsed.topicsFile !== undefined && { topicsFile: absolute(parsed.topicsFile) }),
    sources: mapValues(parsed.sources, (source) => ({
      ...source,
      ...('path' in source && { path: source.path.map(absolute) }),
      ...('xslt' in source && source.xslt !== undefined && { xslt: absolute(source.xslt) }),
      ...('xsd' in source && source.xsd !== undefined && { xsd: absolute(source.xsd) }),
      ...('xsdRoot' in source && source.xsdRoot !== undefined && { xsdRoot: absolute(source.xsdRoot) }),
      ...('httpdConf' in source &&
        source.httpdConf !== undefined && { httpdConf: absolute(source.httpdConf) }),
      ...('urlLists' in source && { urlLists: source.urlLists.map(absolute) }),
    })),
    formats: mapValues(parsed.formats, (format) => ({
      ...format,
      ...(format.xsd !== undefined && { xsd: absolute(format.xsd) }),
    })),
    federate: {
      ...parsed.federate,
      dictionary: parsed.federate.dictionary.map(absolute),
      ontology: parsed.federate.ontology.map(absolute),
      servers: mapValues(parsed.federate.servers, (server) => ({
        ...server,
        ...('path' in server && { path: absolute(server.path) }),
        ...('file' in server && { file: absolute(server.file) }),
      })),
    },
    folder,
  };
}

function mapValues<T, U>(values: Record<string, T>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}

function locate(mistake: LocatedMistake, where: string, text: ConfigText | undefined): ConfigMistake {
  const keyPath = writeKeyPath(mistake.path);
  if (mistake.override !== undefined) return { where: mistake.override, keyPath, message: mistake.message };
  const place = text?.placeOf(mistake.path);
  return { where, keyPath, message: mistake.message, ...(place && { place }) };
}

function inFileOrder(mistakes: readonly ConfigMistake[]): ConfigMistake[] {
  const line = ({ place }: ConfigMistake) => place?.line ?? 0;
  const column = ({ place }: ConfigMistake) => place?.column ?? 0;
  return mistakes.toSorted((a, b) => line(a) - line(b) || column(a) - column(b));
}
