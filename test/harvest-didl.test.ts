/** A web site exposed by one Garner is harvested as oai_didl by another one, and written out again. */
import assert from 'node:assert/strict';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runSource } from '../src/app/run-source.ts';
import { type Garner, openGarner } from '../src/app.ts';
import { surtKey } from '../src/archive/index.ts';
import { openCapture } from '../src/archive/items/index.ts';
import { OPERATOR } from '../src/core/access.ts';
import { defaultConfig } from '../src/core/config.ts';
import { silentLog } from '../src/core/log.ts';
import { systemClock } from '../src/core/time.ts';
import { exportSite, selectPages } from '../src/publish/captures/index.ts';
import { MATCH_ALL } from '../src/query/ast.ts';
import { parseQuery } from '../src/query/parse.ts';
import { exposeSite, live } from './expose-site.ts';
import { temporaryFolder } from './garner-process.ts';

const MODIFIED = Date.UTC(2019, 4, 17, 8, 30) / 1000;
/** Longer than what is carried inline, and no text. */
const BINARY = Buffer.from(Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7919) >> 5));

const openHarvester = (folder: string, url: string): Promise<Garner> =>
  openGarner(
    defaultConfig(
      folder,
      {
        sources: { mirror: { kind: 'oai', url, format: 'oai_didl', allowPrivate: true, maxDeleteShare: 1 } },
      },
      {},
    ),
  );

async function filesBelow(folder: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(path.slice(folder.length + 1), await readFile(path));
  }
  return new Map([...files].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

async function capturesOf({ store, config }: Garner, url: string) {
  const found = await store.captures.list({ urlKey: surtKey(url), sources: ['mirror'], limit: 10 }, OPERATOR);
  return Promise.all(
    found.map(async (capture) => {
      const access = { captures: store.captures, dataFolder: config.data };
      const { record, http } = await openCapture(access, capture, OPERATOR);
      const { bytes } = await record.payload();
      await record.close();
      return { capture, bytes, headers: http?.headers ?? [] };
    }),
  );
}

async function writeOut(garner: Garner, target: string) {
  const { store, config } = garner;
  await rm(target, { recursive: true, force: true });
  return exportSite(
    { store, dataFolder: config.data, clock: systemClock, software: 'test' },
    selectPages(store, { query: MATCH_ALL, sources: ['mirror'] }, OPERATOR),
    target,
    OPERATOR,
  );
}

test('a site comes through OAI-PMH as captures: same bytes, same headers, deletions, and a folder again', async (t) => {
  await using origin = await exposeSite();
  await origin.write('index.html', '<title>Moorland</title><p>Curlews and bog cotton.', MODIFIED);
  await origin.write('data/big.bin', BINARY, MODIFIED + 60);
  await origin.write('notes/a b ü.txt', 'sphagnum', MODIFIED + 120);
  await origin.write('empty.txt', '', MODIFIED + 180);
  await origin.site.scan();
  await origin.until('the scan', (headers) => live(headers).length === 4);

  const folder = temporaryFolder(t);
  await using garner = await openHarvester(folder, `${origin.url}/oai`);
  const report = await runSource(garner, 'mirror', silentLog);
  assert.equal(report.status, 'complete', JSON.stringify(report));
  assert.equal(report.problems, 0);
  assert.equal(report.counts.added, 4);

  const [big, ...others] = await capturesOf(garner, 'https://www.foo.edu/data/big.bin');
  assert.equal(others.length, 0);
  assert.ok(big);
  assert.ok(big.bytes.equals(BINARY));
  const told = await origin.get(
    `/oai?verb=GetRecord&metadataPrefix=http_header&identifier=${encodeURIComponent('https://www.foo.edu/data/big.bin')}`,
  );
  const expected = [...told.text.matchAll(/<http:([\w-]+)>([^<]*)<\/http:/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  assert.ok(expected.length > 3);
  const sorted = (headers: readonly (readonly (string | undefined)[])[]) =>
    headers.map((pair) => pair.join(': ')).toSorted();
  assert.deepEqual(sorted(big.headers), sorted(expected));

  const { hits } = await garner.store.search.search(
    { query: parseQuery('curlews', garner.catalogue), limit: 10 },
    OPERATOR,
  );
  assert.deepEqual(
    hits.map(({ title }) => title),
    ['Moorland'],
  );

  const target = join(folder, 'out');
  assert.deepEqual(await writeOut(garner, target), { pages: 4, captures: 4, problems: [] });
  assert.deepEqual(await filesBelow(join(target, 'www.foo.edu')), await filesBelow(origin.folder));
  assert.equal(
    (await stat(join(target, 'www.foo.edu/index.html'))).mtimeMs,
    MODIFIED * 1000,
    'files keep the time of their last change',
  );
  await assert.rejects(
    writeOut(garner, target).then(() => exportSiteAgain(garner, target)),
    { code: 'usage.invalid' },
  );

  const again = await runSource(garner, 'mirror', silentLog, { full: true });
  assert.equal(again.status, 'complete');
  assert.deepEqual(
    [again.counts.added, again.counts.updated, again.counts.deleted, again.counts.unchanged],
    [0, 0, 0, 4],
  );
  assert.equal((await capturesOf(garner, 'https://www.foo.edu/data/big.bin')).length, 1);

  await rm(join(origin.folder, 'empty.txt'));
  await origin.write('index.html', '<title>Moorland</title><p>Lapwings now.', MODIFIED + 600);
  await origin.site.scan();
  await origin.until('the change', (headers) => live(headers).length === 3);
  const later = await runSource(garner, 'mirror', silentLog);
  assert.deepEqual(
    [later.counts.added, later.counts.updated, later.counts.deleted],
    [0, 1, 1],
    JSON.stringify(later),
  );
  const visits = await capturesOf(garner, 'https://www.foo.edu/');
  assert.deepEqual(
    visits.map(({ bytes }) => /Curlews|Lapwings/.exec(bytes.toString())?.[0]),
    ['Curlews', 'Lapwings'],
  );
  await writeOut(garner, target);
  assert.deepEqual(await filesBelow(join(target, 'www.foo.edu')), await filesBelow(origin.folder));
});

const exportSiteAgain = ({ store, config }: Garner, target: string) =>
  exportSite(
    { store, dataFolder: config.data, clock: systemClock, software: 'test' },
    selectPages(store, { query: MATCH_ALL, sources: ['mirror'] }, OPERATOR),
    target,
    OPERATOR,
  );
