/**
 * What Garner says in the profiles that it makes of items, the same in all of them. Items do not have it, so
 * questions about it are answered here.
 */
import { type Attribute, attributeField, attributeKey } from '../../core/attributes.ts';
import type { ProfSection, ResSection } from '../../formats/oodt-profile/profile.ts';
import type { CompareNode, QueryNode } from '../../query/ast.ts';
import { compileComparison, matchesAttribute } from '../../query/compare.ts';

export interface MadeSections {
  readonly prof: ProfSection;
  readonly res: ResSection;
}

export function madeSections({ context, resClass }: { context: string; resClass: string }): MadeSections {
  return {
    prof: { profType: ['profile'], profStatusId: ['active'] },
    res: { resContext: [context], resAggregation: ['granule'], resClass: [resClass] },
  };
}

/** By key. */
export function madeAttributes({ prof, res }: MadeSections): Map<string, Attribute> {
  return new Map(
    Object.entries({ ...prof, ...res }).map(([name, values]) => [
      attributeKey(name),
      { name, values: values.map((text: string) => ({ kind: 'text', text })) },
    ]),
  );
}

/** Items that are no profiles. */
export const ORDINARY: QueryNode = {
  type: 'not',
  of: { type: 'exists', field: attributeField('profType', 'text') },
};

/** The query as the store can answer it. */
export function lowerMade(query: QueryNode, made: ReadonlyMap<string, Attribute>): QueryNode {
  switch (query.type) {
    case 'and':
    case 'or':
      return { type: query.type, of: query.of.map((part) => lowerMade(part, made)) };
    case 'not':
    case 'boost':
      return { ...query, of: lowerMade(query.of, made) };
    case 'compare':
      return holds(query, made) ? { type: 'or', of: [query, ORDINARY] } : query;
    default:
      return query;
  }
}

function holds({ field, operator, value }: CompareNode, made: ReadonlyMap<string, Attribute>): boolean {
  const attribute = made.get(attributeKey(field));
  return attribute !== undefined && matchesAttribute(compileComparison(operator, value), attribute);
}
