/**
 * A federation of 1,000 servers on five levels in one process, 50 of them over real HTTP, 10 % dead and 5 %
 * slow: what of the live ones is found, how many servers are asked, and how long it takes. Every server runs
 * the real network code; only sockets are left out where there are none. Figures are of one run on this machine.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ANONYMOUS } from '../src/core/access.ts';
import { GarnerError } from '../src/core/errors.ts';
import { makePlanetaryProducts } from '../src/federate/demo/planetary.ts';
import { createRandom } from '../src/federate/demo/random.ts';
import { createHttpExchange } from '../src/federate/network/exchange.ts';
import { type SimulatedServer, simulateNetwork } from '../src/federate/network/simulated-network.fixture.ts';
import { compileProfileTest } from '../src/federate/profile/match-profile.ts';
import type { Profile } from '../src/formats/oodt-profile/profile.ts';
import { parseDis } from '../src/query/dis/parse-dis.ts';
import { readOptions } from './options.ts';

const values = readOptions(
  'bench:federate: a network of servers on five levels, a tenth dead, a twentieth slow.',
  {
    servers: { value: 'N', default: '1000', help: 'how many' },
    products: { value: 'N', default: '10', help: 'of each' },
    http: { value: 'N', default: '50', help: 'how many of them over real HTTP' },
    rounds: { value: 'N', default: '10', help: 'of every question' },
  },
);
const COUNT = Number(values.servers);
const PER_SERVER = Number(values.products);
const HTTP = Number(values.http);
const ROUNDS = Number(values.rounds);
/** Each of the first four levels leads to so many of the next: 1 + 5 + 25 + 125 + the rest. */
const FAN_OUT = 5;
const LEVELS = 5;
const LIMITS = {
  serverTimeoutMs: 3000,
  totalTimeoutMs: 15_000,
  hops: 12,
  concurrency: 24,
  answerBytes: 64_000_000,
  maxAgeMs: 600_000,
};
const SLOW_MS = 10_000;

const random = createRandom(8);
const httpServers: Server[] = [];
const transport = createHttpExchange('Garner bench');
const addresses = new Map<string, string>();
const simulated = simulateNetwork({
  limits: LIMITS,
  addressOf: (name) => addresses.get(name) ?? `http://${name}.example.org/prof`,
  reach: async (request) => {
    const url = new URL(request.url);
    if (url.hostname === '127.0.0.1') return transport.exchange(request);
    const server = simulated.servers.get(url.origin + url.pathname);
    if (!server) throw new GarnerError('http.unreachable', url.host);
    return server.answer(url, request.etag);
  },
});

/** Every server keeps what one camera took of one target: as archives do. */
const products = [...makePlanetaryProducts({ products: COUNT * PER_SERVER })];
const valueIn = ({ elements }: Profile, name: string) =>
  elements.find(({ elemName }) => elemName?.[0] === name)?.elemValue?.[0] ?? '';
const ordered = products.toSorted((a, b) => {
  const key = (one: Profile) =>
    `${valueIn(one, 'DATA_SET_ID')} ${valueIn(one, 'TARGET_NAME')} ${valueIn(one, 'START_TIME')}`;
  return key(a) < key(b) ? -1 : 1;
});

const depthOf = (n: number): number => (n === 0 ? 1 : Math.min(LEVELS, 1 + depthOf(parentOf(n))));
function parentOf(n: number): number {
  const inner = 1 + FAN_OUT + FAN_OUT ** 2 + FAN_OUT ** 3;
  return n < inner ? Math.floor((n - 1) / FAN_OUT) : inner - FAN_OUT ** 3 + ((n - inner) % FAN_OUT ** 3);
}

async function build(): Promise<SimulatedServer[]> {
  const children = new Map<number, number[]>();
  for (let n = 1; n < COUNT; n++) children.set(parentOf(n), [...(children.get(parentOf(n)) ?? []), n]);
  for (let i = 0; i < HTTP; i++) {
    const name = `s${1 + Math.floor((i * (COUNT - 1)) / HTTP)}`;
    const server = createServer((request, response) => {
      const known = simulated.servers.get(addresses.get(name) ?? '');
      const url = new URL(request.url ?? '', addresses.get(name));
      known
        ?.answer(url, request.headers['if-none-match'])
        .then(({ status, body, etag }) => response.writeHead(status, etag ? { etag } : {}).end(body))
        .catch(() => response.writeHead(500).end());
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    addresses.set(name, `http://127.0.0.1:${(server.address() as AddressInfo).port}/prof`);
    httpServers.push(server);
  }
  const servers: SimulatedServer[] = [];
  for (let n = 0; n < COUNT; n++) {
    const own = ordered.slice(n * PER_SERVER, (n + 1) * PER_SERVER);
    servers.push(
      simulated.add(
        `s${n}`,
        own,
        (children.get(n) ?? []).map((child) => `s${child}`),
      ),
    );
  }
  // From the leaves up: each hears what is behind its peers.
  for (let n = COUNT - 1; n >= 0; n--) await servers[n]?.network.refresh();
  return servers;
}

const QUERIES: readonly (readonly [kind: string, dis: string])[] = [
  ['one resource', 'IDENTIFIER=GO-J/JSA-SSI-2-REDR-V1.0:10I0012'],
  ['Figure 3, 2', 'TARGET_NAME=IO AND EXPOSURE_DURATION > 60.0'],
  ['Figure 3, 3', 'TARGET_NAME=IO AND NOT FILTER_NAME=RED'],
  ['Figure 3, 4', 'DATA_SET_ID=ODY-M-THM-2-IREDR-V1.0 AND CENTER_LONGITUDE > 359.25'],
  ['Figure 3, 5', 'DATA_SET_ID=MGN-V-RDRS-5-DIM-V1.0 AND IMAGE_ID=FO43S181'],
  ['selective', 'TARGET_NAME = AMALTHEA AND FILTER_NAME = RED'],
  ['selective', 'INSTRUMENT_ID = SSI AND TARGET_NAME = EUROPA AND START_TIME < 1996-07'],
  ['selective', 'INSTRUMENT_ID = SAR AND START_TIME >= 1991-06-01 AND START_TIME < 1991-06-08'],
  ['nothing', 'TARGET_NAME = PLUTO'],
  ['everything', 'NOT TARGET_NAME = PLUTO'],
];

const startedAt = performance.now();
const servers = await build();
const depths = servers.map((_, n) => depthOf(n));
console.log(
  `${COUNT} servers on ${Math.max(...depths)} levels, ${HTTP} over HTTP, ${products.length} products; ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
);

const dead = new Set<number>();
const slow = new Set<number>();
while (dead.size < COUNT / 10) dead.add(random.whole(1, COUNT - 1));
while (slow.size < COUNT / 20) {
  const n = random.whole(1, COUNT - 1);
  if (!dead.has(n)) slow.add(n);
}
for (const n of dead) {
  const server = servers[n];
  if (server)
    server.behaviour = async () => {
      throw new GarnerError('http.unreachable', 'ECONNREFUSED');
    };
}
for (const n of slow) {
  const server = servers[n];
  if (server)
    server.behaviour = async (url, signal) => {
      await sleep(SLOW_MS, undefined, { signal, ref: false });
      return server.answer(url, undefined);
    };
}
const isLive = (n: number) => !dead.has(n) && !slow.has(n);
console.log(
  `${dead.size} dead, ${slow.size} slow (${SLOW_MS} ms); limits ${LIMITS.serverTimeoutMs} ms a server, ${LIMITS.totalTimeoutMs} ms in all\n`,
);

const entry = servers[0];
if (!entry) throw new GarnerError('usage.invalid', 'at least one server');
const ask = (dis: string) =>
  entry.network.collect(
    { query: parseDis(dis).query, limit: products.length },
    ANONYMOUS,
    new AbortController().signal,
  );

// The entrance hears once from every server on the way; then it knows whom to ask.
const cold = performance.now();
await ask('NOT TARGET_NAME = PLUTO');
console.log(
  `first question, to everybody: ${Math.round(performance.now() - cold)} ms, ${servers.reduce((sum, { described }) => sum + described, 0)} profiles of servers fetched so far\n`,
);

console.log('  found of live  complete   asked  of broadcast   p50 ms   p95 ms  kind');
const all: number[] = [];
for (const [kind, dis] of QUERIES) {
  const test = compileProfileTest(parseDis(dis).query);
  const expected = new Set<string>();
  for (const [n] of servers.entries())
    if (isLive(n))
      for (const product of ordered.slice(n * PER_SERVER, (n + 1) * PER_SERVER))
        if (test(product)) expected.add(product.prof.profId?.[0] ?? '');
  const times: number[] = [];
  let found = 0;
  let asked = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const before = servers.reduce((sum, server) => sum + server.asked, 0);
    const started = performance.now();
    const { profiles } = await ask(dis);
    times.push(performance.now() - started);
    asked = servers.reduce((sum, server) => sum + server.asked, 0) - before;
    found = profiles.filter(({ profile }) => expected.has(profile.prof.profId?.[0] ?? '')).length;
  }
  all.push(...times);
  const share = expected.size === 0 ? 100 : (100 * found) / expected.size;
  console.log(
    `${`${found} of ${expected.size}`.padStart(15)}${`${share.toFixed(1)} %`.padStart(10)}${String(asked).padStart(8)}${`${((100 * asked) / COUNT).toFixed(1)} %`.padStart(14)}${at(times, 0.5)}${at(times, 0.95)}  ${kind}: ${dis}`,
  );
}
console.log(`\nall questions: p95 ${at(all, 0.95).trim()} ms, limit ${LIMITS.totalTimeoutMs} ms`);

function at(times: readonly number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0).padStart(9);
}

transport.close();
for (const server of httpServers) {
  server.closeAllConnections();
  server.close();
}
