/**
 * What a server that is no Garner is asked. Apache OODT's matches just equality with certainty: case counts, NOT is
 * lost, values in lists have no order. So it is asked for more than is wanted, in what it surely understands, and
 * what comes is looked at here.
 */
import { attributeKey } from '../../core/attributes.ts';
import { PROF_ATTRIBUTES, type Profile, RES_ATTRIBUTES } from '../../formats/oodt-profile/profile.ts';
import type { CompareNode, QueryNode } from '../../query/ast.ts';
import { writeDis } from '../../query/dis/write-dis.ts';
import { compileProfileTest } from '../profile/match-profile.ts';

export interface OlderQuestion {
  readonly expression: string;
  /** Undefined when the server can answer for itself. */
  readonly fits?: (profile: Profile) => boolean;
}

/** A wish without a condition: everything fits. */
const EVERYTHING = 'RETURN = profId';

export function olderQuestion(query: QueryNode, from: readonly string[] = []): OlderQuestion {
  const wider = widen(query);
  const expression = wider ? writeDis(wider, { from }) : EVERYTHING;
  return isUnderstood(query) ? { expression } : { expression, fits: compileProfileTest(query) };
}

/** Nothing but equalities: its answer is taken as that of any other server. */
function isUnderstood(query: QueryNode): boolean {
  if (query.type === 'and' || query.type === 'or') return query.of.every(isUnderstood);
  return query.type === 'compare' && query.operator === '=';
}

/** Undefined: everything. */
function widen(query: QueryNode): QueryNode | undefined {
  switch (query.type) {
    case 'and': {
      const [first, ...others] = query.of.flatMap((part) => widen(part) ?? []);
      return first && others.length > 0 ? { type: 'and', of: [first, ...others] } : first;
    }
    case 'or': {
      const of = query.of.map(widen).filter((part) => part !== undefined);
      return of.length === query.of.length ? { type: 'or', of } : undefined;
    }
    case 'compare':
      return query.operator === '=' ? spellings(query) : undefined;
    default:
      return undefined;
  }
}

const SECTION_NAMES = new Map(
  Object.keys({ ...PROF_ATTRIBUTES, ...RES_ATTRIBUTES }).map((name) => [attributeKey(name), name]),
);

/** Names as the DTD writes them; values as written, and in capitals, as most archives have them. */
function spellings(node: CompareNode): QueryNode {
  const field = SECTION_NAMES.get(attributeKey(node.field)) ?? node.field;
  const values = new Set([node.value, node.value.toUpperCase()]);
  const of = [...values].map((value): CompareNode => ({ ...node, field, value }));
  return of.length === 1 ? of[0]! : { type: 'or', of };
}
