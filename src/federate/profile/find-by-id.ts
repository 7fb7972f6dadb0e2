/**
 * Identifiers and addresses that Garner gives to the profiles of items are in no record: questions for them become
 * questions for the items.
 */
import { attributeKey } from '../../core/attributes.ts';
import { parseItemPath } from '../../core/identifiers.ts';
import type { ItemRef } from '../../core/model.ts';
import type { CompareNode, QueryNode } from '../../query/ast.ts';
import type { GarnerStore } from '../../store/index.ts';
import type { ItemAttribute } from './item-attributes.ts';
import { ORDINARY } from './made-attributes.ts';
import type { ProfileIds } from './profile-id.ts';

export interface FindByIdDeps {
  readonly items: Pick<GarnerStore['items'], 'listLive'>;
  readonly ids: Pick<ProfileIds, 'itemOf'>;
  readonly baseUrl: string;
}

/** Of items that are no profiles, each has another one: gathered profiles say only that there are some. */
export const OWN_IDENTIFIERS: ReadonlyMap<string, ItemAttribute> = new Map(
  ['profId', 'resLocation'].map((name) => [attributeKey(name), { name, values: [], unlisted: true }]),
);

export async function findById(query: QueryNode, deps: FindByIdDeps): Promise<QueryNode> {
  switch (query.type) {
    case 'and':
    case 'or':
      return { type: query.type, of: await Promise.all(query.of.map((part) => findById(part, deps))) };
    case 'not':
    case 'boost':
      return { ...query, of: await findById(query.of, deps) };
    case 'compare':
      return OWN_IDENTIFIERS.has(attributeKey(query.field)) ? findOne(query, deps) : query;
    default:
      return query;
  }
}

async function findOne(node: CompareNode, deps: FindByIdDeps): Promise<QueryNode> {
  if (node.operator === 'EXISTS') return { type: 'or', of: [node, ORDINARY] };
  const item = node.operator === '=' ? await findItem(node, deps) : undefined;
  if (!item) return node;
  const isItem: QueryNode[] = [
    ORDINARY,
    { type: 'value', field: 'source', value: item.source },
    { type: 'value', field: 'id', value: item.identifier },
  ];
  return { type: 'or', of: [node, { type: 'and', of: isItem }] };
}

async function findItem(
  { field, value }: CompareNode,
  { items, ids, baseUrl }: FindByIdDeps,
): Promise<ItemRef | undefined> {
  if (attributeKey(field) === 'reslocation')
    return value.startsWith(baseUrl) ? parseItemPath(value.slice(baseUrl.length)) : undefined;
  const item = ids.itemOf(value);
  if (item === undefined || typeof item === 'object') return item;
  // Who may read it is decided by the search.
  const [live] = await items.listLive(item - 1, 1);
  return live?.key === item ? live : undefined;
}
