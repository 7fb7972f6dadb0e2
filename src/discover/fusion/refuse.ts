/** Addresses that are listed but never candidates: nobody should be sent there by a search engine. */
import { isIP } from 'node:net';
import { isPublicAddress } from '../../net/public-address.ts';
import { plainKey } from './canonical.ts';

/** Names that no public resolver answers for (RFC 6761, RFC 6762, RFC 8375 and ICANN's `.internal`). */
const PRIVATE_NAME =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home\.arpa|test|invalid)\.?$/;
/** Why the address is refused; undefined when it is not. */
export function refuse(address: string, allowPrivate = false): string | undefined {
  if (plainKey(address) !== undefined) return undefined;
  const url = URL.parse(address);
  if (!url) return 'is no web address';
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return `has the scheme ${url.protocol.slice(0, -1)}; only http and https are taken`;
  if (url.username !== '' || url.password !== '') return 'has a user name or password in it';
  return allowPrivate ? undefined : refusePrivate(url.hostname.replace(/^\[|\]$/g, ''));
}

function refusePrivate(host: string): string | undefined {
  if (isIP(host) !== 0) return isPublicAddress(host) ? undefined : 'leads to a private network';
  if (PRIVATE_NAME.test(host) || !host.replace(/\.$/, '').includes('.')) return 'leads to a private network';
  return undefined;
}

/** Whether it could be one, wherever it leads. */
export const isCandidateAddress = (address: string): boolean => refuse(address, true) === undefined;
