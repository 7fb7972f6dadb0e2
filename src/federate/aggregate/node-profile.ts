/** The profile of a group: a data set, a collection of data sets, or everything (the root). */
import type { Profile } from '../../formats/oodt-profile/profile.ts';
import type { ProfileIds } from '../profile/profile-id.ts';
import type { AggregateNode } from './aggregates.ts';
import { aggregateElements } from './gathered-profile.ts';
import type { GroupPath } from './grouping.ts';

export interface NodeSettings {
  readonly ids: ProfileIds;
  readonly baseUrl: string;
  /** `resContext`. */
  readonly context: string;
  /** Title of the root. */
  readonly name: string;
  readonly numberOf: (path: GroupPath) => number | undefined;
}

const ROOT_IDENTIFIER = 'ALL';
/** A data set tells its media types when they are so few. */
const SHOWN_FORMATS = 5;

/** `products`: identifiers of the profiles in a group of products, as far as they are listed. */
export function nodeProfile(
  node: AggregateNode,
  settings: NodeSettings,
  products: readonly string[] = [],
): Profile {
  return { ...nodeSections(node, settings, products), elements: aggregateElements(node.aggregate) };
}

/** What the profile says of itself and of the group as a whole. */
export function nodeSections(
  { path, number, aggregate, children }: AggregateNode,
  settings: NodeSettings,
  products: readonly string[] = [],
): Omit<Profile, 'elements'> {
  const { ids, baseUrl, context, name, numberOf } = settings;
  const isRoot = path.length === 0;
  const isDataSet = children.length === 0 && !isRoot;
  const parent = isRoot ? undefined : path.slice(0, -1);
  const childIds = [...children.map((child) => ids.ofGroup(numberOf(child) ?? 0, child)), ...products];
  const identifier = isRoot ? ROOT_IDENTIFIER : (path.at(-1) ?? '') || 'NONE';
  const formats = [...(aggregate.attributes.get('format')?.texts?.values() ?? [])];
  return {
    prof: {
      profId: [ids.ofGroup(number, path)],
      profType: ['profile'],
      profStatusId: ['active'],
      ...(parent && { profParentId: [ids.ofGroup(numberOf(parent) ?? 0, parent)] }),
      ...(childIds.length > 0 && { profChildId: childIds }),
    },
    res: {
      Identifier: [identifier],
      Title: [isRoot ? name : identifier],
      Format: isDataSet && formats.length > 0 && formats.length <= SHOWN_FORMATS ? formats : ['text/xml'],
      resContext: [context],
      resAggregation: [isDataSet ? 'dataSet' : 'dataSetCollection'],
      resClass: [
        isRoot
          ? 'system.profileServer.all'
          : isDataSet
            ? 'system.profileServer.dataSet'
            : 'system.profileServer.collection',
      ],
      resLocation: [`${baseUrl}/prof`],
    },
  };
}
