/**
 * A query as the index answers it: neighbouring questions about words become one question to the word
 * index, everything else becomes sets of documents.
 */
import { GarnerError } from '../../../core/errors.ts';
import type { QueryNode } from '../../../query/ast.ts';
import { type FieldCatalogue, getField } from '../../../query/catalogue.ts';
import { lowerCompare } from '../../../query/lower-compare.ts';
import { isWordNode, type LeafNode, resolveLeaf } from '../../../query/resolve.ts';
import type { IndexedField } from './field-registry.ts';
import type { WordIndex, WordQuery } from './word-index.ts';
import { wordLeaf } from './word-leaf.ts';

export interface WordsPlan {
  readonly type: 'words';
  readonly query: WordQuery;
  /** Parts that count more (or less) than once: `extra` times on top. */
  readonly boosts: readonly { readonly query: WordQuery; readonly extra: number }[];
}

export type QueryPlan =
  | WordsPlan
  | { readonly type: 'all' | 'none' }
  | { readonly type: 'leaf'; readonly node: LeafNode; readonly field: string }
  | { readonly type: 'and' | 'or'; readonly of: readonly QueryPlan[] }
  | { readonly type: 'not'; readonly of: QueryPlan }
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
        return planBoost(plan(node.of), node.factor);
      case 'compare':
        return plan(lowerCompare(node, catalogue));
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
    return { type: 'words', query, boosts: [] };
  };

  const isCombinable = (part: QueryPlan): part is WordsPlan =>
    part.type === 'words' && index.canCombine(part.query);

  /** Parts that can be asked together, as few as possible; the others as they are. */
  const gather = (type: 'and' | 'or', parts: readonly QueryPlan[]): QueryPlan[] => {
    const gathered: WordsPlan[] = [];
    for (const part of parts.filter(isCombinable)) {
      const last = gathered.at(-1);
      const together = last && join(type, last, part);
      if (together && index.canCombine(together.query)) gathered[gathered.length - 1] = together;
      else gathered.push(part);
    }
    return [...gathered, ...parts.filter((part) => !isCombinable(part))];
  };

  const planAnd = (parts: readonly QueryPlan[]): QueryPlan => {
    if (parts.some((part) => part.type === 'none')) return { type: 'none' };
    const [words, ...others] = gather(
      'and',
      parts.filter((part) => part.type !== 'all'),
    );
    if (!words) return { type: 'all' };
    if (!isCombinable(words)) return others.length === 0 ? words : { type: 'and', of: [words, ...others] };
    // Words that must not occur go into the same question, when there are words that must.
    const excluded: WordQuery[] = [];
    const rest = others.filter((part) => {
      if (part.type !== 'not' || !isCombinable(part.of)) return true;
      excluded.push(part.of.query);
      return false;
    });
    const query: WordQuery =
      excluded.length === 0
        ? words.query
        : { type: 'without', of: words.query, not: { type: 'or', of: excluded } };
    if (!index.canCombine(query)) return { type: 'and', of: [words, ...others] };
    const together: WordsPlan = { type: 'words', query, boosts: words.boosts };
    return rest.length === 0 ? together : { type: 'and', of: [together, ...rest] };
  };

  const planOr = (parts: readonly QueryPlan[]): QueryPlan => {
    if (parts.some((part) => part.type === 'all')) return { type: 'all' };
    const of = gather(
      'or',
      parts.filter((part) => part.type !== 'none'),
    );
    const [only, second] = of;
    if (!only) return { type: 'none' };
    return second ? { type: 'or', of } : only;
  };

  return plan(node);
}

function join(type: 'and' | 'or', left: WordsPlan, right: WordsPlan): WordsPlan {
  const parts = left.query.type === type ? left.query.of : [left.query];
  return {
    type: 'words',
    query: { type, of: [...parts, right.query] },
    boosts: [...left.boosts, ...right.boosts],
  };
}

function planNot(of: QueryPlan): QueryPlan {
  if (of.type === 'all') return { type: 'none' };
  if (of.type === 'none') return { type: 'all' };
  return of.type === 'not' ? of.of : { type: 'not', of };
}

function planBoost(of: QueryPlan, factor: number): QueryPlan {
  if (of.type !== 'words') return { type: 'boost', of, factor };
  const boosts = of.boosts.map(({ query, extra }) => ({ query, extra: extra * factor }));
  return { type: 'words', query: of.query, boosts: [...boosts, { query: of.query, extra: factor - 1 }] };
}
