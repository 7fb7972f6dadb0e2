/** Identifiers of profiles that Garner makes, as the configuration wants them. They never change. */

import { itemPath, parseItemPath } from '../../core/identifiers.ts';
import type { ItemRef } from '../../core/model.ts';
import type { ProfileConfig } from './profile-config.ts';

export interface ProfileIds {
  /** `key`: the store's number of the item. */
  ofItem(item: ItemRef & { readonly key: number }): string;
  /** The item whose profile has this identifier, or its key; undefined when it is none of ours. */
  itemOf(id: string): ItemRef | number | undefined;
  /** `number`: that of the group; the root has 0. */
  ofGroup(number: number, path: readonly string[]): string;
}

/** Arcs below the root of object identifiers. */
const ITEM_ARC = 1;
const GROUP_ARC = 2;
const PROFILE_MARK = '#profile';

export function createProfileIds(
  { ids, oidRoot }: Pick<ProfileConfig, 'ids' | 'oidRoot'>,
  baseUrl: string,
): ProfileIds {
  switch (ids) {
    case 'oid':
      return {
        ofItem: ({ key }) => `${oidRoot}.${ITEM_ARC}.${key}`,
        itemOf: (id) => readKey(id, `${oidRoot}.${ITEM_ARC}.`),
        ofGroup: (number) => `${oidRoot}.${GROUP_ARC}.${number}`,
      };
    case 'sequence':
      return {
        ofItem: ({ key }) => String(key),
        itemOf: (id) => readKey(id, ''),
        ofGroup: (number) => `G${number}`,
      };
    case 'uri':
      return {
        ofItem: ({ source, identifier }) => `${baseUrl}${itemPath(source, identifier)}${PROFILE_MARK}`,
        itemOf: (id) =>
          id.startsWith(baseUrl) && id.endsWith(PROFILE_MARK)
            ? parseItemPath(id.slice(baseUrl.length))
            : undefined,
        ofGroup: (_, path) => `${baseUrl}/prof#${['all', ...path].map(encodeURIComponent).join('/')}`,
      };
  }
}

function readKey(id: string, prefix: string): number | undefined {
  const digits = id.startsWith(prefix) ? id.slice(prefix.length) : '';
  return /^[1-9]\d{0,14}$/.test(digits) ? Number(digits) : undefined;
}
