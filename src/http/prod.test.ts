/** /prod as an old client asks it, and as newer ones do. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { archivePages } from '../../test/archive-pages.ts';
import { CURATOR, openTestCollection, type TestCollection } from '../../test/portal-collection.ts';
import { PUBLIC } from '../core/access.ts';
import { openConversions } from '../federate/convert/conversions.ts';
import { makePlanetaryProducts } from '../federate/demo/planetary.ts';
import { profileRecord } from '../federate/profile/profile-record.ts';
import { createProfiles, type Profiles } from '../federate/profiles.ts';
import { createFolderHandler } from '../federate/servers/folder-handler.ts';
import { createProductServer, type ProductServer } from '../federate/servers/product-server.ts';
import { createStoreHandler } from '../federate/servers/store-handler.ts';
import { xmlQueryOf } from '../federate/xmlquery/dis-of-xmlquery.ts';
import { writeXmlQuery } from '../formats/xmlquery/write-xmlquery.ts';
import { parseDis } from '../query/dis/parse-dis.ts';
import { parseXml } from '../xml/engine.ts';
import { createHttpApp } from './server.ts';

let collection: TestCollection;
let profiles: Profiles;
let products: ProductServer;
let app: ReturnType<typeof createHttpApp>;
const [planet] = makePlanetaryProducts({ products: 1 });
const PAGE_URL = 'http://pages.example/cirrus';
const PAGE_BODY = '<!DOCTYPE html><title>Cirrus</title><p>High and thin.';
let snapshot = '';
const PLANET = planet?.res.Identifier?.[0] ?? '';

before(async () => {
  collection = await openTestCollection();
  const { store, deps, folder } = collection;
  const specs = deps.formats.fieldSpecs();
  const run = await store.runs.startRun('polar', 'test');
  assert.ok(planet);
  await store.items.commit({ source: 'polar', runId: run.id, records: [profileRecord(planet, specs)] });
  await store.runs.finishRun(run.id, 'complete');
  const target = { store, fields: specs, dataFolder: folder };
  snapshot =
    (await archivePages(target, 'clouds', [
      { url: PAGE_URL, at: Date.UTC(2020, 1, 2), type: 'text/html', body: PAGE_BODY },
    ])) ?? '';
  await archivePages(target, 'closed', [
    { url: 'http://closed.example/', at: Date.UTC(2020, 1, 2), type: 'text/html', body: PAGE_BODY },
  ]);
  const files = join(folder, 'products');
  await mkdir(join(files, 'set'), { recursive: true });
  await writeFile(join(files, 'large.bin'), Buffer.alloc(3_000_000, 'abcdefgh'));
  await writeFile(join(files, 'set/one.csv'), 'a,b\n1,2\n');
  await writeFile(join(files, 'set/two.xml'), '<two/>');
  const label =
    'PDS_VERSION_ID = PDS3\r\nRECORD_BYTES = 256\r\n^IMAGE = 2\r\nOBJECT = IMAGE\r\nLINES = 2\r\nLINE_SAMPLES = 3\r\nSAMPLE_BITS = 8\r\nEND_OBJECT\r\nEND\r\n';
  await mkdir(join(files, '../pds'));
  await writeFile(
    join(files, '../pds/io.img'),
    Buffer.concat([Buffer.from(label.padEnd(256)), Buffer.from([1, 2, 3, 4, 5, 6])]),
  );
  const picture = sharp({ create: { width: 64, height: 32, channels: 3, background: '#123456' } });
  await writeFile(join(files, 'picture.png'), await picture.png().toBuffer());
  profiles = createProfiles({
    store,
    formats: deps.formats,
    config: {
      ids: 'uri',
      oidRoot: '2.25.0',
      resClass: 'data.product',
      templates: {},
      levels: [],
      valueLimit: 200,
    },
    repository: deps.repository,
    dataFolder: folder,
  });
  const { baseUrl } = deps.repository;
  products = createProductServer(
    [
      createFolderHandler({ name: 'files', path: files, access: PUBLIC }),
      createFolderHandler({ name: 'planets', path: join(folder, 'pds'), access: PUBLIC }),
      createStoreHandler({ store, formats: deps.formats, profiles, baseUrl, dataFolder: folder }),
    ],
    openConversions({ maxBytes: 10_000_000, timeoutMs: 20_000 }),
  );
  app = createHttpApp({ ...deps, federation: { profiles }, products });
});
after(async () => {
  await products.close();
  profiles.close();
  await collection.close();
});

/** What a program of old does: parameters by GET or POST, then status, type and bytes. */
async function oldClient(
  parameters: readonly (readonly [string, string])[],
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
) {
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, value]));
  const answer = await (method === 'POST'
    ? app.request('/prod', { method, body: query, headers })
    : app.request(`/prod?${query}`, { method, headers }));
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}
const q = (expression: string, ...mime: readonly string[]) => [
  ['q', expression] as const,
  ...mime.map((type) => ['mime', type] as const),
];

test('the raw bytes of the first match come with their type, by GET, POST and XMLQuery', async () => {
  const expression = 'IDENTIFIER = ice-1979';
  const { query } = parseDis(expression);
  const xmlq = writeXmlQuery(xmlQueryOf({ query, select: [], from: [] }));
  for (const [parameters, method] of [
    [q(expression), 'GET'],
    [q(expression), 'POST'],
    [[['xmlq', xmlq] as const, ...q('IDENTIFIER = chukchi')], 'POST'],
  ] as const) {
    const { status, headers, bytes } = await oldClient(parameters, { method });
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^text\/xml/);
    assert.match(bytes.toString(), /^<oai_dc:dc .*ice-1979/);
    assert.match(headers.get('content-security-policy') ?? '', /sandbox/);
  }
});

test('the product of an archived page is the page, that of a snapshot the file that has it whole', async () => {
  const page = await oldClient(q(`IDENTIFIER = "${PAGE_URL}"`));
  assert.deepEqual([page.status, page.bytes.toString()], [200, PAGE_BODY]);
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(page.headers.get('content-security-policy') ?? '', /sandbox/);
  const known = { 'if-none-match': page.headers.get('etag') ?? '' };
  assert.equal((await oldClient(q(`IDENTIFIER = "${PAGE_URL}"`), { headers: known })).status, 304);
  const about = await oldClient(q(`IDENTIFIER = "${PAGE_URL}"`, 'application/json;format=web_capture'));
  assert.equal((JSON.parse(about.bytes.toString()) as { url: string }).url, PAGE_URL);
  assert.equal((await oldClient(q('IDENTIFIER = "http://closed.example/"'))).status, 404);
  const whole = await oldClient(q(`IDENTIFIER = "${snapshot}"`));
  assert.equal(whole.status, 302);
  assert.match(
    whole.headers.get('location') ?? '',
    /^https:\/\/atlas\.example\.org\/snapshots\?source=clouds&/,
  );
});

test('what lives elsewhere is a redirect, nothing is 404, no question 400', async () => {
  const { status, headers } = await oldClient(q(`IDENTIFIER = "${PLANET}"`));
  assert.equal(status, 302);
  assert.equal(headers.get('location'), new URL(planet?.res.resLocation?.[0] ?? '').href);
  const described = await oldClient(q(`IDENTIFIER = "${PLANET}"`, 'text/xml; format=oodt_profile'));
  assert.match(described.bytes.toString(), /<profAttributes>/);
  assert.equal((await oldClient(q('IDENTIFIER = nothing'))).status, 404);
  const none = await oldClient([]);
  assert.equal(none.status, 400);
  assert.match(none.bytes.toString(), /ask with q/);
});

test('types are taken in the order of preference, with wildcards', async () => {
  const type = async (...mime: readonly string[]) => {
    const { status, headers, bytes } = await oldClient(q('OFSN=/picture.png AND RT=RAW', ...mime));
    return status === 200
      ? `${headers.get('content-type')} ${(await sharp(bytes).metadata()).format}`
      : status;
  };
  assert.equal(await type(), 'image/png png');
  assert.equal(await type('*/*'), 'image/png png');
  assert.equal(await type('image/jpeg', 'image/png'), 'image/jpeg jpeg');
  assert.equal(await type('audio/ogg', 'image/*'), 'image/png png');
  assert.equal(await type('audio/ogg,image/webp'), 'image/webp webp');
  assert.equal(await type('audio/ogg'), 404);
  assert.equal(await type('nonsense'), 400);
  const small = await oldClient([...q('OFSN=/picture.png'), ['width', '16']]);
  const { width, height } = await sharp(small.bytes).metadata();
  assert.deepEqual([width, height], [16, 8]);
  assert.equal((await oldClient([...q('OFSN=/picture.png'), ['width', '-1']])).status, 400);
});

test('an image of a planet comes as it is kept, or as a picture', async () => {
  const raw = await oldClient(q('OFSN=/io.img'));
  assert.deepEqual([raw.headers.get('content-type'), raw.bytes.length], ['application/x-pds-image', 262]);
  const png = await oldClient(q('OFSN=/io.img AND RT=RAW', 'image/png', 'image/*'));
  assert.equal(png.headers.get('content-type'), 'image/png');
  assert.deepEqual([...(await sharp(png.bytes).toColourspace('b-w').raw().toBuffer())], [1, 2, 3, 4, 5, 6]);
});

test('records come by their crosswalks and as JSON', async () => {
  const get = async (...mime: readonly string[]) =>
    (await oldClient(q('IDENTIFIER = ice-1979', ...mime))).bytes.toString();
  assert.ok('oai_dc:dc' in JSON.parse(await get('application/json')));
  assert.deepEqual(JSON.parse(await get('application/json;format=oai_dc')).language, ['en']);
  assert.match(await get('text/xml;format=oodt_profile'), /<resLocation>https:\/\/atlas/);
  assert.match(await get('text/turtle'), /@prefix/);
  for (const format of ['oai_dc', 'oodt_profile'])
    parseXml(Buffer.from(await get(`text/xml;format=${format}`))).dispose();
  const csv = await oldClient(q('OFSN=/set/one.csv', 'application/json'));
  assert.deepEqual(JSON.parse(csv.bytes.toString()), [{ a: '1', b: '2' }]);
  assert.equal(csv.headers.get('content-disposition'), 'inline; filename="one.json"');
});

test('large products come in parts, and not at all to those who have them', async () => {
  const ask = (headers: Record<string, string> = {}, method = 'GET') =>
    oldClient(q('OFSN=/large.bin'), { headers, method });
  const whole = await ask();
  assert.equal(whole.headers.get('content-length'), '3000000');
  assert.equal(whole.bytes.length, 3_000_000);
  const etag = whole.headers.get('etag') ?? '';
  assert.equal((await ask({ 'if-none-match': etag })).status, 304);
  const part = await ask({ range: 'bytes=1000001-1000004' });
  assert.deepEqual(
    [part.status, part.headers.get('content-range'), part.bytes.toString()],
    [206, 'bytes 1000001-1000004/3000000', 'bcde'],
  );
  assert.equal((await ask({ range: 'bytes=0-3', 'if-range': '"other"' })).status, 200);
  assert.equal((await ask({ range: 'bytes=0-3', 'if-range': etag })).status, 206);
  const beyond = await ask({ range: 'bytes=3000000-' });
  assert.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, 'bytes */3000000']);
  const head = await ask({}, 'HEAD');
  assert.deepEqual([head.status, head.headers.get('content-length'), head.bytes.length], [200, '3000000', 0]);
});

const openZip = promisify<Buffer, { lazyEntries: false }, ZipFile>(fromBuffer);
async function namesIn(bytes: Buffer): Promise<string[]> {
  const zip = await openZip(bytes, { lazyEntries: false });
  const names: string[] = [];
  zip.on('entry', ({ fileName }: Entry) => names.push(fileName));
  await new Promise((resolve, reject) => zip.on('end', resolve).on('error', reject));
  return names.sort();
}

test('data sets and collections come as one ZIP file', async () => {
  const set = await oldClient(q('OFSN=/ AND RT=FILES AND FROM=files', 'application/zip'));
  assert.equal(set.headers.get('content-type'), 'application/zip');
  assert.deepEqual(await namesIn(set.bytes), ['large.bin', 'picture.png', 'set/one.csv', 'set/two.xml']);
  const converted = await oldClient(q('OFSN=/set AND RT=FILES', 'application/zip', 'application/json'));
  assert.deepEqual(await namesIn(converted.bytes), ['set/one.json', 'set/two.json']);
  const clouds = await oldClient(q('SUBJECT = Clouds AND FROM = clouds', 'application/zip'));
  assert.equal((await namesIn(clouds.bytes)).length, 4);
  const away = await oldClient(q(`IDENTIFIER = "${PLANET}"`, 'application/zip'));
  assert.deepEqual(await namesIn(away.bytes), ['elsewhere.tsv']);
});

test('what a reader may not see is as if it were not there', async () => {
  const hidden = await oldClient(q('IDENTIFIER = staff-only'));
  const never = await oldClient(q('IDENTIFIER = never-was'));
  assert.deepEqual([hidden.status, hidden.bytes.toString()], [never.status, never.bytes.toString()]);
  const all = await oldClient(q('TITLE ISNOT NULL', 'application/zip'));
  assert.ok(!(await namesIn(all.bytes)).some((name) => /staff|secret/.test(name)));
  const authorization = `Bearer ${CURATOR.secret}`;
  assert.equal((await oldClient(q('IDENTIFIER = staff-only'), { headers: { authorization } })).status, 200);
});

test('mistakes are told in words, with their place and what was perhaps meant', async () => {
  const wrong = await oldClient(q('A = 1 AND'));
  assert.equal(wrong.status, 400);
  assert.match(wrong.headers.get('content-type') ?? '', /^text\/plain/);
  assert.match(wrong.bytes.toString(), /expected .*A = 1 AND\n +\^/s);
  const unknown = await oldClient(q('SUBJCT = ice'), { headers: { accept: 'application/json' } });
  assert.equal(unknown.status, 404);
  const { nearest, detail } = JSON.parse(unknown.bytes.toString()) as { nearest: string[]; detail: string };
  assert.ok(nearest.includes('subject'), detail);
  const bomb = '<!DOCTYPE query [<!ENTITY a "b">]><query>&a;</query>';
  assert.equal((await oldClient([['xmlq', bomb]])).status, 400);
  assert.equal(
    (await oldClient(q(`A = "${'x'.repeat(100_000)}"`), { method: 'POST' })).status,
    400,
    'too large',
  );
});
