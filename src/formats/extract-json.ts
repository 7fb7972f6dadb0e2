/** Fields of JSON records by JSON Pointer. */
import { GarnerError } from '../core/errors.ts';
import type { FieldValue } from '../core/model.ts';
import type { Extracted } from './extracted.ts';
import type { FormatField, MetadataFormat } from './format.ts';
import { boxArrayParts, geometryParts } from './geojson.ts';
import { type CompiledPointer, compilePointer, followPointer, isContainer } from './json-pointer.ts';
import { type RawValue, ValueCollector, type ValueProblem } from './values.ts';

/** One record; the position of a mistake is told as the engine tells it. */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new GarnerError('json.malformed', 'the bytes are not UTF-8', { cause });
  }
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new GarnerError('json.malformed', reason, { cause });
  }
}

export function createJsonExtractor(format: MetadataFormat): (record: unknown) => Extracted {
  const identifierPaths = format.identifier.map(compilePointer);
  const fields = format.fields.map((field) => ({
    field,
    paths: field.paths.map(compilePointer),
    parts: field.parts?.map(compilePointer),
  }));
  return (record) => {
    const problems: ValueProblem[] = [];
    const collectors = new Map<string, ValueCollector>();
    for (const { field, paths, parts } of fields) {
      const collector = collectors.get(field.name) ?? new ValueCollector(field, problems);
      collectors.set(field.name, collector);
      const before = collector.values.length;
      for (const path of paths) {
        for (const node of followPointer(path, record)) {
          for (const raw of parts ? [partTexts(node, parts)] : rawValues(field, node))
            collector.add(raw, field.joiner);
        }
        if (field.firstPath && collector.values.length > before) break;
      }
    }
    const values: Record<string, readonly FieldValue[]> = {};
    for (const [name, collector] of collectors) {
      if (collector.values.length > 0) values[name] = collector.values;
    }
    const identifier = findIdentifier(record, identifierPaths);
    return { ...(identifier !== undefined && { identifier }), fields: values, problems };
  };
}

function findIdentifier(record: unknown, paths: readonly CompiledPointer[]): string | undefined {
  for (const path of paths) {
    const [first] = followPointer(path, record).flatMap(texts);
    if (first !== undefined) return first;
  }
  return undefined;
}

const partTexts = (node: unknown, parts: readonly CompiledPointer[]) =>
  parts.map((part) => followPointer(part, node).flatMap(texts));

function rawValues({ type, latitudeFirst }: FormatField, node: unknown): readonly RawValue[] {
  if (type === 'bbox' && latitudeFirst && typeof node === 'string') {
    const [south = '', west = '', north = '', east = ''] = node.trim().split(/[\s,]+/);
    return [[[west], [south], [east], [north]]];
  }
  if (type === 'bbox' && isContainer(node)) {
    const parts = Array.isArray(node) ? boxArrayParts(node) : geometryParts(node);
    return [parts ?? JSON.stringify(node)];
  }
  if (type === 'interval' && Array.isArray(node)) {
    // An open end is null or `..`; a part without texts is open too.
    return [node.map(texts)];
  }
  return texts(node);
}

/** A plain value as text; of an array, all of them. Objects are no value. */
function texts(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(texts);
  if (typeof node === 'number' || typeof node === 'boolean') return [String(node)];
  const text = typeof node === 'string' ? node.trim() : '';
  return text === '' ? [] : [text];
}
