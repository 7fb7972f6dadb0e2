/** For tests: a Garner that serves a part of the planetary archive over HTTP, alone or with peers. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openNetwork } from '../src/app/network.ts';
import { openProfiles } from '../src/app/profiles.ts';
import { type Garner, openGarner } from '../src/app.ts';
import { PUBLIC } from '../src/core/access.ts';
import { defaultConfig } from '../src/core/config.ts';
import { federateSchema } from '../src/core/federate-schema.ts';
import { silentLog } from '../src/core/log.ts';
import { makePlanetaryProducts } from '../src/federate/demo/planetary.ts';
import type { Network } from '../src/federate/network/network.ts';
import { profileRecord } from '../src/federate/profile/profile-record.ts';
import type { Profile } from '../src/formats/oodt-profile/profile.ts';
import { createHttpApp, startServer } from '../src/http/server.ts';

export interface PlanetaryGarner {
  readonly url: string;
  readonly garner: Garner;
  readonly network: Network;
  /** Gathers what changed; gives how much that was. */
  readonly catchUp: () => Promise<number>;
  close(): Promise<void>;
}

export interface PlanetaryPart {
  readonly name?: string;
  readonly products?: readonly Profile[];
  /** Addresses of other Garners, by name. */
  readonly peers?: Readonly<Record<string, string>>;
  readonly network?: Readonly<Record<string, number>>;
}

export const PRODUCTS: readonly Profile[] = [...makePlanetaryProducts()];
export const missionOf = ({ elements }: Profile): string =>
  elements.find(({ elemName }) => elemName?.[0] === 'MISSION_NAME')?.elemValue?.[0] ?? '';

/** Only servers that never answer are given up, however slow the machine is. */
export const PATIENT = { serverTimeoutMs: 120_000, totalTimeoutMs: 600_000 };

export async function openPlanetaryGarner({
  name = 'Planets',
  products = PRODUCTS,
  peers = {},
  network: limits = PATIENT,
}: PlanetaryPart = {}): Promise<PlanetaryGarner> {
  const folder = mkdtempSync(join(tmpdir(), 'garner-planets-'));
  const config = {
    ...defaultConfig(folder, { data: folder }, {}),
    federate: federateSchema.parse({
      profiles: { levels: ['MISSION_NAME', 'DATA_SET_ID'] },
      peers: Object.fromEntries(
        Object.entries(peers).map(([peer, url]) => [peer, { url, allowPrivate: true }]),
      ),
      network: limits,
    }),
  };
  const garner = await openGarner(config, { extraSources: ['planets'] });
  const specs = garner.formats.fieldSpecs();
  const run = await garner.store.runs.startRun('planets', 'test');
  for (let at = 0; at < products.length; at += 1000)
    await garner.store.items.commit({
      source: 'planets',
      runId: run.id,
      records: products.slice(at, at + 1000).map((product) => profileRecord(product, specs)),
    });
  await garner.store.runs.finishRun(run.id, 'complete');

  const { promise: app, resolve } = Promise.withResolvers<ReturnType<typeof createHttpApp>>();
  const server = await startServer(
    { fetch: async (request, env) => (await app).fetch(request, env) },
    { host: '127.0.0.1', port: 0 },
  );
  const profiles = await openProfiles(garner, server.url);
  const opened = openNetwork(garner, profiles, server.url);
  // Lists show closed seconds only.
  for (let taken = 0; taken < products.length; ) {
    taken += await profiles.aggregates.catchUp();
    await new Promise((done) => setTimeout(done, 100));
  }
  const { network, guided } = opened;
  const { store, formats, catalogue } = garner;
  resolve(
    createHttpApp({
      store,
      formats,
      catalogue,
      repository: { ...config.repository, name, baseUrl: server.url },
      oai: config.repository.oai,
      federation: { profiles, network, guided },
      tokens: [],
      sources: [{ name: 'planets', title: 'Planets', access: PUBLIC }],
      views: [],
      clock: Date.now,
      log: silentLog,
      version: 'test',
    }),
  );
  await network.refresh();
  return {
    url: server.url,
    garner,
    network,
    catchUp: () => profiles.aggregates.catchUp(),
    async close() {
      await server.close();
      opened.close();
      profiles.close();
      await garner[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
