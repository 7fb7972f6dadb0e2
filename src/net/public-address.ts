/**
 * Which addresses a remote source may lead to. The check is made on the address that the connection is
 * then made to, so that a name which changes its answer between the two gains nothing.
 */
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { GarnerError } from '../core/errors.ts';

export type ResolveHost = (host: string) => Promise<readonly string[]>;

export const systemResolve: ResolveHost = async (host) =>
  (await lookup(host, { all: true, order: 'verbatim' })).map(({ address }) => address);

/** IANA's special-purpose registries: what is not a place on the public internet. */
const SPECIAL_4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** With the translators (NAT64, 6to4, Teredo), which may lead to any IPv4 address. */
const SPECIAL_6 = [
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

function blockList(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}
const special4 = blockList(SPECIAL_4, 'ipv4');
const special6 = blockList(SPECIAL_6, 'ipv6');
const mapped = blockList(['::ffff:0:0/96'], 'ipv6');

export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '');
  const family = isIP(plain);
  if (family === 4) return !special4.check(plain, 'ipv4');
  if (family !== 6 || special6.check(plain, 'ipv6')) return false;
  // A mapped IPv4 address is looked up in the IPv4 list by Node itself.
  return !mapped.check(plain, 'ipv6') || !special4.check(plain, 'ipv6');
}

const bare = (host: string): string => host.replace(/^\[|\]$/g, '');

function refused(host: string, addresses: readonly string[]): GarnerError {
  return new GarnerError(
    'http.address',
    `${host} is not on the public internet${addresses.includes(host) ? '' : ` (${addresses.join(', ')})`}`,
    { details: { host, addresses } },
  );
}

/** Hosts written as numbers never reach `lookup`. */
export function checkLiteralHost(host: string, allowPrivate: boolean): void {
  const address = bare(host);
  if (!allowPrivate && isIP(address) !== 0 && !isPublicAddress(address)) throw refused(address, [address]);
}

/** For `net.connect`: only addresses that may be connected to. */
export function guardedLookup(allowPrivate: boolean, resolve: ResolveHost): LookupFunction {
  const answer = async (...[host, options, done]: Parameters<LookupFunction>): Promise<void> => {
    let usable: readonly string[];
    try {
      usable = await findUsable(host, allowPrivate, resolve, options.family);
    } catch (error) {
      done(error instanceof Error ? error : new GarnerError('http.unreachable', String(error)), []);
      return;
    }
    if (options.all)
      done(
        null,
        usable.map((address) => ({ address, family: isIP(address) })),
      );
    else done(null, usable[0] ?? '', isIP(usable[0] ?? ''));
  };
  return (host, options, done) => {
    void answer(host, options, done);
  };
}

/** At least one, or an error. */
async function findUsable(
  host: string,
  allowPrivate: boolean,
  resolve: ResolveHost,
  family: number | string | undefined,
): Promise<readonly string[]> {
  const addresses = await resolve(host);
  if (addresses.length === 0) throw new GarnerError('http.unreachable', `${host} has no address`);
  const permitted = addresses.filter((address) => allowPrivate || isPublicAddress(address));
  if (permitted.length === 0) throw refused(host, addresses);
  const wanted = permitted.filter((address) => isIP(address) === Number(family));
  return wanted.length > 0 ? wanted : permitted;
}
