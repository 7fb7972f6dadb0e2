/** All formats of one installation: those that are built in, and those of its config. */
import { GarnerError } from '../core/errors.ts';
import { type FieldSpec, RESERVED_FIELDS } from '../core/model.ts';
import { type CompiledPath, compilePath } from '../xml/engine.ts';
import type { PathReader } from '../xml/record-document.ts';
import { BUILTIN_FORMATS, FALLBACK_FORMATS } from './builtin-formats.ts';
import type { MetadataFormat } from './format.ts';
import { compileJsonTest, type JsonTest } from './json-test.ts';

export interface FormatRegistry {
  /** Throws `format.unknown`. */
  get(name: string): MetadataFormat;
  /** Records may outlive the definition of their format. */
  find(name: string): MetadataFormat | undefined;
  /** Formats of the config first. */
  list(): readonly MetadataFormat[];
  /** Never fails: what fits no format is generic XML. */
  detectXml(document: PathReader): MetadataFormat;
  detectJson(value: unknown): MetadataFormat;
  /** Whether an element is the root of a record in a known format, wherever it stands. */
  isRecordRoot(namespace: string, localName: string): boolean;
  /** The fields of all formats, each name once. */
  fieldSpecs(): readonly FieldSpec[];
}

export function createFormatRegistry(own: readonly MetadataFormat[] = []): FormatRegistry {
  const overridden = new Set(own.map(({ name }) => name));
  const formats = [...own, ...BUILTIN_FORMATS.filter(({ name }) => !overridden.has(name))];
  const byName = new Map(formats.map((format) => [format.name, format]));
  const specs = joinFieldSpecs(formats);
  const detectXml = createXmlDetection(formats.filter(({ syntax }) => syntax === 'xml'));
  const detectJson = createJsonDetection(formats.filter(({ syntax }) => syntax === 'json'));

  const get = (name: string): MetadataFormat => {
    const format = byName.get(name);
    if (format) return format;
    throw new GarnerError(
      'format.unknown',
      `there is no format "${name}"; known are ${[...byName.keys()].join(', ')}`,
      {
        details: { name },
      },
    );
  };
  return {
    get,
    find: (name) => byName.get(name),
    list: () => formats,
    detectXml: (document) => detectXml.detect(document) ?? get(FALLBACK_FORMATS.xml),
    detectJson: (value) => detectJson(value) ?? get(FALLBACK_FORMATS.json),
    isRecordRoot: (namespace, localName) => detectXml.isRoot(namespace, localName),
    fieldSpecs: () => specs,
  };
}

interface Candidate {
  readonly format: MetadataFormat;
  /** Undefined when the root alone decides. */
  readonly test: (() => CompiledPath) | undefined;
}

function createXmlDetection(formats: readonly MetadataFormat[]) {
  const byRoot = new Map<string, Candidate[]>();
  const byTest: Candidate[] = [];
  for (const format of formats) {
    for (const { root, test } of format.detect) {
      const candidate = {
        format,
        test: test === undefined ? undefined : lazily(() => compilePath(test, format.namespaces)),
      };
      if (root === undefined) byTest.push(candidate);
      else {
        const key = rootKey(format, root);
        byRoot.set(key, [...(byRoot.get(key) ?? []), candidate]);
      }
    }
  }
  return {
    detect: (document: PathReader): MetadataFormat | undefined => {
      const { namespace, localName } = document.root;
      const fits = ({ test }: Candidate) => test !== undefined && document.test(test());
      const rooted = byRoot.get(`${namespace} ${localName}`) ?? [];
      return (rooted.find(fits) ?? rooted.find(({ test }) => test === undefined) ?? byTest.find(fits))
        ?.format;
    },
    isRoot: (namespace: string, localName: string) => byRoot.has(`${namespace} ${localName}`),
  };
}

/** A root without a prefix is in no namespace. */
function rootKey(format: MetadataFormat, root: string): string {
  const [prefix, localName] = root.includes(':') ? root.split(':', 2) : [undefined, root];
  if (prefix === undefined) return ` ${localName}`;
  const namespace = format.namespaces[prefix];
  if (namespace === undefined)
    throw new GarnerError(
      'config.invalid',
      `format "${format.name}": the prefix of "${root}" has no namespace`,
      {
        details: { format: format.name, root },
      },
    );
  return `${namespace} ${localName}`;
}

function createJsonDetection(
  formats: readonly MetadataFormat[],
): (value: unknown) => MetadataFormat | undefined {
  const tests = formats.flatMap((format) =>
    format.detect.flatMap(({ test }): { format: MetadataFormat; fits: JsonTest }[] =>
      test === undefined ? [] : [{ format, fits: compileJsonTest(test) }],
    ),
  );
  return (value) => tests.find(({ fits }) => fits(value))?.format;
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Fields of the same name search together, so they must be the same in everything that concerns searching. */
function joinFieldSpecs(formats: readonly MetadataFormat[]): FieldSpec[] {
  const joined = new Map<string, { readonly spec: FieldSpec; readonly format: string }>();
  for (const format of formats) {
    for (const field of format.fields) {
      const spec = specOf(field);
      if (RESERVED_FIELDS.some((name) => name === spec.name))
        throw new GarnerError(
          'config.invalid',
          `format "${format.name}": the field name "${spec.name}" is reserved`,
          {
            details: { format: format.name, field: spec.name },
          },
        );
      const known = joined.get(spec.name);
      if (!known) joined.set(spec.name, { spec, format: format.name });
      else if (JSON.stringify(known.spec) !== JSON.stringify(spec))
        throw new GarnerError(
          'config.invalid',
          `the formats "${known.format}" and "${format.name}" define the field "${spec.name}" differently (${difference(known.spec, spec)})`,
          { details: { field: spec.name, formats: [known.format, format.name] } },
        );
    }
  }
  return Array.from(joined.values(), ({ spec }) => spec);
}

const specOf = ({
  name,
  type,
  label,
  stored,
  indexed,
  tokenised,
  stemmed,
  facet,
  weight,
}: FieldSpec): FieldSpec => ({
  name,
  type,
  label,
  stored,
  indexed,
  tokenised,
  stemmed,
  facet,
  weight,
});

function difference(one: FieldSpec, other: FieldSpec): string {
  const others = new Map<string, unknown>(Object.entries(other));
  return Object.entries(one)
    .filter(([key, value]) => others.get(key) !== value)
    .map(([key, value]) => `${key}: ${String(value)} and ${String(others.get(key))}`)
    .join('; ');
}
