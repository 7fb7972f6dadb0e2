/**
 * The one query language inside Garner. Parsers (text syntax, DIS) make it; back ends (SQLite,
 * in-memory matcher, OpenSearch) evaluate it; `query/cases.ts` fixes what it means.
 */
import type { BoxValue } from '../core/model.ts';

export interface Bound {
  readonly value: string;
  readonly inclusive: boolean;
}

export type QueryNode =
  | { readonly type: 'all' }
  /** One word as typed; may split into several words, which then must stand side by side. */
  | { readonly type: 'term'; readonly field?: string; readonly text: string }
  /** Quoted: words in this order, never stemmed; at most `slop` other words between them. */
  | { readonly type: 'phrase'; readonly field?: string; readonly text: string; readonly slop: number }
  /** `*` any run, `?` one character, `\` before a literal one, over single words (tokenised fields) or whole values. */
  /** `negated`, over whole values only: some value is not like the pattern. */
  | {
      readonly type: 'wildcard';
      readonly field?: string;
      readonly pattern: string;
      readonly negated?: boolean;
    }
  | { readonly type: 'fuzzy'; readonly field?: string; readonly text: string; readonly distance: 1 | 2 }
  /** The whole value, folded: what a facet click asks. */
  | { readonly type: 'value'; readonly field: string; readonly value: string }
  /** The whole value, folded, is one of many strings; with `parts` also what follows one of its dots. */
  | {
      readonly type: 'oneOf';
      readonly field: string;
      readonly values: readonly string[];
      readonly parts?: boolean;
    }
  /**
   * Numbers; dates and intervals, which match when their span of time overlaps the range (bounds are taken
   * at their precision: `2006-06` as an upper bound takes in all of June); strings, by folded code points.
   */
  | { readonly type: 'range'; readonly field: string; readonly from?: Bound; readonly to?: Bound }
  | { readonly type: 'box'; readonly field: string; readonly relation: BoxRelation; readonly box: BoxValue }
  | { readonly type: 'exists'; readonly field: string }
  /** Some value of an attribute, compared by what it is: number, date or text (see `compare.ts`). */
  | CompareNode
  | ComposedNode
  | { readonly type: 'and'; readonly of: readonly QueryNode[] }
  | { readonly type: 'or'; readonly of: readonly QueryNode[] }
  | { readonly type: 'not'; readonly of: QueryNode }
  | { readonly type: 'boost'; readonly of: QueryNode; readonly factor: number };

/** `EXISTS` takes no value. `LIKE` and `NOTLIKE` take `%` for any run, `_` for one character, `\` before a literal one. */
export const COMPARE_OPERATORS = ['=', '!=', '<', '<=', '>', '>=', 'LIKE', 'NOTLIKE', 'EXISTS'] as const;
export type CompareOperator = (typeof COMPARE_OPERATORS)[number];

export interface CompareNode {
  readonly type: 'compare';
  /** The name of an attribute, in any case. */
  readonly field: string;
  readonly operator: CompareOperator;
  /** As written; empty for `EXISTS`. */
  readonly value: string;
  /**
   * Just these fields of the index are asked, instead of those that the name stands for; when there are none,
   * just those of attributes.
   */
  readonly only?: readonly string[];
}

/** A piece of text, or the first value of the first of these fields that has one. */
export type ComposedPart = string | { readonly fields: readonly string[] };

/** A value that is made of others (`{data_set_id}:{image_id}`), compared as that of an attribute (see `compose.ts`). */
export interface ComposedNode {
  readonly type: 'composed';
  readonly parts: readonly ComposedPart[];
  readonly kind: 'text' | 'date';
  readonly operator: CompareOperator;
  readonly value: string;
  /** Asked of these only: each of them is read. */
  readonly within: QueryNode;
}

/** How the item's box lies to the query's: `intersects` shares a point, `within` lies inside it, `contains` covers it. */
export type BoxRelation = 'intersects' | 'within' | 'contains';

export const MATCH_ALL: QueryNode = { type: 'all' };

/** Nothing, when there are none. */
export function anyOf(nodes: readonly QueryNode[]): QueryNode {
  const [only, second] = nodes;
  if (!only) return { type: 'not', of: MATCH_ALL };
  return second ? { type: 'or', of: nodes } : only;
}
