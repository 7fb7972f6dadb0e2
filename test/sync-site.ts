/** For tests: a real store whose time the test keeps, behind a real server. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PUBLIC } from '../src/core/access.ts';
import { defaultConfig } from '../src/core/config.ts';
import { silentLog } from '../src/core/log.ts';
import type { Instant } from '../src/core/model.ts';
import { createFormatRegistry } from '../src/formats/registry.ts';
import type { HttpDeps, ListedName } from '../src/http/deps.ts';
import { createHttpApp, startServer } from '../src/http/server.ts';
import { createCatalogue } from '../src/query/catalogue.ts';
import { makeIndexDocument } from '../src/query/index-document.ts';
import { parseQuery } from '../src/query/parse.ts';
import { createFileBlobs } from '../src/store/files/blobs.ts';
import type { GarnerStore, IncomingRecord } from '../src/store/index.ts';
import { openSqliteStore } from '../src/store/sqlite/open.ts';
import { escapeText } from '../src/xml/write.ts';

export const STAFF = {
  name: 'staff',
  secret: 'staff-secret-0123456789',
  role: 'reader',
  groups: ['staff'],
} as const;

export interface SyncSite {
  readonly url: string;
  readonly store: GarnerStore;
  readonly now: () => Instant;
  wait(seconds: number): void;
  /** One run: records in, identifiers out. */
  commit(source: string, records: readonly IncomingRecord[], deleted?: readonly string[]): Promise<void>;
  record(identifier: string, title: string, more?: Partial<IncomingRecord>): IncomingRecord;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

const START: Instant = Date.UTC(2026, 2, 10, 12);

export async function openSyncSite(changes: Partial<HttpDeps> = {}): Promise<SyncSite> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-sync-'));
  const formats = createFormatRegistry();
  const catalogue = createCatalogue(formats.fieldSpecs());
  let now = START;
  const clock = () => now;
  const sources: ListedName[] = [
    { name: 'open', title: 'Open shelf', access: PUBLIC },
    { name: 'other', title: 'Other shelf', access: PUBLIC },
    { name: 'closed', title: 'Closed shelf', access: { groups: ['staff'] } },
  ];
  const views: ListedName[] = [
    { name: 'ice', title: 'Ice', access: PUBLIC },
    { name: 'inner', title: 'Inner circle', access: { groups: ['staff'] } },
  ];
  const setup = {
    folder,
    fields: formats.fieldSpecs(),
    sources,
    views: views.map((view) => ({ ...view, query: parseQuery('title:ice', catalogue) })),
    repositoryIdentifier: 'example.org',
  };
  const store: GarnerStore = { ...openSqliteStore(setup, { clock }), blobs: createFileBlobs(folder) };
  const app = Promise.withResolvers<ReturnType<typeof createHttpApp>>();
  const server = await startServer(
    { fetch: async (request, env) => (await app.promise).fetch(request, env) },
    { host: '127.0.0.1', port: 0 },
  );
  const { repository } = defaultConfig(folder, {}, {});
  app.resolve(
    createHttpApp({
      store,
      formats,
      catalogue,
      repository: {
        name: 'Shelves',
        baseUrl: server.url,
        adminEmail: 'keeper@example.org',
        identifier: 'example.org',
      },
      oai: repository.oai,
      tokens: [STAFF],
      sources,
      views,
      clock,
      log: silentLog,
      version: '0.0.0-test',
      ...changes,
    }),
  );
  return {
    url: server.url,
    store,
    now: clock,
    wait: (seconds) => {
      now += seconds * 1000;
    },
    commit: async (source, records, deleted = []) => {
      const { id: runId } = await store.runs.startRun(source, 'import');
      const deletions = deleted.map((identifier) => ({ identifier }));
      await store.items.commit({ source, runId, records, deletions });
      await store.runs.finishRun(runId, 'complete');
    },
    record: (identifier, title, more = {}) => ({
      identifier,
      format: 'oai_dc',
      raw: Buffer.from(
        `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeText(title)}</dc:title></oai_dc:dc>`,
      ),
      document: makeIndexDocument({ title: [title] }, formats.fieldSpecs(), []),
      ...more,
    }),
    get: (path, headers = {}) =>
      fetch(path.startsWith('http') ? path : server.url + path, { headers, redirect: 'error' }),
    close: async () => {
      await server.close();
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}
