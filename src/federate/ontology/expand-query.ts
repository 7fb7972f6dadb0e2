/**
 * A query that also finds what is meant by its terms. A condition becomes any of itself and the same condition
 * on other names and values, also below NOT: what is no UNIX is no Linux either. Patterns, fuzzy words and
 * bounds keep their values, and so does `!=`, of which “some value is neither this nor that” cannot be said.
 */
import type { QueryNode } from '../../query/ast.ts';
import { splitWords } from '../../query/words.ts';

export interface Expansions {
  /** Other values that are meant; without the value itself. */
  readonly values: (value: string) => readonly string[];
  /** Other names of the field that the receiver of the query knows; without the name itself. */
  readonly fields: (name: string) => readonly string[];
  /** A value with a unit as the number that it is in the unit of the field; undefined when it is none. */
  readonly quantity?: (name: string, value: string) => number | undefined;
}

export function expandQuery(node: QueryNode, expansions: Expansions): QueryNode {
  switch (node.type) {
    case 'and':
    case 'or':
      return { type: node.type, of: node.of.map((child) => expandQuery(child, expansions)) };
    case 'not':
      return { type: 'not', of: expandQuery(node.of, expansions) };
    case 'boost':
      return { ...node, of: expandQuery(node.of, expansions) };
    default: {
      const variants = withOtherValues(inOwnUnit(node, expansions), expansions).flatMap((variant) =>
        withOtherFields(variant, expansions),
      );
      const [only, second] = variants;
      return only && !second ? only : { type: 'or', of: variants };
    }
  }
}

/** `EXPOSURE_DURATION > "0.1 s"`, where exposures are told in milliseconds, is `> 100`. */
function inOwnUnit(node: Leaf, { quantity }: Expansions): Leaf {
  if (node.type !== 'compare' || node.operator === 'LIKE' || node.operator === 'NOTLIKE') return node;
  const number = quantity?.(node.field, node.value);
  return number === undefined ? node : { ...node, value: String(number) };
}

type Leaf = Exclude<QueryNode, { readonly type: 'and' | 'or' | 'not' | 'boost' }>;

function withOtherValues(node: Leaf, { values }: Expansions): Leaf[] {
  switch (node.type) {
    case 'term':
    case 'phrase': {
      const place = node.field === undefined ? {} : { field: node.field };
      return [
        node,
        ...values(node.text).map(
          (text): Leaf =>
            splitWords(text).length === 1
              ? { type: 'term', ...place, text }
              : { type: 'phrase', ...place, text, slop: 0 },
        ),
      ];
    }
    case 'value':
      return [node, ...values(node.value).map((value) => ({ ...node, value }))];
    case 'compare':
      return node.operator === '='
        ? [node, ...values(node.value).map((value) => ({ ...node, value }))]
        : [node];
    default:
      return [node];
  }
}

function withOtherFields(node: Leaf, { fields }: Expansions): Leaf[] {
  if (!('field' in node) || node.field === undefined) return [node];
  return [node, ...fields(node.field).map((field) => ({ ...node, field }))];
}
