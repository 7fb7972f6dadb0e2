/**
 * Which clients a rule lets in: by address, or by a name and password. Garner's access rules are unions, so
 * some conditions (this network and that user) cannot be said exactly; then fewer clients are let in, never
 * more, and the set is marked as not exact.
 */
import type { AccessRule } from '../../../core/access.ts';
import {
  type AddressSet,
  complement,
  EVERY_ADDRESS,
  intersect,
  isEmpty,
  isEverything,
  NO_ADDRESS,
  toNetworks,
  unite,
} from './address-ranges.ts';

export interface Clients {
  readonly addresses: AddressSet;
  /** Groups of viewers (see `htpasswd.ts`) that are let in from anywhere. */
  readonly groups: ReadonlySet<string>;
  /** False: some clients that should get in do not. */
  readonly exact: boolean;
}

const NO_GROUPS: ReadonlySet<string> = new Set();

export const EVERYBODY: Clients = { addresses: EVERY_ADDRESS, groups: NO_GROUPS, exact: true };
export const NOBODY: Clients = { addresses: NO_ADDRESS, groups: NO_GROUPS, exact: true };
/** What we do not understand lets nobody in. */
export const UNKNOWN: Clients = { ...NOBODY, exact: false };

export const fromAddresses = (addresses: AddressSet): Clients => ({ ...NOBODY, addresses });
export const fromGroups = (groups: Iterable<string>): Clients => ({ ...NOBODY, groups: new Set(groups) });

export const isEverybody = (clients: Clients): boolean => isEverything(clients.addresses);

export const anyOf = (...all: readonly Clients[]): Clients => ({
  addresses: unite(...all.map(({ addresses }) => addresses)),
  groups: new Set(all.flatMap(({ groups }) => [...groups])),
  exact: all.every(({ exact }) => exact),
});

export function bothOf(a: Clients, b: Clients): Clients {
  if (isEverybody(a)) return b.exact && !a.exact ? { ...b, exact: false } : b;
  if (isEverybody(b)) return bothOf(b, a);
  const mixed = (a.groups.size > 0 && !isEmpty(b.addresses)) || (b.groups.size > 0 && !isEmpty(a.addresses));
  return {
    addresses: intersect(a.addresses, b.addresses),
    groups: commonGroups(a.groups, b.groups),
    exact: a.exact && b.exact && !mixed,
  };
}

/** Whoever is not in `clients`. A set that is too small has a complement that is too large: nobody, then. */
export function noneOf(clients: Clients): Clients {
  if (!clients.exact) return UNKNOWN;
  if (isEverybody(clients)) return NOBODY;
  if (clients.groups.size > 0) return UNKNOWN;
  return fromAddresses(complement(clients.addresses));
}

/** `any valid user of F` and `user a of F` have `user a of F` in common. */
function commonGroups(a: ReadonlySet<string>, b: ReadonlySet<string>): Set<string> {
  const includes = (groups: ReadonlySet<string>, group: string) =>
    groups.has(group) || groups.has(group.replace(/\/.*$/s, ''));
  return new Set([
    ...[...a].filter((group) => includes(b, group)),
    ...[...b].filter((group) => includes(a, group)),
  ]);
}

/** Undefined: nobody may read. */
export function toAccessRule({ addresses, groups }: Clients): AccessRule | undefined {
  if (isEverything(addresses)) return { public: true };
  const networks = toNetworks(addresses);
  if (networks.length === 0 && groups.size === 0) return undefined;
  return {
    ...(networks.length > 0 && { networks }),
    ...(groups.size > 0 && { groups: [...groups].toSorted() }),
  };
}
