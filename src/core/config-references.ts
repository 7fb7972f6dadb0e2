/** What no single key can tell: names that must differ, names that must exist. */
import type { AccessRule } from './access.ts';
import type { KeyPath } from './config-keys.ts';
import type { KeyMistake } from './config-mistakes.ts';
import type { ParsedConfig } from './config-schema.ts';
import { nearestNames } from './nearest.ts';

export function findContradictions(config: ParsedConfig): KeyMistake[] {
  return [
    ...sharedNames(config),
    ...unknownSources(config),
    ...unknownTokens(config),
    ...sharedSecrets(config),
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

function unknownName(noun: string, name: string, known: readonly string[]): string {
  const [nearest] = nearestNames(name, known, 1);
  if (nearest !== undefined) return `there is no ${noun} ${name}; did you mean ${nearest}?`;
  return `there is no ${noun} ${name}; there ${known.length === 0 ? 'are none' : `are ${known.join(', ')}`}`;
}
