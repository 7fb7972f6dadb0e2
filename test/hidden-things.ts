/** For tests: an installation with every kind of content, in which something of every kind may be hidden. */
import { cp, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createSourceIngest, type Garner, openFolders, openGarner } from '../src/app.ts';
import { archiveFolder } from '../src/archive/items/index.ts';
import type { AccessRule } from '../src/core/access.ts';
import { defaultConfig } from '../src/core/config.ts';
import { silentLog } from '../src/core/log.ts';
import { type RunningGarner, serveGarner } from '../src/http/index.ts';
import {
  type ArchivedPage,
  type ArchiveTarget,
  archivePages,
  recordPages,
  writePages,
} from './archive-pages.ts';
import { dcRecord } from './sample-records.ts';

/** Words of hidden names and contents. Nothing that is public has one of them. */
export const TRACES = /tresor|geheim|inhalt-4711|zutritt|verschluss/i;

export const GUEST = 'the-token-of-a-guest';
export const STAFF = 'the-token-of-the-staff';
export const KEEPER = 'the-token-of-a-keeper';

const STAFF_ONLY = { groups: ['staff'] };
/** Of files, in seconds. */
const WRITTEN = 1_600_000_000;
const CAPTURED_AT = Date.parse('2020-05-01T00:00:00Z');

const html = (title: string, body: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`;

/** What the installation calls itself; where it listens is another matter. */
export const PORTAL = 'https://atlas.example.org';
export const ARCHIVE = 'https://archive.example.org';

export const WEB = 'https://gauges.example/';
export const HIDDEN_PAGE = `${WEB}tresor/geheimakte.html`;
const OPEN_PAGES: readonly ArchivedPage[] = [
  { url: WEB, at: CAPTURED_AT, type: 'text/html', body: html('Gauges', '<a href="tides.html">Tides</a>') },
  {
    url: `${WEB}tides.html`,
    at: CAPTURED_AT + 1000,
    type: 'text/html',
    body: html('Tides', 'High and low water at the harbour.'),
  },
];
const hiddenPage = (url: string): ArchivedPage => ({
  url,
  at: CAPTURED_AT + 2000,
  type: 'text/html',
  body: html('Geheimer Zutritt', 'inhalt-4711'),
});

const OPEN_RECORDS = ['ice', 'snow'].map((name) =>
  dcRecord(
    `open:${name}`,
    `About ${name} and water`,
    `<dc:subject>${name}</dc:subject><dc:type>Text</dc:type>`,
  ),
);
const HIDDEN_RECORDS = ['eins', 'zwei'].map((name) =>
  dcRecord(
    `geheim:${name}`,
    `Geheimakte ${name} and water`,
    '<dc:subject>Verschlusssache</dc:subject><dc:type>Tresor</dc:type>',
  ),
);

const OPEN_FILES = { 'index.html': html('Start', 'water'), 'public/akte.txt': 'an open file' };
const HIDDEN_FILES = {
  'tresor/.htaccess': 'Require ip 203.0.113.0/24\nZutrittsModul on',
  'tresor/geheimakte.txt': 'inhalt-4711',
  'net/.htaccess': 'Require ip 203.0.113.0/24',
  'net/geheim.txt': 'inhalt-4711',
};

export interface HiddenThings extends AsyncDisposable {
  readonly garner: Garner;
  readonly server: RunningGarner;
  /** Identifiers of the snapshots, by source. */
  readonly snapshots: Readonly<Record<string, string>>;
}

/** A WARC file of the open pages and the hidden one. Ids in it are random, so installations share it. */
export async function writeWarc(folder: string): Promise<string> {
  return join(folder, await writePages(folder, [...OPEN_PAGES, hiddenPage(HIDDEN_PAGE)]));
}

/** The same public things in both; `hidden`: and others beside them. */
export async function openHiddenThings(hidden: boolean, warc: string): Promise<HiddenThings> {
  const top = await mkdtemp(join(tmpdir(), 'garner-hidden-'));
  const www = join(top, 'www');
  for (const [name, text] of Object.entries({ ...OPEN_FILES, ...(hidden && HIDDEN_FILES) })) {
    await mkdir(dirname(join(www, name)), { recursive: true });
    await writeFile(join(www, name), text);
    await utimes(join(www, name), WRITTEN, WRITTEN);
  }
  const garner = await openGarner(
    defaultConfig(top, {
      data: join(top, 'data'),
      repository: { baseUrl: PORTAL, archiveOrigin: ARCHIVE },
      access: {
        tokens: {
          guest: { secret: GUEST, role: 'reader', groups: ['guests'] },
          staff: { secret: STAFF, role: 'reader', groups: ['staff'] },
          keeper: { secret: KEEPER, role: 'operator' },
        },
      },
      sources: {
        papers: { kind: 'push', validation: 'quarantine' },
        verschluss: { kind: 'push', access: STAFF_ONLY },
        web: { kind: 'archive' },
        tresor: { kind: 'archive', access: STAFF_ONLY },
        site: { kind: 'folder', path: www, url: 'https://www.foo.edu/', liveHeaders: false },
      },
      views: { everything: { query: '*' }, geheimes: { query: 'water', access: STAFF_ONLY } },
      topics: { CLOUDS: { title: 'Clouds' } },
    }),
  );
  const { store } = garner;
  const fields = garner.formats.fieldSpecs();
  const archive = { store, fields, dataFolder: garner.config.data };

  const commit = async (source: string, runId: number, texts: readonly string[], access?: AccessRule) => {
    const ingest = createSourceIngest(garner, source);
    const { records } = await ingest.extract(
      texts.map((text, index) => ({
        bytes: Buffer.from(text),
        syntax: 'xml' as const,
        where: 'test',
        line: 1,
        fallbackIdentifier: String(index),
      })),
    );
    await ingest.close();
    await store.items.commit({
      source,
      runId,
      records: records.map((record) => ({ ...record, ...(access && { access }) })),
    });
  };
  /** As a way in would that knows which pages are not for everybody. */
  const hiding = (identifier: string, access: AccessRule): ArchiveTarget => ({
    ...archive,
    store: {
      ...store,
      items: {
        ...store.items,
        commit: (batch) =>
          store.items.commit({
            ...batch,
            records: (batch.records ?? []).map((record) =>
              record.identifier === identifier ? { ...record, access } : record,
            ),
          }),
      },
    },
  });

  const folders = openFolders(garner, silentLog);
  const [site] = folders.list;
  await site?.scan();
  // Public things first, so that nothing that is public has another number because of what is hidden.
  const { id: papersRun } = await store.runs.startRun('papers', 'push');
  await commit('papers', papersRun, OPEN_RECORDS);
  const target = archiveFolder(garner.config.data, 'web');
  await mkdir(target, { recursive: true });
  await cp(warc, join(target, 'pages.warc.gz'));
  const web = await recordPages(
    hiding(HIDDEN_PAGE, STAFF_ONLY),
    'web',
    'pages.warc.gz',
    (url) => hidden || url !== HIDDEN_PAGE,
  );
  let vault: string | undefined;
  if (hidden) {
    await commit('papers', papersRun, HIDDEN_RECORDS.slice(0, 1), STAFF_ONLY);
    await commit('papers', papersRun, HIDDEN_RECORDS.slice(1), {});
  }
  await store.runs.finishRun(papersRun, 'complete');
  if (hidden) {
    const { id } = await store.runs.startRun('verschluss', 'push');
    await commit('verschluss', id, HIDDEN_RECORDS);
    await store.runs.finishRun(id, 'complete');
    vault = await archivePages(archive, 'tresor', [hiddenPage('https://tresor.example/geheim.html')]);
  }
  const server = await serveGarner(garner, { host: '127.0.0.1', port: 0, log: silentLog, folders });
  return {
    garner,
    server,
    snapshots: { web: web ?? '', ...(vault !== undefined && { tresor: vault }) },
    [Symbol.asyncDispose]: async () => {
      await folders.stop();
      await server.close();
      await garner[Symbol.asyncDispose]();
      await rm(top, { recursive: true, force: true });
    },
  };
}
