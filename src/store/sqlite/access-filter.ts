/** Which access rules let a viewer read: the one place where rules are decided. */
import { BlockList, isIP, isIPv4 } from 'node:net';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { AccessRule, Viewer } from '../../core/access.ts';

const readsEverything = (viewer: Viewer): boolean => viewer.role === 'curator' || viewer.role === 'operator';

/** The same rule always in the same words, so that equal rules share one row. */
export function canonicalRule(rule: AccessRule): string {
  if (rule.public) return '{"public":true}';
  const sorted = (list: readonly string[] | undefined) =>
    list && list.length > 0 ? [...new Set(list)].sort() : undefined;
  return JSON.stringify({
    networks: sorted(rule.networks),
    groups: sorted(rule.groups),
    tokens: sorted(rule.tokens),
  });
}

/** IPv4 inside IPv6 (`::ffff:10.0.0.1`) is IPv4; a zone (`%eth0`) is no part of the address. */
function plainAddress(address: string): string {
  const bare = address.replace(/%.*$/, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  return mapped && isIPv4(mapped) ? mapped : bare;
}

/** Networks that are not CIDR or an address match nobody. */
function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const width = family === 'ipv6' ? 128 : 32;
    const prefix = bits === undefined ? width : Number(bits);
    if (isIP(address) !== 0 && Number.isInteger(prefix) && prefix >= 0 && prefix <= width) {
      list.addSubnet(address, prefix, family);
    }
  }
  return list;
}

type Decide = (viewer: Viewer) => boolean;

function decider(rule: AccessRule): Decide {
  if (rule.public) return () => true;
  const networks = blockList(rule.networks ?? []);
  return (viewer) => {
    if (viewer.token !== undefined && rule.tokens?.includes(viewer.token)) return true;
    if (rule.groups?.some((group) => viewer.groups.includes(group))) return true;
    if (viewer.address === undefined) return false;
    const address = plainAddress(viewer.address);
    return isIP(address) !== 0 && networks.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  };
}

export function isAllowed(rule: AccessRule, viewer: Viewer): boolean {
  return readsEverything(viewer) || decider(rule)(viewer);
}

/** Ids of `access_rule` rows; `all` for those who read everything. */
export type AllowedRules = 'all' | ReadonlySet<number>;

/** Rules are only ever added, so they are read again only when there are more of them. */
export class AccessFilter {
  readonly #last: StatementSync;
  readonly #newer: StatementSync;
  readonly #deciders = new Map<number, { rule: AccessRule; decide: Decide }>();
  #known = 0;

  constructor(db: DatabaseSync) {
    this.#last = db.prepare('SELECT max(id) AS id FROM access_rule');
    this.#newer = db.prepare('SELECT id, rule FROM access_rule WHERE id > ? ORDER BY id');
  }

  allowed(viewer: Viewer): AllowedRules {
    if (readsEverything(viewer)) return 'all';
    this.#refresh();
    const ids = new Set<number>();
    for (const [id, { decide }] of this.#deciders) if (decide(viewer)) ids.add(id);
    return ids;
  }

  rule(id: number): AccessRule {
    this.#refresh();
    return this.#deciders.get(id)?.rule ?? {};
  }

  #refresh(): void {
    if (Number(this.#last.get()?.id ?? 0) === this.#known) return;
    for (const row of this.#newer.all(this.#known)) {
      const id = Number(row.id);
      const rule = JSON.parse(String(row.rule)) as AccessRule;
      this.#deciders.set(id, { rule, decide: decider(rule) });
      this.#known = id;
    }
  }
}

export const mayRead = (allowed: AllowedRules, ruleId: number): boolean =>
  allowed === 'all' || allowed.has(ruleId);

/** For SQL: `(?n IS NULL OR access_id IN (SELECT value FROM json_each(?n)))`. */
export const allowedAsJson = (allowed: AllowedRules): string | null =>
  allowed === 'all' ? null : JSON.stringify([...allowed]);
