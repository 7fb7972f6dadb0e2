/** For tests: a dozen records in a real store, and the app over it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type AccessRule, PUBLIC } from '../src/core/access.ts';
import { defaultConfig } from '../src/core/config.ts';
import { type Log, silentLog } from '../src/core/log.ts';
import type { Fields } from '../src/core/model.ts';
import { createFormatRegistry } from '../src/formats/registry.ts';
import type { HttpDeps, ListedName, TokenSpec } from '../src/http/deps.ts';
import { createCatalogue } from '../src/query/catalogue.ts';
import { makeIndexDocument } from '../src/query/index-document.ts';
import { parseQuery } from '../src/query/parse.ts';
import { createFileBlobs } from '../src/store/files/blobs.ts';
import type { GarnerStore, IncomingRecord, StoreSetup } from '../src/store/index.ts';
import { openSqliteStore } from '../src/store/sqlite/open.ts';

export const HOSTILE_TITLE = `</script><script>alert(1)</script><img src=x onerror="alert('t')"> & "quotes"`;
export const AWKWARD_IDENTIFIER = '../a b/%2e%2e/c?d#e\\f//g';
export const CURATOR: TokenSpec = {
  name: 'keeper',
  secret: 'keeper-secret-0123456789',
  role: 'curator',
  groups: [],
};
export const MEMBER: TokenSpec = {
  name: 'member',
  secret: 'member-secret-0123456789',
  role: 'reader',
  groups: ['staff'],
};

interface SampleRecord {
  readonly identifier: string;
  readonly fields: Fields;
  readonly access?: AccessRule;
}

const box = (west: number, south: number, east: number, north: number) => ({ west, south, east, north });

const ICE: readonly SampleRecord[] = [
  {
    identifier: 'ice-1979',
    fields: {
      title: ['Sea ice extent of the Arctic Ocean, monthly means'],
      creator: ['Halvorsen, Ingrid', 'Okafor, Chidi'],
      description: [
        'Monthly means of sea ice extent and concentration, derived from passive microwave radiometers and gridded to 25 km. Gaps are filled by linear interpolation between neighbouring days.\n\nThe series is extended every spring.',
      ],
      subject: ['Sea ice', 'Cryosphere', 'Remote sensing'],
      type: ['Dataset'],
      date: ['1998-04-12'],
      time: [{ start: '1979-01', end: '1998-03' }],
      bbox: [box(-180, 60, 180, 90)],
      publisher: ['Polar Data Hall'],
      link: ['https://data.example.org/ice/1979', 'javascript:alert(1)'],
      language: ['en'],
    },
  },
  {
    identifier: 'ice-drift',
    fields: {
      title: ['Drift of sea ice through Fram Strait'],
      creator: ['Okafor, Chidi'],
      description: [
        'Ice drift velocity from buoys and satellite images, with an estimate of the volume that leaves the Arctic each winter.',
      ],
      subject: ['Sea ice', 'Ocean currents'],
      type: ['Dataset'],
      date: ['2003-11-02'],
      bbox: [box(-20, 76, 15, 82)],
    },
  },
  {
    identifier: 'chukchi',
    fields: {
      title: ['Hydrography of the Chukchi Sea across the date line'],
      creator: ['Ruotsalainen, Aino'],
      description: ['Temperature and salinity profiles from three summer cruises.'],
      subject: ['Ocean temperature', 'Salinity'],
      type: ['Dataset'],
      date: ['2007'],
      bbox: [box(170, 65, -160, 73)],
    },
  },
  {
    identifier: 'glacier-tongue',
    fields: {
      title: ['Retreat of a glacier tongue, photographed from one spot'],
      creator: ['Brunner, Seraina'],
      description: ['Forty years of photographs from the same rock above the valley.'],
      subject: ['Glaciers', 'Cryosphere'],
      type: ['Image'],
      date: ['2011-08'],
      bbox: [box(7.9, 46.3, 8.1, 46.5)],
    },
  },
  {
    identifier: AWKWARD_IDENTIFIER,
    fields: {
      title: ['A record whose identifier is awkward'],
      subject: ['Identifiers'],
      type: ['Text'],
      date: ['2014-01-05'],
    },
  },
  {
    identifier: 'hostile',
    fields: {
      title: [HOSTILE_TITLE],
      creator: ['<b>Mallory</b>'],
      description: ['<svg onload=alert(2)>'],
      subject: ['"><script>alert(3)</script>'],
      type: ['Text'],
      date: ['2015'],
    },
  },
  {
    identifier: 'staff-only',
    access: { groups: ['staff'] },
    fields: {
      title: ['Unpublished sea ice forecast'],
      subject: ['Sea ice', 'Forecasts'],
      type: ['Dataset'],
      date: ['2020'],
    },
  },
];

const CLOUDS: readonly SampleRecord[] = ['Cirrus', 'Stratus', 'Cumulus', 'Fog'].map((cloud, i) => ({
  identifier: `cloud/${cloud.toLowerCase()}`,
  fields: {
    title: [`${cloud} observations over the North Sea`],
    creator: ['Weather Watch Cooperative'],
    description: [
      `Hourly notes on ${cloud.toLowerCase()}: cover, base height and drift, taken by volunteers on lightships.`,
    ],
    subject: ['Clouds', cloud],
    type: ['Dataset'],
    date: [`${1984 + i * 9}-06-01`],
    bbox: [box(-3, 51, 9, 61)],
  },
}));

export interface TestCollection {
  readonly store: GarnerStore;
  readonly deps: HttpDeps;
  readonly importRunId: number;
  /** Of the data; it goes away with the collection. */
  readonly folder: string;
  close(): Promise<void>;
}

export async function openTestCollection(log: Log = silentLog): Promise<TestCollection> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-portal-'));
  const formats = createFormatRegistry();
  const catalogue = createCatalogue(formats.fieldSpecs());
  const sources: ListedName[] = [
    { name: 'polar', title: 'Polar data', access: PUBLIC },
    { name: 'clouds', title: 'Cloud notes', access: PUBLIC },
    { name: 'closed', title: 'Closed shelf', access: { groups: ['staff'] } },
  ];
  const views: ListedName[] = [{ name: 'north', title: 'The far north', access: PUBLIC }];
  const setup: StoreSetup = {
    folder,
    fields: formats.fieldSpecs(),
    sources,
    views: [{ name: 'north', access: PUBLIC, query: parseQuery('bbox:[-180,65,180,90]', catalogue) }],
    repositoryIdentifier: 'example.org',
  };
  const store: GarnerStore = { ...openSqliteStore(setup), blobs: createFileBlobs(folder) };
  const polar = await commitAll(store, 'polar', ICE.map(toIncoming));
  await commitAll(store, 'clouds', CLOUDS.map(toIncoming));
  await commitAll(store, 'closed', [
    toIncoming({
      identifier: 'secret',
      fields: { title: ['Minutes of the board'], subject: ['Board'], date: ['2021'] },
    }),
  ]);
  const deps: HttpDeps = {
    store,
    formats,
    catalogue,
    repository: {
      name: 'Northern Atlas',
      baseUrl: 'https://atlas.example.org',
      adminEmail: 'keeper@example.org',
      identifier: 'example.org',
    },
    oai: defaultConfig(folder, {}, {}).repository.oai,
    tokens: [CURATOR, MEMBER],
    sources,
    views,
    clock: () => Date.now(),
    log,
    version: '0.0.0-test',
  };
  return { store, deps, importRunId: polar, folder, close };

  async function close(): Promise<void> {
    await store.close();
    await rm(folder, { recursive: true });
  }

  function toIncoming({ identifier, fields, access }: SampleRecord): IncomingRecord {
    return {
      identifier,
      format: 'oai_dc',
      raw: new TextEncoder().encode(writeSample(identifier, fields)),
      document: makeIndexDocument(fields, formats.fieldSpecs(), []),
      ...(access && { access }),
    };
  }
}

async function commitAll(
  store: GarnerStore,
  source: string,
  records: readonly IncomingRecord[],
): Promise<number> {
  const { id: runId } = await store.runs.startRun(source, 'import');
  await store.items.commit({
    source,
    runId,
    records,
    problems:
      source === 'polar'
        ? [
            {
              code: 'xml.malformed',
              message: 'tag <dc:title> is never closed',
              where: 'polar/broken.xml',
              line: 12,
            },
            {
              code: 'record.date',
              message: 'no date: "soon"',
              where: 'polar/forecast.xml',
              line: 3,
              identifier: 'staff-only',
            },
          ]
        : [],
  });
  await store.runs.finishRun(runId, source === 'polar' ? 'incomplete' : 'complete');
  return runId;
}

function writeSample(identifier: string, fields: Fields): string {
  const text = (value: string) => value.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const titles = (fields.title ?? []).map((title) =>
    typeof title === 'string' ? `<dc:title>${text(title)}</dc:title>` : '',
  );
  // In a browser that shows XML this would run, were it not served sealed.
  const script = '<script xmlns="http://www.w3.org/1999/xhtml">alert(9)</script>';
  return `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/">${titles.join('')}<dc:identifier>${text(identifier)}</dc:identifier>${identifier === 'hostile' ? script : ''}</oai_dc:dc>`;
}
