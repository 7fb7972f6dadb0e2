/** Who reads, and what may be read. Rules are applied inside the store's queries, nowhere else. */

export const ROLES = ['reader', 'curator', 'operator'] as const;
export type Role = (typeof ROLES)[number];

/** Who asks. Made once at an edge (HTTP request, CLI call) and handed to every read. */
export interface Viewer {
  readonly role: Role;
  readonly groups: readonly string[];
  /** The client's address; networks in rules are matched against it. */
  readonly address?: string;
  /** The name (never the secret) of the token that was shown. */
  readonly token?: string;
}

/** Readable when any of the lists matches; curators and operators read everything. */
export interface AccessRule {
  readonly public?: boolean;
  /** CIDR networks, IPv4 or IPv6. */
  readonly networks?: readonly string[];
  readonly groups?: readonly string[];
  readonly tokens?: readonly string[];
}

export const PUBLIC: AccessRule = { public: true };

export const ANONYMOUS: Viewer = { role: 'reader', groups: [] };
/** The person at the terminal, and the system itself. */
export const OPERATOR: Viewer = { role: 'operator', groups: [] };
