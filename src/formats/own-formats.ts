/** Formats from the configuration: new ones, and changes to built-in ones, as complete definitions. */
import { GarnerError } from '../core/errors.ts';
import type { FieldSpec } from '../core/model.ts';
import { COMMON_FIELDS } from './fields.ts';
import type { FormatField, MetadataFormat } from './format.ts';

type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** A format as the configuration writes it: everything optional, fields by name. */
export interface OwnFormat extends Optional<Omit<MetadataFormat, 'name' | 'fields'>> {
  readonly extends?: string | undefined;
  readonly fields?: Readonly<Record<string, Optional<Omit<FormatField, 'name'>>>> | undefined;
}

/**
 * A format that has the name of a built-in one changes it; one with `extends` starts from a copy of
 * another; any other starts empty. Own formats may extend each other, in any order.
 */
export function buildOwnFormats(
  own: Readonly<Record<string, OwnFormat>>,
  builtIn: readonly MetadataFormat[],
): MetadataFormat[] {
  const known = new Map(builtIn.map((format) => [format.name, format]));
  const built = new Map<string, MetadataFormat>();
  const underWay = new Set<string>();

  const build = (name: string, definition: OwnFormat): MetadataFormat => {
    const done = built.get(name);
    if (done) return done;
    if (underWay.has(name))
      throw new GarnerError('config.invalid', `formats.${name}: extends itself in a circle`);
    underWay.add(name);
    const format = complete(name, definition, findBase(name, definition));
    built.set(name, format);
    return format;
  };
  const findBase = (name: string, { extends: parent }: OwnFormat): MetadataFormat | undefined => {
    if (parent === undefined || parent === name) return known.get(name);
    const definition = own[parent];
    const base = definition ? build(parent, definition) : known.get(parent);
    if (!base)
      throw new GarnerError('config.invalid', `formats.${name}.extends: there is no format "${parent}"`);
    return base;
  };
  return Object.entries(own).map(([name, definition]) => build(name, definition));
}

function complete(name: string, own: OwnFormat, base: MetadataFormat | undefined): MetadataFormat {
  const namespaces = { ...base?.namespaces, ...own.namespaces };
  const firstNamespace = Object.values(namespaces)[0];
  const xsd = own.xsd ?? base?.xsd;
  return {
    name,
    label: own.label ?? base?.label ?? name,
    syntax: own.syntax ?? base?.syntax ?? 'xml',
    namespaces,
    namespace: own.namespace ?? base?.namespace ?? firstNamespace ?? `urn:garner:format:${name}`,
    schemaLocation: own.schemaLocation ?? base?.schemaLocation ?? `urn:garner:format:${name}:schema`,
    // A copy under a new name would be detected in place of the original: it must say how it differs.
    detect: own.detect ? own.detect.map(withoutUndefined) : base?.name === name ? base.detect : [],
    identifier: own.identifier ?? base?.identifier ?? [],
    fields: mergeFields(own.fields ?? {}, base?.fields ?? []),
    dublinCore: { ...base?.dublinCore, ...own.dublinCore },
    ...(xsd !== undefined && { xsd }),
  };
}

function withoutUndefined(entry: { readonly root?: string | undefined; readonly test?: string | undefined }) {
  return {
    ...(entry.root !== undefined && { root: entry.root }),
    ...(entry.test !== undefined && { test: entry.test }),
  };
}

function mergeFields(
  own: NonNullable<OwnFormat['fields']>,
  inherited: readonly FormatField[],
): FormatField[] {
  const kept = inherited.filter((field) => !Object.hasOwn(own, field.name));
  const merged = Object.entries(own).map(([name, changes]) => {
    const before = inherited.find((field) => field.name === name);
    const spec = specOf(name, changes, before);
    // How inherited paths are read says nothing about new ones.
    const reading = changes.paths ? changes : { ...before, ...changes };
    const { parts, joiner, firstPath } = reading;
    return {
      ...spec,
      paths: changes.paths ?? before?.paths ?? [],
      ...(parts && { parts }),
      ...(joiner !== undefined && { joiner }),
      ...(firstPath !== undefined && { firstPath }),
    };
  });
  return [...kept, ...merged];
}

/** What is left unsaid: as inherited, else as the common field of that name, else by type. */
function specOf(
  name: string,
  own: Optional<Omit<FormatField, 'name'>>,
  before: FieldSpec | undefined,
): FieldSpec {
  const common = Object.hasOwn(COMMON_FIELDS, name)
    ? COMMON_FIELDS[name as keyof typeof COMMON_FIELDS]
    : undefined;
  const base = before ?? common;
  const type = own.type ?? base?.type ?? 'text';
  const wordy = type === 'text' || type === 'string';
  return {
    name,
    type,
    label: own.label ?? base?.label ?? name,
    stored: own.stored ?? base?.stored ?? true,
    indexed: own.indexed ?? base?.indexed ?? true,
    tokenised: own.tokenised ?? (base?.type === type ? base.tokenised : wordy),
    stemmed: own.stemmed ?? (base?.type === type ? base.stemmed : type === 'text'),
    facet: own.facet ?? base?.facet ?? false,
    weight: own.weight ?? base?.weight ?? 1,
  };
}
