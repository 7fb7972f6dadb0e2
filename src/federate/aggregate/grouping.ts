/** In which group a product is: one value for every level, from the root down. */
import { type Attribute, attributeKey } from '../../core/attributes.ts';
import type { ItemRef } from '../../core/model.ts';
import type { QueryNode } from '../../query/ast.ts';

/** The values of all levels; shorter: a group of groups; empty: the root. */
export type GroupPath = readonly string[];

export interface GroupedItem extends ItemRef {
  readonly format: string;
}

export const SOURCE_LEVEL = '@source';
export const FORMAT_LEVEL = '@format';

/** Of an attribute with several values the first counts; without one the level is empty. */
export function groupOf(
  levels: readonly string[],
  item: GroupedItem,
  attributes: ReadonlyMap<string, Attribute>,
): GroupPath {
  return levels.map((level) => {
    if (level === SOURCE_LEVEL) return item.source;
    if (level === FORMAT_LEVEL) return item.format;
    return attributes.get(attributeKey(level))?.values[0]?.text ?? '';
  });
}

/** What finds the products of a group, and perhaps others: who asks looks at each with `groupOf`. */
export function groupQuery(
  levels: readonly string[],
  path: GroupPath,
): { readonly query: QueryNode; readonly sources?: readonly string[] } {
  const of: QueryNode[] = [{ type: 'all' }];
  let sources: readonly string[] | undefined;
  for (const [i, value] of path.entries()) {
    const level = levels[i];
    if (level === undefined) break;
    if (level === SOURCE_LEVEL) sources = [value];
    else if (level === FORMAT_LEVEL) of.push({ type: 'value', field: 'schema', value });
    else if (value === '')
      of.push({ type: 'not', of: { type: 'compare', field: level, operator: 'EXISTS', value: '' } });
    else of.push({ type: 'compare', field: level, operator: '=', value });
  }
  return { query: { type: 'and', of }, ...(sources && { sources }) };
}
