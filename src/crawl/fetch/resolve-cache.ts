/** Addresses of hosts, asked for once in a while: a crawl opens many connections to the same ones. */
import type { Clock } from '../../core/time.ts';
import type { ResolveHost } from '../../net/public-address.ts';

const KEPT_MS = 5 * 60_000;
const MAX_HOSTS = 10_000;

export function cachedResolve(resolve: ResolveHost, clock: Clock): ResolveHost {
  const known = new Map<string, { readonly until: number; readonly addresses: Promise<readonly string[]> }>();
  return (host) => {
    const kept = known.get(host);
    if (kept && kept.until > clock()) return kept.addresses;
    const addresses = resolve(host);
    if (known.size >= MAX_HOSTS) known.delete(known.keys().next().value ?? '');
    known.set(host, { until: clock() + KEPT_MS, addresses });
    addresses.catch(() => known.delete(host));
    return addresses;
  };
}
