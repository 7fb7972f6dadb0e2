/** Fields of XML records by XPath. */
import type { FieldValue } from '../core/model.ts';
import { type CompiledPath, compilePath } from '../xml/engine.ts';
import type { PathReader } from '../xml/record-document.ts';
import type { Extracted } from './extracted.ts';
import type { FormatField, MetadataFormat } from './format.ts';
import { type RawValue, ValueCollector, type ValueProblem } from './values.ts';

interface CompiledField {
  readonly field: FormatField;
  readonly paths: readonly CompiledPath[];
  readonly parts: readonly CompiledPath[] | undefined;
}

/** The format's paths are compiled once, here; the extractor belongs to this thread. */
export function createXmlExtractor(format: MetadataFormat): (document: PathReader) => Extracted {
  const compile = (path: string) => compilePath(path, format.namespaces);
  const identifierPaths = format.identifier.map(compile);
  const fields = format.fields.map(
    (field): CompiledField => ({
      field,
      paths: field.paths.map(compile),
      parts: field.parts?.map(compile),
    }),
  );
  return (document) => {
    const problems: ValueProblem[] = [];
    const collectors = new Map<string, ValueCollector>();
    for (const compiled of fields) {
      const { name } = compiled.field;
      const collector = collectors.get(name) ?? new ValueCollector(compiled.field, problems);
      collectors.set(name, collector);
      collect(document, compiled, collector);
    }
    const values: Record<string, readonly FieldValue[]> = {};
    for (const [name, collector] of collectors) {
      if (collector.values.length > 0) values[name] = collector.values;
    }
    const identifier = findIdentifier(document, identifierPaths);
    return { ...(identifier !== undefined && { identifier }), fields: values, problems };
  };
}

function findIdentifier(document: PathReader, paths: readonly CompiledPath[]): string | undefined {
  for (const path of paths) {
    const [first] = document.evaluate(path);
    if (first !== undefined) return first;
  }
  return undefined;
}

function collect(
  document: PathReader,
  { field, paths, parts }: CompiledField,
  collector: ValueCollector,
): void {
  const before = collector.values.length;
  for (const path of paths) {
    const found: readonly RawValue[] = parts ? document.evaluateParts(path, parts) : document.evaluate(path);
    for (const raw of found) collector.add(raw, field.joiner);
    if (field.firstPath && collector.values.length > before) return;
  }
}
