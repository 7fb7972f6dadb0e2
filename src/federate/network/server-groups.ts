/**
 * What a profile server tells of itself and of the servers behind it: one gathered profile for each. Its first
 * `resLocation` is the server; further ones are servers behind that one, to be asked when it does not answer.
 */
import { attributeKey } from '../../core/attributes.ts';
import type { Profile } from '../../formats/oodt-profile/profile.ts';
import type { QueryNode } from '../../query/ast.ts';
import { Aggregate } from '../aggregate/aggregate.ts';
import { aggregateElements, isGathered, readAggregate } from '../aggregate/gathered-profile.ts';
import { possiblyMatches } from '../aggregate/possibly-matches.ts';
import { AttributeSummary } from '../aggregate/summary.ts';
import { canonicalServer } from './server-url.ts';

export interface ServerGroup {
  readonly server: string;
  /** Servers behind it. */
  readonly behind: readonly string[];
  readonly title: string;
  /** Absent: nothing is known of what is there. */
  readonly aggregate?: Aggregate;
  /** An attribute that it does not tell of is not there. Profiles of others leave attributes out. */
  readonly complete: boolean;
  /** What the server that tells it has itself, by whatever address it was reached. */
  readonly own: boolean;
}

const COMPLETE = 'garner: every attribute is told';
const OWN = 'garner: of this server itself';
/** So many servers behind another are named. */
const MOST_BEHIND = 2000;

/** Undefined for the profile of a product, and for one that leads nowhere. */
export function readGroup(profile: Profile): ServerGroup | undefined {
  if (!isGathered(profile)) return undefined;
  const [server, ...behind] = (profile.res.resLocation ?? []).flatMap(
    (location) => canonicalServer(location) ?? [],
  );
  if (server === undefined) return undefined;
  return {
    server,
    behind: behind.slice(0, MOST_BEHIND),
    title: profile.res.Title?.[0] ?? profile.res.Identifier?.[0] ?? server,
    ...(profile.elements.length > 0 && { aggregate: readAggregate(profile) }),
    complete: profile.prof.profRevisionNote?.includes(COMPLETE) ?? false,
    own: profile.prof.profRevisionNote?.includes(OWN) ?? false,
  };
}

export function writeGroup(group: ServerGroup, context: string): Profile {
  const { server, behind, title, aggregate, complete, own } = group;
  const notes = [...(complete ? [COMPLETE] : []), ...(own ? [OWN] : [])];
  return {
    prof: {
      profId: [`${server}#server`],
      profType: ['profile'],
      profStatusId: ['active'],
      ...(notes.length > 0 && { profRevisionNote: notes }),
    },
    res: {
      Identifier: [server],
      Title: [title],
      Format: ['text/xml'],
      resContext: [context],
      resAggregation: ['dataSetCollection'],
      resClass: ['system.profileServer.all'],
      resLocation: [server, ...behind],
    },
    elements: aggregate ? aggregateElements(aggregate) : [],
  };
}

/** All that a server tells, as one group of it for whoever comes from further away. */
export function joinGroups(
  server: string,
  title: string,
  groups: readonly ServerGroup[],
  valueLimit: number,
): ServerGroup {
  const behind = new Set(groups.flatMap((group) => [group.server, ...group.behind]));
  behind.delete(server);
  let aggregate: Aggregate | undefined = new Aggregate(valueLimit);
  for (const group of groups) {
    if (!group.aggregate) aggregate = undefined;
    else aggregate?.join(group.aggregate);
  }
  return {
    server,
    behind: [...behind].slice(0, MOST_BEHIND),
    title,
    ...(aggregate && { aggregate }),
    complete: groups.every(({ complete }) => complete),
    own: false,
  };
}

/** False only when nothing there can match. */
export function mayHold({ aggregate, complete }: ServerGroup, query: QueryNode): boolean {
  if (!aggregate) return true;
  return possiblyMatches(complete ? aggregate : opened(aggregate, query), query);
}

/** With what the query asks for and the profile leaves out: it may be there, with any value. */
function opened(aggregate: Aggregate, query: QueryNode): Aggregate {
  const open = new Aggregate(Number.POSITIVE_INFINITY);
  open.products = aggregate.products;
  open.loose = true;
  for (const [key, summary] of aggregate.attributes) open.attributes.set(key, summary);
  for (const name of comparedNames(query)) {
    const key = attributeKey(name);
    if (open.attributes.has(key)) continue;
    const summary = new AttributeSummary();
    summary.present = 1;
    summary.unlisted = true;
    open.attributes.set(key, summary);
  }
  return open;
}

function comparedNames(query: QueryNode): string[] {
  switch (query.type) {
    case 'compare':
      return [query.field];
    case 'not':
      return comparedNames(query.of);
    case 'and':
    case 'or':
      return query.of.flatMap(comparedNames);
    default:
      return [];
  }
}
