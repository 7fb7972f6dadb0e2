/** What this installation itself has for the network. */
import { ANONYMOUS, type Viewer } from '../../core/access.ts';
import type { Profile } from '../../formats/oodt-profile/profile.ts';
import type { QueryNode } from '../../query/ast.ts';
import type { Aggregate } from '../aggregate/aggregate.ts';
import type { Aggregates } from '../aggregate/aggregates.ts';
import { possiblyMatches } from '../aggregate/possibly-matches.ts';
import type { ProfileQuestion, Profiles } from '../profiles.ts';

export interface LocalServer {
  /** Of everything that anybody may read; undefined: there is nothing; `unknown`: it is not gathered yet. */
  findRoot(): Aggregate | 'unknown' | undefined;
  find(
    question: ProfileQuestion,
    viewer: Viewer,
  ): Promise<{ readonly total: number; readonly profiles: readonly Profile[] }>;
  /** Profiles of other servers that were taken in as records. */
  listServers(): Promise<readonly Profile[]>;
  /** With all that is meant by its terms. */
  expand(query: QueryNode, exact: boolean | undefined): QueryNode;
}

const SERVERS: QueryNode = {
  type: 'compare',
  field: 'resClass',
  operator: 'LIKE',
  value: 'system.profileServer%',
};
const MOST_SERVERS = 1000;

export function localServer(profiles: Pick<Profiles, 'aggregates' | 'find' | 'expand'>): LocalServer {
  return {
    findRoot() {
      if (!profiles.aggregates.isCurrent) return 'unknown';
      const aggregate = profiles.aggregates.find([])?.aggregate;
      return aggregate && aggregate.products > 0 ? aggregate : undefined;
    },
    find: (question, viewer) => profiles.find(question, viewer),
    async listServers() {
      // Most have none: that is seen without a search.
      if (profiles.aggregates.isCurrent && !mayHaveServers(profiles.aggregates)) return [];
      const found = await profiles.find({ query: SERVERS, exact: true, limit: MOST_SERVERS }, ANONYMOUS);
      return found.profiles;
    },
    expand: (query, exact) => profiles.expand(query, exact),
  };
}

function mayHaveServers(aggregates: Pick<Aggregates, 'find'>): boolean {
  const root = aggregates.find([])?.aggregate;
  return root !== undefined && possiblyMatches(root, SERVERS);
}
