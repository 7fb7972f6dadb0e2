/** Which attributes a reader can choose by, as the gathered profiles of what matches have them. */

import { isDomainKey } from '../../formats/oodt-profile/profile.ts';
import type { QueryNode } from '../../query/ast.ts';
import type { Aggregate } from '../aggregate/aggregate.ts';
import type { Aggregates } from '../aggregate/aggregates.ts';
import type { GroupPath } from '../aggregate/grouping.ts';
import { possiblyMatches } from '../aggregate/possibly-matches.ts';
import type { AttributeSummary } from '../aggregate/summary.ts';

/** Of what every profile has, these divide resources into few enough kinds. */
const GENERAL = new Set([
  'type',
  'subject',
  'format',
  'language',
  'creator',
  'publisher',
  'date',
  'coverage',
]);

export interface Choosable {
  readonly key: string;
  readonly summary: AttributeSummary;
}

/** Those that most matches have come first. */
export function listChoosable(
  aggregates: Pick<Aggregates, 'find'>,
  query: QueryNode,
  join: (groups: readonly Aggregate[]) => Aggregate,
): Choosable[] {
  const matching = join([...listMatching(aggregates, query, [])]);
  return [...matching.attributes]
    .filter(([key]) => isDomainKey(key) || GENERAL.has(key))
    .map(([key, summary]) => ({ key, summary }))
    .sort((a, b) => b.summary.present - a.summary.present || (a.key < b.key ? -1 : 1));
}

/** Groups of products that may hold a match. */
function* listMatching(
  aggregates: Pick<Aggregates, 'find'>,
  query: QueryNode,
  path: GroupPath,
): Generator<Aggregate> {
  const node = aggregates.find(path);
  if (!node || !possiblyMatches(node.aggregate, query)) return;
  if (node.children.length === 0) yield node.aggregate;
  for (const child of node.children) yield* listMatching(aggregates, query, child);
}
