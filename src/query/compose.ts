/** Values that are made of others, in one place for all who show, gather or find them. */
import { readAttributeValue } from '../core/attributes.ts';
import { edgesOf, parseEdgeField } from '../core/box-edges.ts';
import type { Fields } from '../core/model.ts';
import type { ComposedNode, ComposedPart } from './ast.ts';
import { compileComparison } from './compare.ts';

export interface ComposedItem {
  readonly identifier: string;
  readonly fields: Fields;
}

/** Undefined when one of the parts has no value. Spans of time and boxes are none. */
export function composeValue(
  parts: readonly ComposedPart[],
  { identifier, fields }: ComposedItem,
): string | undefined {
  let composed = '';
  for (const part of parts) {
    const text = typeof part === 'string' ? part : firstValue(part.fields, identifier, fields);
    if (text === undefined) return undefined;
    composed += text;
  }
  return composed;
}

export function compileComposed({
  parts,
  kind,
  operator,
  value,
}: ComposedNode): (item: ComposedItem) => boolean {
  const comparison = compileComparison(operator, value);
  return (item) => {
    const text = composeValue(parts, item);
    return text !== undefined && comparison.value(readAttributeValue(text, kind));
  };
}

function firstValue(names: readonly string[], identifier: string, fields: Fields): string | undefined {
  for (const name of names) {
    if (name === 'id') return identifier;
    const value = ownValue(fields, name) ?? edgeValue(fields, name);
    if (value !== undefined && typeof value !== 'object') return String(value);
  }
  return undefined;
}

const ownValue = (fields: Fields, name: string) =>
  Object.hasOwn(fields, name) ? fields[name]?.[0] : undefined;

function edgeValue(fields: Fields, name: string): number | undefined {
  const edge = parseEdgeField(name);
  return edge && edgesOf(fields[edge.box] ?? [], edge.edge)[0];
}
