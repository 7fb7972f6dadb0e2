/** For tests and benchmarks: many servers in one process, with the real network code and without sockets. */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { attributeFields, readAttributeFields } from '../../core/attributes.ts';
import { GarnerError } from '../../core/errors.ts';
import type { Profile } from '../../formats/oodt-profile/profile.ts';
import { listAttributes } from '../../formats/oodt-profile/profile-attributes.ts';
import { writeProfiles } from '../../formats/oodt-profile/write-xml.ts';
import { parseDis } from '../../query/dis/parse-dis.ts';
import { Aggregate } from '../aggregate/aggregate.ts';
import { compileProfileTest } from '../profile/match-profile.ts';
import type { Exchange, ServerAnswer } from './exchange.ts';
import type { LocalServer } from './local-server.ts';
import { createNetwork, type Network, type NetworkDeps } from './network.ts';

export interface SimulatedServer {
  readonly url: string;
  readonly network: Network;
  /** Questions that reached it; those for its gathered profiles are `described`. */
  asked: number;
  described: number;
  /** Instead of its own answer: what it does to whoever asks. */
  behaviour: ((url: URL, signal: AbortSignal) => Promise<ServerAnswer>) | undefined;
  answer: (url: URL, etag: string | undefined) => Promise<ServerAnswer>;
}

export interface SimulatedNetwork {
  readonly exchange: Exchange;
  readonly servers: ReadonlyMap<string, SimulatedServer>;
  depsOf(name: string, products: readonly Profile[], peers: readonly string[]): NetworkDeps;
  add(name: string, products: readonly Profile[], peers: readonly string[]): SimulatedServer;
}

/** Times that no machine is too slow for: where one is to run out, the test says so and moves the clock itself. */
export const LIMITS: NetworkDeps['limits'] = {
  serverTimeoutMs: 60_000,
  totalTimeoutMs: 600_000,
  hops: 8,
  concurrency: 16,
  answerBytes: 10_000_000,
  maxAgeMs: 60_000,
};
const VALUE_LIMIT = 50;

export const serverUrl = (name: string): string => `http://${name}.example.org/prof`;

export function simulateNetwork(
  options: Partial<Pick<NetworkDeps, 'limits' | 'clock'>> & {
    /** How a server is reached, when not inside of the process. */
    readonly reach?: Exchange;
    readonly addressOf?: (name: string) => string;
  } = {},
): SimulatedNetwork {
  const { limits = LIMITS, clock = Date.now, reach, addressOf = serverUrl } = options;
  const servers = new Map<string, SimulatedServer>();

  const exchange: Exchange = async (request) => {
    // A network lets others have their turn, too.
    await nextTurn();
    const url = new URL(request.url);
    const server = servers.get(url.origin + url.pathname);
    if (!server) {
      if (reach) return reach(request);
      throw new GarnerError('http.unreachable', `${url.host}: ENOTFOUND`);
    }
    if (url.searchParams.has('q')) server.asked++;
    else server.described++;
    if (server.behaviour) return server.behaviour(url, request.signal);
    return reach ? reach(request) : server.answer(url, request.etag);
  };

  const depsOf = (name: string, products: readonly Profile[], peers: readonly string[]): NetworkDeps => ({
    local: serverOf(products),
    peers: peers.map((peer) => ({ title: peer, server: addressOf(peer), allowPrivate: true })),
    exchange,
    clock,
    limits,
    valueLimit: VALUE_LIMIT,
    self: addressOf(name),
    name,
    context: 'TEST',
  });

  return {
    exchange,
    servers,
    depsOf,
    add(name, products, peers) {
      const url = addressOf(name);
      const network = createNetwork(depsOf(name, products, peers));
      const server: SimulatedServer = {
        url,
        network,
        asked: 0,
        described: 0,
        behaviour: undefined,
        answer: (asked, etag) => answer(network, products, asked, etag),
      };
      servers.set(url, server);
      return server;
    },
  };
}

async function answer(
  network: Network,
  products: readonly Profile[],
  { searchParams }: URL,
  known: string | undefined,
): Promise<ServerAnswer> {
  const q = searchParams.get('q');
  if (q !== null) {
    const limit = Number(searchParams.get('limit') ?? Number.POSITIVE_INFINITY);
    const found = products.filter(compileProfileTest(parseDis(q).query)).slice(0, limit);
    return { status: 200, body: Buffer.from(writeProfiles(found)), isPrivate: true };
  }
  const body = Buffer.from(writeProfiles(await network.describe()));
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  return etag === known
    ? { status: 304, etag, body: Buffer.alloc(0), isPrivate: true }
    : { status: 200, etag, body, isPrivate: true };
}

export function serverOf(products: readonly Profile[]): LocalServer {
  const root = new Aggregate(VALUE_LIMIT);
  for (const product of products) root.add(readAttributeFields(attributeFields(listAttributes(product))));
  return {
    findRoot: () => (root.products > 0 ? root : undefined),
    async find({ query, limit }) {
      const found = products.filter(compileProfileTest(query));
      return { total: found.length, profiles: found.slice(0, limit) };
    },
    listServers: async () => [],
    expand: (query) => query,
  };
}
