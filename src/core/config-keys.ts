/** What is known of each key of the config, read off its schema: types, names, documentation. */
import { z } from 'zod';
import { configSchema } from './config-schema.ts';

export type KeyPath = readonly (string | number)[];

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** `sources.samples.path[1]`. */
export function writeKeyPath(path: KeyPath): string {
  return path
    .map((step, i) => (typeof step === 'number' ? `[${step}]` : `${i > 0 ? '.' : ''}${step}`))
    .join('');
}

let cached: JsonSchema | undefined;
function rootSchema(): JsonSchema {
  cached ??= z.toJSONSchema(configSchema, { io: 'input' });
  return cached;
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

const variants = (schema: JsonSchema): JsonSchema[] => [
  schema,
  ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter(isSchema).flatMap(variants),
];

function schemasAt(path: KeyPath): JsonSchema[] {
  let found = variants(rootSchema());
  for (const step of path) {
    found = found
      .map((schema) =>
        typeof step === 'number' ? schema.items : (schema.properties?.[step] ?? schema.additionalProperties),
      )
      .filter(isSchema)
      .flatMap(variants);
  }
  return found;
}

/** The keys that the schema names under this one. */
export function knownKeys(path: KeyPath): string[] {
  return schemasAt(path).flatMap((schema) => [
    ...Object.keys(schema.properties ?? {}),
    ...((isSchema(schema.propertyNames) && schema.propertyNames.enum) || []).map(String),
  ]);
}

/** A text from the environment as the type that the key wants. */
export function retype(path: KeyPath, value: string): string | number | boolean {
  const types = new Set(schemasAt(path).map((schema) => schema.type));
  if (types.has('string')) return value;
  if ((types.has('number') || types.has('integer')) && value.trim() !== '' && Number.isFinite(Number(value)))
    return Number(value);
  if (types.has('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

export interface KeyRow {
  /** Steps; `<name>` stands for a name that the user chooses. */
  readonly path: readonly string[];
  readonly type: string;
  /** JSON; absent when there is none. */
  readonly default?: string;
  readonly required: boolean;
  /** The environment variable that overrides the key; only single values at fixed places have one. */
  readonly env?: string;
  readonly doc: string;
  /** The kind of source that has the key, where not all have it. */
  readonly kind?: string;
}

/** Every key of the config, in the order of the schema. */
export function listKeys(): KeyRow[] {
  return [...walk(rootSchema(), [])];
}

function* walk(schema: JsonSchema, path: readonly string[], kind?: string): Generator<KeyRow> {
  for (const [key, child] of Object.entries(schema.properties ?? {})) {
    if (!isSchema(child)) continue;
    const childPath = [...path, key];
    yield describeKey(child, childPath, schema.required?.includes(key) ?? false, kind);
    yield* walk(child, childPath, kind);
  }
  if (isSchema(schema.additionalProperties))
    yield* walk(schema.additionalProperties, [...path, '<name>'], kind);
  if (isSchema(schema.items)) yield* walk(schema.items, [...path, '[]'], kind);
  for (const option of schema.oneOf ?? []) {
    if (!isSchema(option)) continue;
    const named = option.properties?.kind;
    yield* walk(option, path, isSchema(named) ? String(named.const) : kind);
  }
}

function describeKey(
  schema: JsonSchema,
  path: readonly string[],
  required: boolean,
  kind: string | undefined,
): KeyRow {
  const isFixed = path.every((step) => /^\w+$/.test(step));
  const isSingle = schema.type !== 'object' && schema.type !== 'array' && !schema.anyOf && !schema.oneOf;
  const fallback = schema.type === 'object' ? undefined : schema.default;
  return {
    path,
    type: describeType(schema),
    required,
    doc: schema.description ?? '',
    ...(fallback !== undefined && { default: JSON.stringify(fallback) }),
    ...(isFixed && isSingle && { env: environmentName(path) }),
    ...(kind !== undefined && { kind }),
  };
}

/** `repository.baseUrl` → `GARNER_REPOSITORY_BASE_URL`. */
function environmentName(path: readonly string[]): string {
  return ['GARNER', ...path.map((step) => step.replace(/([a-z])([A-Z])/g, '$1_$2'))].join('_').toUpperCase();
}

function describeType(schema: JsonSchema): string {
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return [...new Set(options.filter(isSchema).map(describeType))].join(' or ');
  switch (schema.type) {
    case 'string':
      return 'text';
    case 'integer':
    case 'number':
      return describeNumber(schema);
    case 'boolean':
      return '`true` or `false`';
    case 'array':
      return isSchema(schema.items) && schema.items.type === 'string' ? 'list of texts' : 'list';
    default:
      return 'map';
  }
}

function describeNumber({ type, minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const noun = type === 'integer' ? 'whole number' : 'number';
  if (minimum !== undefined && maximum !== undefined) return `${noun}, ${minimum} to ${maximum}`;
  return exclusiveMinimum === undefined ? noun : `${noun} above ${exclusiveMinimum}`;
}
