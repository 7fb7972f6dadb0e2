/** Identifiers of profiles that Garner makes, as the configuration wants them. They never change. */

import { itemPath } from '../../core/identifiers.ts';
import type { ItemRef } from '../../core/model.ts';
import type { ProfileConfig } from './profile-config.ts';

export interface ProfileIds {
  /** `key`: the store's number of the item. */
  ofItem(item: ItemRef & { readonly key: number }): string;
  /** `number`: that of the group; the root has 0. */
  ofGroup(number: number, path: readonly string[]): string;
}

/** Arcs below the root of object identifiers. */
const ITEM_ARC = 1;
const GROUP_ARC = 2;

export function createProfileIds(
  { ids, oidRoot }: Pick<ProfileConfig, 'ids' | 'oidRoot'>,
  baseUrl: string,
): ProfileIds {
  switch (ids) {
    case 'oid':
      return {
        ofItem: ({ key }) => `${oidRoot}.${ITEM_ARC}.${key}`,
        ofGroup: (number) => `${oidRoot}.${GROUP_ARC}.${number}`,
      };
    case 'sequence':
      return { ofItem: ({ key }) => String(key), ofGroup: (number) => `G${number}` };
    case 'uri':
      return {
        ofItem: ({ source, identifier }) => `${baseUrl}${itemPath(source, identifier)}#profile`,
        ofGroup: (_, path) => `${baseUrl}/prof#${['all', ...path].map(encodeURIComponent).join('/')}`,
      };
  }
}
