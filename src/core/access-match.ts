/** Whether a rule lets a viewer read. The store asks it for each rule once per viewer, not per item. */
import { BlockList, isIP } from 'node:net';
import type { AccessRule, Viewer } from './access.ts';

export function mayRead(rule: AccessRule, viewer: Viewer): boolean {
  if (viewer.role !== 'reader' || rule.public === true) return true;
  if (rule.groups?.some((group) => viewer.groups.includes(group))) return true;
  if (viewer.token !== undefined && rule.tokens?.includes(viewer.token)) return true;
  if (viewer.address === undefined || !rule.networks?.length) return false;
  return isWithin(viewer.address, rule.networks);
}

/** An IPv4 address inside IPv6, as dual-stack sockets report it, matches IPv4 networks. */
function isWithin(address: string, networks: readonly string[]): boolean {
  // A link-local address may carry its interface: fe80::1%eth0.
  const plain = address.replace(/%.*$/, '');
  const family = isIP(plain);
  if (family === 0) return false;
  const list = new BlockList();
  for (const network of networks) addNetwork(list, network);
  return list.check(plain, family === 6 ? 'ipv6' : 'ipv4');
}

interface Network {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** `10.0.0.0/8`, `2001:db8::/32`, or one address. Undefined when it is neither. */
function parseNetwork(text: string): Network | undefined {
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address);
  if (family === 0) return undefined;
  const width = family === 4 ? 32 : 128;
  const bits = prefix === undefined ? width : Number(prefix);
  if (bits > width) return undefined;
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined && bits >= 96) return { address: mapped, bits: bits - 96, family: 'ipv4' };
  return { address, bits, family: family === 4 ? 'ipv4' : 'ipv6' };
}

export function isNetwork(text: string): boolean {
  return parseNetwork(text) !== undefined;
}

function addNetwork(list: BlockList, text: string): void {
  const network = parseNetwork(text);
  // Config refuses malformed networks; one that an old store still holds opens nothing.
  if (!network) return;
  list.addSubnet(network.address, network.bits, network.family);
}

/** Canonical JSON: rules that let the same viewers read are written the same, whatever their order. */
export function writeRule(rule: AccessRule): string {
  if (rule.public) return '{"public":true}';
  const list = (values: readonly string[] | undefined) => [...new Set(values)].sort();
  const lists = { groups: list(rule.groups), networks: list(rule.networks), tokens: list(rule.tokens) };
  return JSON.stringify(Object.fromEntries(Object.entries(lists).filter(([, values]) => values.length > 0)));
}
