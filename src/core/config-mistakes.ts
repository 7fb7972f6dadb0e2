/** Mistakes in the config, each with its place, gathered into one error. */
import type { z } from 'zod';
import { type KeyPath, knownKeys, writeKeyPath } from './config-keys.ts';
import { GarnerError } from './errors.ts';
import { nearestNames } from './nearest.ts';

/** From 1, as editors count. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface ConfigMistake {
  /** `garner.yaml`, or the environment variable that holds the wrong value. */
  readonly where: string;
  readonly place?: Place;
  /** `server.port`; empty when the mistake is no single key's. */
  readonly keyPath: string;
  readonly message: string;
}

export function writeMistake({ where, place, keyPath, message }: ConfigMistake): string {
  const position = place ? `:${place.line}:${place.column}` : '';
  return `${where}${position}: ${keyPath ? `${keyPath}: ` : ''}${message}`;
}

export function configError(mistakes: readonly ConfigMistake[]): GarnerError {
  const count = mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`;
  const lines = mistakes.map((mistake) => `  ${writeMistake(mistake)}`);
  return new GarnerError('config.invalid', `the config has ${count}:\n${lines.join('\n')}`, {
    details: { mistakes },
  });
}

export interface KeyMistake {
  readonly path: KeyPath;
  readonly message: string;
}

/** What the schema found, in words for the person who wrote the file. Values are never repeated: some are secret. */
export function explainIssue(issue: z.core.$ZodIssue): KeyMistake[] {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: [...path, key], message: explainUnknownKey(path, key) }));
    case 'invalid_type':
      return [
        {
          path,
          message:
            issue.input === undefined ? `is missing; it ${mustBe(issue.expected)}` : mustBe(issue.expected),
        },
      ];
    case 'invalid_value':
      return [{ path, message: `must be one of ${issue.values.map(String).join(', ')}` }];
    case 'invalid_union':
      return explainUnion(issue, path);
    case 'invalid_key':
      return [{ path, message: issue.issues[0]?.message ?? issue.message }];
    case 'too_small':
      if (issue.origin === 'string') return [{ path, message: issue.message }];
      return [{ path, message: `must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}` }];
    case 'too_big':
      return [{ path, message: `must be at most ${issue.maximum}` }];
    case 'invalid_format':
    case 'invalid_element':
    case 'not_multiple_of':
    case 'custom':
      return [{ path, message: issue.message }];
  }
}

function explainUnion(issue: z.core.$ZodIssueInvalidUnion, path: KeyPath): KeyMistake[] {
  if ('options' in issue && Array.isArray(issue.options))
    return [{ path, message: `must be one of ${issue.options.map(String).join(', ')}` }];
  // The variant that got deepest is the one that was meant: a list with a bad entry, say.
  for (const branch of issue.errors) {
    const deep = branch.filter((nested) => nested.path.length > 0 || nested.code === 'custom');
    if (deep.length > 0)
      return deep.flatMap((nested) => explainIssue({ ...nested, path: [...path, ...nested.path] }));
  }
  return [{ path, message: issue.message }];
}

function mustBe(expected: string): string {
  const nouns: Readonly<Record<string, string>> = {
    string: 'a text (put it in quotes)',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
    array: 'a list',
    object: 'a map of keys',
    record: 'a map of names',
  };
  return `must be ${nouns[expected] ?? expected}`;
}

function explainUnknownKey(parent: KeyPath, key: string): string {
  const known = knownKeys(parent);
  const [nearest] = nearestNames(key, known, 1);
  if (nearest !== undefined) return `unknown key; did you mean ${writeKeyPath([nearest])}?`;
  return `unknown key; known here: ${[...new Set(known)].join(', ')}`;
}
