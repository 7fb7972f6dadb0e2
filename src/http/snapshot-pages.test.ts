/** The page of a snapshot: its captures, its hosts, and the whole of it as a file. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { type ArchivedPage, archivePages } from '../../test/archive-pages.ts';
import { MEMBER, openTestCollection, type TestCollection } from '../../test/portal-collection.ts';
import { openWacz, readArchive } from '../archive/index.ts';
import { writeArchiveAddress } from '../replay/index.ts';
import { createHttpApp } from './server.ts';

const AT = Date.parse('2020-01-02T03:04:05Z');
const COUNT = 230;
const ORIGIN = 'http://archive.example';
let collection: TestCollection;
let dataFolder: string;
let app: ReturnType<typeof createHttpApp>;
let identifier: string;
let closed: string;

const pages: ArchivedPage[] = Array.from({ length: COUNT }, (_, n) => ({
  url: `http://${n % 10 === 0 ? 'few' : 'many'}.example/${String(n).padStart(3, '0')}`,
  at: AT + n * 1000,
  type: 'text/html',
  body: `<title>Page ${n}</title>`,
  ...(n === 1 && { status: 404 }),
}));

before(async () => {
  collection = await openTestCollection();
  dataFolder = await mkdtemp(join(tmpdir(), 'garner-snapshot-'));
  const target = { store: collection.store, fields: collection.deps.formats.fieldSpecs(), dataFolder };
  identifier = (await archivePages(target, 'polar', pages)) ?? '';
  closed = (await archivePages(target, 'closed', pages.slice(0, 2))) ?? '';
  app = createHttpApp({ ...collection.deps, dataFolder, archiveOrigin: ORIGIN });
});
after(async () => {
  await collection.close();
  await rm(dataFolder, { recursive: true, force: true });
});

const page = async (query = ''): Promise<string> => {
  const answer = await app.request(`/items/polar/${encodeURIComponent(identifier)}${query}`, {
    headers: { accept: 'text/html' },
  });
  assert.equal(answer.status, 200);
  return answer.text();
};
const rowsOf = (text: string): string[] => text.match(/<tr><td>(?:<a|http).*?<\/tr>/gs) ?? [];

test('captures are listed page by page, each with its item, its place in the archive and what it is', async () => {
  const seen = new Set<string>();
  for (const number of [1, 2, 3]) {
    const text = await page(`?page=${number}`);
    assert.match(text, new RegExp(`Page ${number} of 3`));
    for (const [, url = ''] of text.matchAll(/>(http:\/\/(?:few|many)\.example\/\d+)</g)) seen.add(url);
  }
  assert.equal(seen.size, COUNT);
  const [row = ''] = rowsOf(await page());
  const { url = '', at = 0 } = pages[0] ?? {};
  assert.ok(row.includes(`/items/polar/`) && row.includes(url), row);
  assert.ok(row.includes(`${ORIGIN}${writeArchiveAddress({ source: 'polar', url, at })}`), row);
  assert.match(row, /200 text\/html/);
  assert.match(row, /\d+ B/);
  assert.match(row, /<code title="([A-Z2-7]{10})[A-Z2-7]{22}">\1<\/code>/);
});

test('a capture that is no item is no link to one', async () => {
  const rows = [...rowsOf(await page('?page=1')), ...rowsOf(await page('?page=2'))];
  const gone = rows.find((row) => row.includes('many.example/001'));
  assert.match(gone ?? '', /^<tr><td>http:/);
});

test('hosts are counted over all pages', async () => {
  const text = await page('?page=2');
  assert.match(text, /<td>many\.example<\/td><td class="number">207<\/td>/);
  assert.match(text, /<td>few\.example<\/td><td class="number">23<\/td>/);
});

test('a page number that is none shows the first page, one too high the last', async () => {
  assert.match(await page('?page=x'), /Page 1 of 3/);
  assert.match(await page('?page=999'), /Page 3 of 3/);
});

const download = (as: string, of = identifier, source = 'polar', headers = {}) =>
  app.request(`/snapshots?${new URLSearchParams({ source, identifier: of, as })}`, { headers });

async function saved(as: string): Promise<string> {
  const answer = await download(as);
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="[\w.-]+"$/);
  const path = join(dataFolder, `saved.${as}`);
  await writeFile(path, Buffer.from(await answer.arrayBuffer()));
  return path;
}

test('the whole snapshot comes as WARC, WACZ and tar.gz, and leaves nothing behind', {
  timeout: 600_000,
}, async () => {
  const urls: string[] = [];
  for await (const event of readArchive(await saved('warc'), { verify: true })) {
    assert.equal(event.kind, 'record');
    if (event.kind === 'record' && event.type === 'response') urls.push(event.targetUri ?? '');
  }
  assert.deepEqual(urls.sort(), pages.map(({ url }) => url).sort());
  const wacz = await openWacz(await saved('wacz'));
  assert.equal(wacz.archiveNames.length, 1);
  await wacz.close();
  const answer = await download('tar');
  const tar = gunzipSync(Buffer.from(await answer.arrayBuffer())).toString('latin1');
  assert.match(tar, /<title>Page 42<\/title>/);
  // Removed when the last byte is read; the test ends by its time limit if that never comes.
  while ((await readdir(join(dataFolder, 'exports'))).length > 0) await delay(10);
});

test('what a reader may not see cannot be taken along', async () => {
  assert.equal((await download('wacz', closed, 'closed')).status, 404);
  const member = { authorization: `Bearer ${MEMBER.secret}` };
  assert.equal((await download('wacz', closed, 'closed', member)).status, 200);
  assert.equal((await download('exe')).status, 400);
  assert.equal((await download('wacz', 'ice-1979')).status, 404);
});
