/** Why a document matches a query or not: the query as a tree, with the answer at every part. */
import type { FieldSpec, FieldValue } from '../core/model.ts';
import { shorten } from '../core/shorten.ts';
import type { QueryNode } from './ast.ts';
import { createCatalogue, type FieldCatalogue, getField } from './catalogue.ts';
import { createMatcher, fieldValues, type MatchDocument } from './matcher.ts';
import { writeQuery } from './write.ts';

export interface Explanation {
  /** The part in the text syntax. */
  readonly clause: string;
  readonly type: QueryNode['type'];
  readonly matches: boolean;
  /** For a clause on a field: what the document has there. */
  readonly note?: string;
  readonly children: readonly Explanation[];
}

export function explainMatch(node: QueryNode, doc: MatchDocument, fields: readonly FieldSpec[]): Explanation {
  return explain(node, doc, createMatcher(fields), createCatalogue(fields));
}

function explain(
  node: QueryNode,
  doc: MatchDocument,
  matches: (node: QueryNode, doc: MatchDocument) => boolean,
  catalogue: FieldCatalogue,
): Explanation {
  const base = { clause: writeQuery(node), type: node.type, matches: matches(node, doc) };
  switch (node.type) {
    case 'and':
    case 'or':
      return { ...base, children: node.of.map((child) => explain(child, doc, matches, catalogue)) };
    case 'not':
    case 'boost':
      return { ...base, children: [explain(node.of, doc, matches, catalogue)] };
    case 'compare':
    case 'composed':
      return { ...base, children: [] };
    default: {
      if (node.type === 'all' || node.field === undefined) return { ...base, children: [] };
      const values = fieldValues(doc, getField(catalogue, node.field));
      return { ...base, note: describeValues(node.field, values), children: [] };
    }
  }
}

const SHOWN_VALUES = 5;
const SHOWN_CHARACTERS = 80;

function describeValues(field: string, values: readonly FieldValue[]): string {
  if (values.length === 0) return `${field} has no value`;
  const shown = values.slice(0, SHOWN_VALUES).map((value) => describeValue(field, value));
  const more = values.length > SHOWN_VALUES ? ` and ${values.length - SHOWN_VALUES} more` : '';
  return `${field} is ${shown.join('; ')}${more}`;
}

function describeValue(field: string, value: FieldValue): string {
  if (typeof value === 'number') return field === 'updated' ? new Date(value).toISOString() : String(value);
  if (typeof value === 'string') return shorten(value, SHOWN_CHARACTERS);
  if ('west' in value) return `[${value.west},${value.south},${value.east},${value.north}]`;
  return `${value.start ?? '…'} to ${value.end ?? '…'}`;
}
