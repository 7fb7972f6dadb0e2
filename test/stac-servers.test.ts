/** STAC as others write it: rustac's API and pystac's files, where they are installed. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { harvestOgc } from '../src/harvest/ogc/harvest-ogc.ts';
import { createBoundClient } from '../src/harvest/remote/bound-client.ts';
import { type Keep, openKeep } from '../src/harvest/remote/origin.fixture.ts';
import { runPython, skipWithout, startPython } from './python-server.ts';

/** The server names its own address in links, so its port is chosen beforehand. */
const API = `
import socket, subprocess, sys, sysconfig, time, urllib.request
program = sysconfig.get_path('scripts') + '/rustac'
for attempt in range(5):
    with socket.socket() as free:
        free.bind(('127.0.0.1', 0))
        address = '127.0.0.1:%d' % free.getsockname()[1]
    server = subprocess.Popen([program, 'serve', '--create-collections', '-a', address, sys.argv[1]], stdout=subprocess.DEVNULL)
    import atexit, signal
    atexit.register(server.kill)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    while server.poll() is None:
        try:
            urllib.request.urlopen('http://' + address).read()
            print('http://' + address, flush=True)
            sys.exit(server.wait())
        except OSError:
            time.sleep(0.05)
`;

/** Catalogue, collections and items as files that link to each other. */
const FILES = `
import json, sys
from datetime import datetime
import pystac
folder, items = sys.argv[1], json.load(open(sys.argv[2]))
catalog = pystac.Catalog('root', 'x')
extent = pystac.Extent(pystac.SpatialExtent([[-180, -90, 180, 90]]), pystac.TemporalExtent([[datetime(2020, 1, 1), None]]))
parts = {name: pystac.Collection(name, 'x', extent) for name in ('coast', 'sea')}
for part in parts.values(): catalog.add_child(part)
for item in items['features']:
    parts[item['collection']].add_item(pystac.Item(item['id'], item['geometry'], item['bbox'], datetime(2020, 1, 1), item['properties']))
catalog.normalize_hrefs(folder)
catalog.save(pystac.CatalogType.SELF_CONTAINED)
`;

/** By identifier: titles. */
type Held = ReadonlyMap<string, string>;

async function writeItems(path: string, held: Held): Promise<void> {
  const features = [...held].map(([identifier, title]) => {
    const [collection, id] = identifier.split('/');
    return {
      type: 'Feature',
      stac_version: '1.0.0',
      id,
      collection,
      geometry: { type: 'Point', coordinates: [10, 54] },
      bbox: [10, 54, 10, 54],
      properties: { datetime: '2020-01-01T00:00:00Z', title },
      links: [],
      assets: {},
    };
  });
  await writeFile(path, JSON.stringify({ type: 'FeatureCollection', features }));
}

const first: Held = new Map(
  Array.from({ length: 57 }, (_, i) => [`${i % 2 ? 'coast' : 'sea'}/i${i}`, `Küste & Meer ${i}`]),
);
const second: Held = new Map([
  ...[...first].filter(([identifier]) => identifier !== 'coast/i7'),
  ['sea/i8', 'Changed'],
  ['coast/new', 'New'],
]);

const harvest = async (keep: Keep, url: string) => {
  const client = createBoundClient({ userAgent: 'test', allowPrivate: true, sleep: async () => {} }, url);
  try {
    return await harvestOgc(
      { ...keep, client },
      { name: 'there', kind: 'stac', url, pageSize: 10, maxDeleteShare: 0.5 },
    );
  } finally {
    client.close();
  }
};

async function assertEqual(keep: Keep, held: Held, identifierOf: (name: string) => string): Promise<void> {
  const shown: [string, unknown][] = [];
  for (const identifier of await keep.identifiers())
    shown.push([identifier, (await keep.fields(identifier)).title]);
  const expected = [...held].map(([name, title]): [string, unknown] => [identifierOf(name), [title]]);
  assert.deepEqual(
    shown,
    expected.toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

void describe('STAC of others', () => {
  const within = (work: (folder: string, keep: Keep) => Promise<void>) => async () => {
    const folder = await mkdtemp(join(tmpdir(), 'garner-stac-'));
    const keep = await openKeep();
    try {
      await work(folder, keep);
    } finally {
      await keep.close();
      await rm(folder, { recursive: true, force: true });
    }
  };

  test(
    "the items of rustac's API come, then what changed",
    { skip: skipWithout('rustac') },
    within(async (folder, keep) => {
      const path = join(folder, 'items.json');
      for (const [held, counts] of [
        [first, [57, 0, 0]],
        [second, [1, 1, 1]],
      ] as const) {
        await writeItems(path, held);
        const server = await startPython(API, path);
        try {
          const report = await harvest(keep, server.url);
          const { added, deleted } = report.counts;
          assert.deepEqual(
            [report.status, added, deleted],
            ['complete', counts[0], counts[2]],
            JSON.stringify(report),
          );
          await assertEqual(keep, held, (name) => name);
        } finally {
          await server.stop();
        }
      }
    }),
  );

  test(
    'the items of a catalogue that pystac wrote come, then what changed',
    { skip: skipWithout('pystac') },
    within(async (folder, keep) => {
      const path = join(folder, 'items.json');
      const server = createServer(async (request, response) => {
        const bytes = await readFile(join(folder, 'stac', request.url ?? '')).catch(() => undefined);
        response.writeHead(bytes ? 200 : 404, { 'content-type': 'application/json' }).end(bytes);
      });
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/catalog.json`;
      try {
        for (const [held, counts] of [
          [first, [57, 0, 0]],
          [second, [1, 1, 1]],
        ] as const) {
          await writeItems(path, held);
          await runPython(FILES, join(folder, 'stac'), path);
          const report = await harvest(keep, url);
          const { added, updated, deleted } = report.counts;
          assert.deepEqual(
            [report.status, added, updated, deleted],
            ['complete', ...counts],
            JSON.stringify(report),
          );
          await assertEqual(keep, held, (name) => name);
        }
      } finally {
        server.closeAllConnections();
        server.close();
      }
    }),
  );
});
