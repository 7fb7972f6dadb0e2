/** A query as the index answers it: every leaf a question to the word index or to the doc-value columns. */
import { GarnerError } from '../../../core/errors.ts';
import type { ComposedNode, QueryNode } from '../../../query/ast.ts';
import { type FieldCatalogue, getField } from '../../../query/catalogue.ts';
import { lowerCompare } from '../../../query/lower-compare.ts';
import { isWordNode, type LeafNode, resolveLeaf } from '../../../query/resolve.ts';
import type { IndexedField } from './field-registry.ts';
import type { WordIndex, WordQuery } from './word-index.ts';
import { wordLeaf } from './word-leaf.ts';

export type QueryPlan =
  | { readonly type: 'words'; readonly query: WordQuery }
  | { readonly type: 'all' | 'none' }
  | { readonly type: 'leaf'; readonly node: LeafNode; readonly field: string }
  | { readonly type: 'and' | 'or'; readonly of: readonly QueryPlan[] }
  | { readonly type: 'not'; readonly of: QueryPlan }
  /** Reads each document of `of`. */
  | { readonly type: 'composed'; readonly node: ComposedNode; readonly of: QueryPlan }
  | { readonly type: 'boost'; readonly of: QueryPlan; readonly factor: number };

const MAX_LEAVES = 500;

export function planQuery(
  node: QueryNode,
  catalogue: FieldCatalogue,
  fields: ReadonlyMap<string, IndexedField>,
  index: WordIndex,
  note: (text: string) => void,
): QueryPlan {
  let leaves = 0;
  const plan = (node: QueryNode): QueryPlan => {
    switch (node.type) {
      case 'and':
        return planAnd(node.of.map(plan));
      case 'or':
        return planOr(node.of.map(plan));
      case 'not':
        return planNot(plan(node.of));
      case 'boost':
        return { type: 'boost', of: plan(node.of), factor: node.factor };
      case 'compare':
        return plan(lowerCompare(node, catalogue));
      case 'composed':
        return planComposed(node, plan(node.within));
      default:
        if (++leaves > MAX_LEAVES) {
          throw new GarnerError('query.too-broad', `a query may have at most ${MAX_LEAVES} clauses`, {
            details: { limit: MAX_LEAVES },
          });
        }
        return planLeaf(resolveLeaf(node, catalogue));
    }
  };

  const planLeaf = (node: LeafNode): QueryPlan => {
    if (node.type === 'all') return { type: 'all' };
    const field = node.field === undefined ? undefined : getField(catalogue, node.field);
    if (field && !(field.tokenised && isWordNode(node))) return { type: 'leaf', node, field: field.name };
    const column = field && fields.get(field.name)?.wordColumn;
    // Configured, but nothing was indexed under it yet.
    if (field && column === undefined) return { type: 'none' };
    const query = wordLeaf(index, node, column, field === undefined || field.stemmed, note);
    if (!query || (query.type === 'any' && query.words.length === 0)) return { type: 'none' };
    return { type: 'words', query };
  };

  return plan(node);
}

const planComposed = (node: ComposedNode, of: QueryPlan): QueryPlan =>
  of.type === 'none' ? of : { type: 'composed', node, of };

function planAnd(parts: readonly QueryPlan[]): QueryPlan {
  if (parts.some((part) => part.type === 'none')) return { type: 'none' };
  return planSeveral(
    'and',
    parts.filter((part) => part.type !== 'all'),
    'all',
  );
}

function planOr(parts: readonly QueryPlan[]): QueryPlan {
  if (parts.some((part) => part.type === 'all')) return { type: 'all' };
  return planSeveral(
    'or',
    parts.filter((part) => part.type !== 'none'),
    'none',
  );
}

function planSeveral(type: 'and' | 'or', of: readonly QueryPlan[], nothing: 'all' | 'none'): QueryPlan {
  const [only, second] = of;
  if (!only) return { type: nothing };
  return second ? { type, of } : only;
}

function planNot(of: QueryPlan): QueryPlan {
  if (of.type === 'all') return { type: 'none' };
  if (of.type === 'none') return { type: 'all' };
  return of.type === 'not' ? of.of : { type: 'not', of };
}
