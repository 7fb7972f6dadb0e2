/** The network that this installation is part of, put together. */
import type { Garner } from '../app.ts';
import { type Config, configMistake } from '../core/config.ts';
import { configError } from '../core/config-mistakes.ts';
import { systemClock } from '../core/time.ts';
import { cacheForms } from '../federate/guided/form-cache.ts';
import { createGuidedSearch, type GuidedSearch } from '../federate/guided/guided-search.ts';
import { localForm } from '../federate/guided/local-form.ts';
import { createHttpExchange } from '../federate/network/exchange.ts';
import { localServer } from '../federate/network/local-server.ts';
import { createNetwork, type Network, type Peer } from '../federate/network/network.ts';
import { peerServer } from '../federate/network/server-url.ts';
import type { Profiles } from '../federate/profiles.ts';
import { mapHosts } from '../net/host-map.ts';
import { userAgent } from '../net/user-agent.ts';

export interface OpenNetwork {
  readonly network: Network;
  readonly guided: GuidedSearch;
  readonly close: () => void;
}

/** To be closed. `baseUrl`: where Garner is found, if not as configured. */
export function openNetwork(
  { config, store, formats }: Pick<Garner, 'config' | 'store' | 'formats'>,
  profiles: Profiles,
  baseUrl: string = config.repository.baseUrl,
): OpenNetwork {
  const { valueLimit, context } = config.federate.profiles;
  const { name, identifier, adminEmail } = config.repository;
  const { exchange, close } = createHttpExchange(
    userAgent({ url: baseUrl, email: adminEmail }),
    mapHosts(config.net.hosts),
  );
  const network = createNetwork({
    local: localServer(profiles),
    peers: readPeers(config),
    exchange,
    clock: systemClock,
    limits: config.federate.network,
    valueLimit,
    self: `${baseUrl}/prof`,
    name,
    context: context ?? identifier,
  });
  const fields = formats.fieldSpecs();
  const { aggregates, meaning, expand } = profiles;
  const guided = createGuidedSearch({
    expand: (query) => expand(query, false),
    localForm: cacheForms(
      (query, viewer) => localForm({ store, aggregates, meaning, fields, valueLimit }, query, viewer),
      { clock: systemClock, version: () => aggregates.version },
    ),
    network,
    exchange,
    answerBytes: config.federate.network.answerBytes,
  });
  return { network, guided, close };
}

function readPeers(config: Config): Peer[] {
  return Object.entries(config.federate.peers).map(([name, { url, title, allowPrivate }]) => {
    const server = peerServer(url);
    if (server === undefined)
      throw configError([
        configMistake(config, ['federate', 'peers', name, 'url'], 'must be an http or https address'),
      ]);
    return { title: title ?? name, server, allowPrivate };
  });
}

/** Hears regularly from the peers what they have, so that whoever leads here is told. */
export function startRefreshing(network: Network, everyMs: number): { stop(): void } {
  if (network.peers.length === 0) return { stop() {} };
  const look = () => void network.refresh();
  look();
  const timer = setInterval(look, Math.max(1000, everyMs));
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
