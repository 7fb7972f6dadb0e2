/**
 * Questions about groups themselves, as those who know only profiles ask them: for the one with this `profId`, for
 * data sets (`RESCLASS = system.profileServer.dataSet`), for what is below a group (`PROFPARENTID`).
 */
import { attributeKey } from '../../core/attributes.ts';
import type { QueryNode } from '../../query/ast.ts';

export interface GroupQuestion {
  /** Of the profile of the group. */
  readonly own: QueryNode;
  /** Of some product in it. */
  readonly products: QueryNode;
}

const OWN_ATTRIBUTES = new Set(['profid', 'profparentid', 'resclass', 'resaggregation']);

/** Undefined: nothing says that groups are meant, so products are. */
export function readGroupQuestion(query: QueryNode): GroupQuestion | undefined {
  const parts = query.type === 'and' ? query.of : [query];
  const own = parts.filter(isOwn);
  if (own.length === 0) return undefined;
  return {
    own: { type: 'and', of: own },
    products: { type: 'and', of: parts.filter((part) => !isOwn(part)) },
  };
}

function isOwn(part: QueryNode): boolean {
  if (part.type === 'or') return part.of.every(isOwn);
  return (
    part.type === 'compare' &&
    (part.operator === '=' || part.operator === 'LIKE') &&
    OWN_ATTRIBUTES.has(attributeKey(part.field))
  );
}
