import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { defaultConfig } from '../core/config.ts';
import { silentLog } from '../core/log.ts';
import { createFormatRegistry } from '../formats/registry.ts';
import { createExtraction } from '../harvest/extract-record.ts';
import { readTable } from '../harvest/files/table-records.ts';
import { openTestArchive, SOURCE, type TestArchive, withinRun } from '../packaging/archive.fixture.ts';
import { createSnapshotLinks } from '../packaging/records/snapshot-links.ts';
import { createCatalogue } from '../query/catalogue.ts';
import { createHttpApp } from './server.ts';

const TABLE = `entry_id,title,topic
ISCCP_D2,Monthly cloud cover,
GRANULE.1,January 1990,ISCCP
ERBE_S4,Radiation budget,ERBE
ISCCPLIKE,Another one,
`;
let archive: TestArchive;
let app: ReturnType<typeof createHttpApp>;
let snapshot: string;

let now = Date.now() - 60_000;
before(async () => {
  archive = await openTestArchive(() => now);
  const { store, folder } = archive;
  snapshot = await archive.crawl('2026-11-15T03:00:00Z', [
    { url: 'http://isccp.example/', body: '<title>Clouds</title>' },
  ]);
  const formats = createFormatRegistry();
  const extract = createExtraction({ formats, validation: 'report' });
  const records = [...readTable(TABLE)].flatMap((row) => {
    if (!('bytes' in row)) return [];
    const piece = { bytes: row.bytes, syntax: 'xml', where: 't', line: 1, fallbackIdentifier: 'x' } as const;
    return extract(piece).record ?? [];
  });
  await withinRun(store, (runId) => store.items.commit({ source: SOURCE, runId, records }));
  // Lists of OAI-PMH leave out what came in this very second.
  now += 5000;
  const { oai, ...rest } = defaultConfig(folder, { data: folder }, {}).repository;
  app = createHttpApp({
    store,
    dataFolder: folder,
    formats,
    catalogue: createCatalogue(formats.fieldSpecs()),
    repository: { ...rest, baseUrl: 'https://data.example.org' },
    oai,
    links: createSnapshotLinks(store),
    tokens: [],
    sources: [{ name: SOURCE, title: SOURCE, access: { public: true } }],
    views: [],
    clock: Date.now,
    log: silentLog,
    version: 'test',
  });
});
after(() => archive[Symbol.asyncDispose]());

const text = async (path: string) => (await app.request(path)).text();

test('a record tells which snapshots document it, by its project or by how its identifier begins', async () => {
  for (const identifier of ['ISCCP_D2', 'GRANULE.1']) {
    const page = await text(`/items/${SOURCE}/${identifier}`);
    assert.match(page, /<h2 id="linked">Documented by<\/h2>/, identifier);
    assert.ok(page.includes(snapshot), identifier);
  }
  for (const identifier of ['ERBE_S4', 'ISCCPLIKE'])
    assert.doesNotMatch(await text(`/items/${SOURCE}/${identifier}`), /id="linked"/, identifier);
});

test('a snapshot tells which records it documents', async () => {
  const page = await text(`/items/${SOURCE}/${snapshot}`);
  assert.match(page, /<h2 id="linked">Documents<\/h2>/);
  const section = page.slice(
    page.indexOf('id="linked"'),
    page.indexOf('</section>', page.indexOf('id="linked"')),
  );
  const named = [...section.matchAll(/class="muted">([\w.]+)<\/span>/g)].map(([, name]) => name ?? '');
  assert.deepEqual(named.sort(), ['GRANULE.1', 'ISCCP_D2']);
});

test('Dublin Core has both as relations: of one item and as JSON; in OAI-PMH the later names the other', async () => {
  const relation = `<dc:relation>${snapshot}`;
  assert.ok((await text(`/items/${SOURCE}/ISCCP_D2?format=oai_dc`)).includes(relation));
  assert.ok((await text(`/items/${SOURCE}/ISCCP_D2?format=dc-json`)).includes(snapshot));
  assert.doesNotMatch(await text(`/items/${SOURCE}/ISCCP_D2?format=oai_dc`), /NOT PROVIDED/);
  const list = await text('/oai?verb=ListRecords&metadataPrefix=oai_dc');
  const records = list.split('<record>').slice(1);
  const related = (title: string) =>
    records.find((record) => record.includes(`<dc:title>${title}`))?.includes(relation);
  assert.equal(related('January 1990'), true);
  assert.equal(related('Radiation budget'), false);
  assert.equal(
    records.some((record) => /ISCCP, .*<dc:relation>/.test(record)),
    false,
  );
  assert.match(await text(`/items/${SOURCE}/${snapshot}?format=oai_dc`), /<dc:relation>[^<]*ISCCP_D2</);
  // Granules are there as DIF and as Dublin Core.
  const dif = await text('/oai?verb=ListIdentifiers&metadataPrefix=dif9');
  assert.equal(dif.split('<header>').length - 1, 4);
});

test('a new snapshot names the records; those that harvesters have stay as they are, datestamp and all', async () => {
  const list = async () =>
    (await text('/oai?verb=ListRecords&metadataPrefix=oai_dc')).split('<record>').slice(1);
  const before = await list();
  await archive.crawl('2026-12-15T03:00:00Z', [
    { url: 'http://isccp.example/', body: '<title>Newer</title>' },
  ]);
  now += 5000;
  const added = (await list()).filter((record) => !before.includes(record));
  const [newer = '', ...others] = added.filter((record) => record.includes('<dc:title>ISCCP, '));
  assert.match(newer, /<dc:relation>[^<]*ISCCP_D2<.*<dc:relation>[^<]*GRANULE\.1</);
  assert.deepEqual(others, []);
  assert.deepEqual(
    added.filter((record) => record.includes('ISCCP_D2</dc:identifier>')),
    [],
  );
});
