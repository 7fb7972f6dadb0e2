/**
 * Versions over time, as Figure 3 of the ASDC proposal has them: three crawls of one topic, and modifications of
 * what they made, in between. The crawler, the store, the packages and the OAI-PMH provider are the real ones.
 */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openPackages } from '../src/app/packages.ts';
import type { Garner } from '../src/app.ts';
import { archiveFolder } from '../src/archive/items/index.ts';
import { ANONYMOUS, OPERATOR, PUBLIC } from '../src/core/access.ts';
import { defaultConfig } from '../src/core/config.ts';
import { crawlSchema } from '../src/core/crawl-schema.ts';
import { silentLog } from '../src/core/log.ts';
import { eventOf } from '../src/core/version-event.ts';
import { crawlSource } from '../src/crawl/crawl-source.ts';
import { completeSettings } from '../src/crawl/settings.ts';
import { type Site, sendHtml, serveSite } from '../src/crawl/site.fixture.ts';
import { createFormatRegistry } from '../src/formats/registry.ts';
import { withRun } from '../src/harvest/with-run.ts';
import { createHttpApp } from '../src/http/server.ts';
import { modifySnapshot } from '../src/packaging/versions/modify-snapshot.ts';
import { createCatalogue } from '../src/query/catalogue.ts';
import { createFileBlobs } from '../src/store/files/blobs.ts';
import type { GarnerStore } from '../src/store/index.ts';
import { openSqliteStore } from '../src/store/sqlite/open.ts';
import { compileSchema } from '../src/xml/xsd.ts';
import { parse, readAnswer, SCHEMAS } from './oai-repository.ts';

const TOPIC = 'ISCCP';
const PREFIX = 'asdc_crawl.archive';
const DAY_MS = 24 * 60 * 60 * 1000;
const PICTURE = randomBytes(300_000);
const TEXT = Array.from({ length: 400 }, (_, i) => `cloud${i} layer${i}`).join(' ');

let folder: string;
let site: Site;
let store: GarnerStore;
let app: ReturnType<typeof createHttpApp>;
/** Days that passed; the crawler's timers need a clock that goes on by itself. */
let day = 0;
let crawls = 0;
const began = Date.now();
const clock = () => Date.parse('2026-03-01T06:00:00Z') + day * DAY_MS + (Date.now() - began);
const formats = createFormatRegistry();

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'garner-figure-3-'));
  site = await serveSite((request, response) => {
    if (request.url === '/picture.png') response.writeHead(200, { 'content-type': 'image/png' }).end(PICTURE);
    else if (request.url === '/') sendHtml(response, `<p>${TEXT} visit${crawls}</p><img src=picture.png>`);
    else response.writeHead(404).end();
  });
  const config = defaultConfig(folder, { data: folder }, {});
  const sources = [{ name: TOPIC, title: TOPIC, access: PUBLIC }];
  store = {
    ...openSqliteStore(
      {
        folder,
        fields: formats.fieldSpecs(),
        sources,
        views: [],
        repositoryIdentifier: 'asdc.example.org',
      },
      { clock },
    ),
    blobs: createFileBlobs(join(folder, 'blobs')),
  };
  const catalogue = createCatalogue(formats.fieldSpecs());
  const garner: Garner = {
    config,
    store,
    formats,
    ownFormats: [],
    catalogue,
    topics: new Map(),
    [Symbol.asyncDispose]: async () => {},
  };
  const packages = openPackages(garner, 'https://asdc.example.org');
  app = createHttpApp({
    store,
    dataFolder: folder,
    formats,
    catalogue,
    repository: {
      name: 'ASDC',
      baseUrl: 'https://asdc.example.org',
      adminEmail: 'curator@example.org',
      identifier: 'asdc.example.org',
    },
    oai: config.repository.oai,
    forms: packages.itemForms,
    packages: packages.forms,
    sites: packages,
    tokens: [],
    sources,
    views: [],
    clock,
    log: silentLog,
    version: 'test',
  });
});
after(async () => {
  await store.close();
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

async function crawl(): Promise<string> {
  crawls++;
  const settings = completeSettings(crawlSchema.parse({ allowPrivate: true, delayMs: 0, depth: 0 }), {
    baseUrl: 'https://asdc.example.org',
    adminEmail: 'curator@example.org',
  });
  const report = await crawlSource(
    {
      store,
      folder,
      clock,
      resolveHost: site.resolveHost,
      fields: formats.fieldSpecs(),
      comparing: { dataFolder: folder, threshold: 0.9, fold: false },
    },
    TOPIC,
    [site.url('isccp.test', '/')],
    settings,
    { series: TOPIC, sets: [TOPIC] },
  );
  assert.ok(report.snapshot, report.message ?? '');
  return report.snapshot;
}

const modify = (identifier: string, subject: string) =>
  withRun(store.runs, TOPIC, 'modify', (runId) =>
    modifySnapshot({ store, fields: formats.fieldSpecs() }, { source: TOPIC, identifier }, runId, {
      type: 'recataloguing',
      agent: 'Ada',
      reason: `subject ${subject}`,
      catalogued: { subject: [subject] },
    }),
  );

const ask = async (query: Record<string, string>) =>
  readAnswer(await app.request(`/oai?${new URLSearchParams(query)}`));

/** What a harvester sees: identifiers with their datestamps. */
async function list(window: Record<string, string> = {}): Promise<Record<string, string>> {
  const answer = await ask({ verb: 'ListIdentifiers', metadataPrefix: PREFIX, set: TOPIC, ...window });
  if (answer.errors.length > 0) {
    assert.deepEqual(answer.errors, ['noRecordsMatch']);
    return {};
  }
  const identifiers = answer.all('identifier');
  assert.equal(new Set(identifiers).size, identifiers.length, 'each identifier once');
  const stamps = answer.all('datestamp');
  return Object.fromEntries(identifiers.map((identifier, i) => [identifier, stamps[i]?.slice(0, 10) ?? '']));
}

const dayOf = (days: number) =>
  new Date(Date.parse('2026-03-01T06:00:00Z') + days * DAY_MS).toISOString().slice(0, 10);

const subjectsOf = async (identifier: string, prefix = 'oai_dc'): Promise<string[]> =>
  (await ask({ verb: 'GetRecord', metadataPrefix: prefix, identifier })).all('subject');

test('three crawls and five modifications: what harvesters, history, rollback and the disk show', async () => {
  const names: string[] = [];
  /** Day of the last change, by identifier. */
  const expected: Record<string, string> = {};
  const states: Record<string, string[]> = {};
  const steps: readonly (readonly ['crawl'] | readonly ['modify', number])[] = [
    ['crawl'],
    ['modify', 1],
    ['crawl'],
    ['modify', 1],
    ['modify', 2],
    ['crawl'],
    ['modify', 2],
    ['modify', 1],
  ];
  for (const [index, step] of steps.entries()) {
    day = index;
    let changed: string;
    if (step[0] === 'crawl') {
      changed = await crawl();
      assert.match(changed, /^ISCCP:202603\d\dT06\d{4}Z$/);
      names.push(changed);
      states[changed] = [''];
    } else {
      changed = names[step[1] - 1] ?? '';
      await modify(changed, `state ${index}`);
      states[changed]?.push(`state ${index}`);
    }
    expected[changed] = dayOf(index);
    // Lists show closed seconds only.
    day = index + 0.5;

    assert.deepEqual(await list(), expected, `after step ${index + 1}`);
    assert.deepEqual(await list({ from: dayOf(index), until: dayOf(index) }), { [changed]: dayOf(index) });
    const earlier = Object.fromEntries(Object.entries(expected).filter(([, at]) => at < dayOf(index)));
    if (index > 0) assert.deepEqual(await list({ until: dayOf(index - 1) }), earlier);
    for (const name of names) {
      const newest = states[name]?.at(-1) ?? '';
      assert.deepEqual(await subjectsOf(name), newest === '' ? [] : [newest]);
      const history = await store.items.listHistory({ source: TOPIC, identifier: name }, ANONYMOUS);
      assert.equal(history.length, states[name]?.length, `history of ${name}`);
    }
  }
  const [first = '', second = '', third = ''] = names;
  assert.deepEqual(names.toSorted(), names, 'identifiers are in the order of time');

  const history = await store.items.listHistory({ source: TOPIC, identifier: first }, OPERATOR);
  assert.deepEqual(
    history.map((version) => [eventOf(version).type, eventOf(version).driver]),
    [
      ['capture', 'creator'],
      ['recataloguing', 'repository'],
      ['recataloguing', 'repository'],
      ['recataloguing', 'repository'],
    ],
  );

  day = 9;
  await withRun(store.runs, TOPIC, 'rollback', (runId) =>
    store.items.rollback({ source: TOPIC, identifier: first }, { version: 2 }, runId, 'second state again'),
  );
  day = 9.5;
  assert.deepEqual(await subjectsOf(first), ['state 1']);
  assert.deepEqual(await list(), { ...expected, [first]: dayOf(9) });
  const container = await ask({ verb: 'GetRecord', metadataPrefix: PREFIX, identifier: first });
  assert.ok(container.all('eventType').includes('rollback'));
  assert.match(container.text, /repository-driven; version 5; second state again/);

  const old = await store.items.findContent(
    { source: TOPIC, identifier: first },
    { at: Date.parse(`${dayOf(4)}T00:00:00Z`) },
    ANONYMOUS,
  );
  assert.equal(old?.version, 3, 'what was newest at an instant');

  const archive = archiveFolder(folder, TOPIC);
  const sizes = readdirSync(archive)
    .filter((name) => name.endsWith('.warc.gz'))
    .sort()
    .map((name) => statSync(join(archive, name)).size);
  assert.equal(sizes.length, 3);
  assert.ok((sizes[0] ?? 0) > PICTURE.length, 'the first crawl holds the picture');
  for (const size of sizes.slice(1))
    assert.ok(size < 30_000, `a later one holds a revisit of it: ${size} bytes`);

  const { comparedWith } = await readRecord(third);
  assert.deepEqual(
    [comparedWith?.identifier, comparedWith?.same, comparedWith?.similar, comparedWith?.changed],
    [second, 2, 1, 0],
    'the picture and robots.txt are the same, the page essentially',
  );
});

async function readRecord(identifier: string) {
  const content = await store.items.findContent({ source: TOPIC, identifier }, {}, OPERATOR);
  const record = JSON.parse(Buffer.from(content?.bytes ?? []).toString()) as {
    comparedWith?: Record<string, unknown>;
  };
  return record;
}

test('the reference in a container serves the bytes that stand in it by value, of a revisit too', async () => {
  day = 10;
  const [name = ''] = Object.keys(await list({ from: dayOf(5) }))
    .sort()
    .slice(-1);
  const { text } = await ask({ verb: 'GetRecord', metadataPrefix: 'oai_didl', identifier: name });
  const components = [
    ...text.matchAll(/encoding="base64">([^<]*)<\/didl:Resource><didl:Resource [^>]*ref="([^"]*)"/g),
  ];
  assert.ok(components.length >= 2);
  for (const [, value = '', ref = ''] of components) {
    const target = ref.replaceAll('&amp;', '&').replace('https://asdc.example.org', '');
    const response = await app.request(target);
    assert.equal(response.status, 200);
    const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
    assert.equal(digest(await response.bytes()), digest(Buffer.from(value, 'base64')));
  }
});

test('an answer with containers is valid against the schemas of OAI-PMH, DIDL, PREMIS and Dublin Core', async (t) => {
  if (!existsSync(SCHEMAS)) return t.skip('no schema collection beside the project');
  day = 11;
  using schema = compileSchema(join(SCHEMAS, 'drivers/oai-all.xsd'), { root: SCHEMAS });
  const { text } = await ask({ verb: 'ListRecords', metadataPrefix: PREFIX, set: TOPIC });
  assert.equal(text.match(/<didl:DIDL /g)?.length, 3);
  using document = parse(text.replace(/ encoding="base64">[^<]{1000,}</g, ' encoding="base64"><'));
  assert.deepEqual(schema.validate(document), []);
});
