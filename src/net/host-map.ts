/** Host names that lead elsewhere than the DNS says (`net.hosts`), as connections need it. */
import { parsePlace } from '../core/net-schema.ts';
import { type ResolveHost, systemResolve } from './public-address.ts';

/** The port to connect to for a host and the port of the URL. */
export type PortFor = (host: string, port: number) => number;

export interface HostMap {
  readonly resolveHost: ResolveHost;
  readonly portFor: PortFor;
}

/** Nothing when no name leads elsewhere. */
export function mapHosts(hosts: Readonly<Record<string, string>>): HostMap | Record<never, never> {
  const places = new Map(Object.entries(hosts).map(([host, place]) => [host, parsePlace(place)]));
  if (places.size === 0) return {};
  return {
    resolveHost: async (host) => {
      const place = places.get(host);
      return place ? [place.address] : systemResolve(host);
    },
    portFor: (host, port) => places.get(host)?.port ?? port,
  };
}
