/** What no single key can tell: names that must differ, names that must exist. */
import type { AccessRule } from './access.ts';
import type { KeyPath } from './config-keys.ts';
import type { KeyMistake } from './config-mistakes.ts';
import type { ParsedConfig } from './config-schema.ts';
import { OWN_SET_ROOTS } from './identifiers.ts';
import { nearestNames } from './nearest.ts';

export function findContradictions(config: ParsedConfig): KeyMistake[] {
  return [
    ...sharedNames(config),
    ...unknownSources(config),
    ...unknownTokens(config),
    ...sharedSecrets(config),
    ...topicMistakes(config),
  ];
}

/** `/oai/{name}` and `view=` address sources and views alike. */
function* sharedNames({ sources, views }: ParsedConfig): Generator<KeyMistake> {
  for (const name of Object.keys(views))
    if (Object.hasOwn(sources, name))
      yield {
        path: ['views', name],
        message: 'a source has the same name; sources and views share their names',
      };
}

function* unknownSources({ sources, views }: ParsedConfig): Generator<KeyMistake> {
  for (const [name, view] of Object.entries(views))
    for (const source of view.sources ?? [])
      if (!Object.hasOwn(sources, source))
        yield {
          path: ['views', name, 'sources'],
          message: unknownName('source', source, Object.keys(sources)),
        };
}

function* unknownTokens(config: ParsedConfig): Generator<KeyMistake> {
  const { tokens } = config.access;
  const rules: (readonly [KeyPath, AccessRule | undefined])[] = [
    [['access', 'default'], config.access.default],
    ...Object.entries(config.sources).map(
      ([name, { access }]) => [['sources', name, 'access'], access] as const,
    ),
    ...Object.entries(config.views).map(([name, { access }]) => [['views', name, 'access'], access] as const),
    ...Object.entries(config.federate.servers).map(
      ([name, { access }]) => [['federate', 'servers', name, 'access'], access] as const,
    ),
  ];
  for (const [path, rule] of rules)
    for (const token of rule?.tokens ?? [])
      if (!Object.hasOwn(tokens, token))
        yield { path: [...path, 'tokens'], message: unknownName('token', token, Object.keys(tokens)) };
}

/** A secret must tell which token was shown. */
function* sharedSecrets({ access }: ParsedConfig): Generator<KeyMistake> {
  const owners = new Map<string, string>();
  for (const [name, { secret }] of Object.entries(access.tokens)) {
    const owner = owners.get(secret);
    if (owner !== undefined)
      yield { path: ['access', 'tokens', name, 'secret'], message: `is the same as that of ${owner}` };
    owners.set(secret, name);
  }
}

/**
 * Why an acronym cannot be one beside those known so far; undefined when it can. A topic is a source of its
 * own, and folders of some systems do not tell capitals from small letters.
 */
export function findAcronymClash(
  acronym: string,
  known: Iterable<string>,
  { sources, views }: { readonly sources: object; readonly views: object },
): string | undefined {
  if (OWN_SET_ROOTS.includes(acronym.toLowerCase()))
    return `is the name of a set of Garner's own (${OWN_SET_ROOTS.join(', ')}); choose another`;
  for (const [noun, things] of [
    ['source', sources],
    ['view', views],
  ] as const)
    if (Object.hasOwn(things, acronym))
      return `a ${noun} has the same name; they share their names with topics`;
  for (const other of known)
    if (other.toLowerCase() === acronym.toLowerCase()) return `there is a topic ${other} already`;
  return undefined;
}

function* topicMistakes(config: ParsedConfig): Generator<KeyMistake> {
  for (const [name, engine] of Object.entries(config.engines))
    for (const source of engine.kind === 'harvested' ? engine.sources : [])
      if (!Object.hasOwn(config.sources, source))
        yield {
          path: ['engines', name, 'sources'],
          message: unknownName('source', source, Object.keys(config.sources)),
        };
  const known: string[] = [];
  for (const [acronym, { engines = [] }] of Object.entries(config.topics)) {
    const message = findAcronymClash(acronym, known, config);
    if (message !== undefined) yield { path: ['topics', acronym], message };
    known.push(acronym);
    for (const engine of engines)
      if (!Object.hasOwn(config.engines, engine))
        yield {
          path: ['topics', acronym, 'engines'],
          message: unknownName('engine', engine, Object.keys(config.engines)),
        };
  }
}

function unknownName(noun: string, name: string, known: readonly string[]): string {
  const [nearest] = nearestNames(name, known, 1);
  if (nearest !== undefined) return `there is no ${noun} ${name}; did you mean ${nearest}?`;
  return `there is no ${noun} ${name}; there ${known.length === 0 ? 'are none' : `are ${known.join(', ')}`}`;
}
