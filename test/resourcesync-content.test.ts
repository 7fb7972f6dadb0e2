/** ResourceSync of what is more than records: files of a web site, and captures of a web archive. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  captureOf,
  openWarcWriter,
  readArchive,
  responseRecord,
  writeHttpHead,
} from '../src/archive/index.ts';
import { archiveFolder, recordCaptures } from '../src/archive/items/index.ts';
import { itemPath } from '../src/core/identifiers.ts';
import { createFormatRegistry } from '../src/formats/registry.ts';
import { createBoundClient } from '../src/harvest/remote/bound-client.ts';
import { openKeep } from '../src/harvest/remote/origin.fixture.ts';
import { harvestResourceSync } from '../src/harvest/resourcesync/harvest-resourcesync.ts';
import type { CaptureEntry } from '../src/store/index.ts';
import { dead, exposeSite } from './expose-site.ts';
import {
  fetchEntries,
  fetchParts,
  fetchSync,
  readSyncDocument,
  type SyncEntry,
  sha256,
  unzip,
} from './sync-client.ts';
import { openSyncSite } from './sync-site.ts';

const HOME = 'https://www.foo.edu/';

const isFile = ({ loc }: SyncEntry): boolean => loc.endsWith('?format=content');
/** On the live site. */
const addressOf = ({ links }: SyncEntry): string =>
  links.find((link) => link.startsWith('duplicate '))?.slice('duplicate '.length) ?? '';

test('files are resources at their own addresses, described by records; dumps hold both', async () => {
  await using site = await exposeSite(
    {
      'index.html': '<title>Home</title>',
      'data.xml': '<data/>',
      'large.txt': 'much '.repeat(100),
      'secret/plan.txt': 'hidden',
      'secret/.htaccess': 'Require all denied',
    },
    { maxValueBytes: 200 },
  );
  await site.site.scan();
  await site.until('the scan', (all) => all.length === 3);
  const get = (url: string) => fetch(new URL(url, site.url));

  const list = await fetchEntries(get, '/resourcesync/site/resourcelist.xml');
  const files = list.filter(isFile);
  const records = list.filter((entry) => !isFile(entry));
  assert.deepEqual(files.map(addressOf).toSorted(), [HOME, `${HOME}data.xml`, `${HOME}large.txt`]);
  assert.equal(records.length, 3);
  for (const { loc, md, links } of files) {
    const response = await get(loc);
    assert.equal(response.status, 200, loc);
    assert.match(response.headers.get('content-disposition') ?? '', /^attachment/);
    assert.match(response.headers.get('content-security-policy') ?? '', /^sandbox/);
    assert.equal(response.headers.get('content-length'), md.length);
    assert.equal(sha256(await response.bytes()), md.hash);
    const described = links.filter((link) => link.startsWith('describedby '));
    assert.equal(described.length, 2, loc);
    for (const link of described) assert.equal((await get(link.slice('describedby '.length))).status, 200);
    assert.ok(
      records.some((record) => record.links.includes(`describes ${loc}`)),
      loc,
    );
  }
  assert.equal(files.find((entry) => addressOf(entry) === HOME)?.md.type, 'text/html');

  const dump = await fetchSync(get, '/resourcesync/site/resourcedump.xml');
  assert.deepEqual(
    dump.entries.map(({ md }) => md.type),
    ['application/zip'],
  );
  const unpacked = await unzip(await (await get(dump.entries[0]?.loc ?? '')).bytes());
  const manifest = readSyncDocument(unpacked.get('manifest.xml')?.toString() ?? '');
  assert.deepEqual(
    manifest.entries.filter(isFile).map(addressOf).toSorted(),
    [HOME, `${HOME}data.xml`],
    'what is above the limit is in the lists only',
  );
  for (const { loc, md } of manifest.entries)
    assert.equal(sha256(unpacked.get((md.path ?? '').slice(1)) ?? Buffer.alloc(0)), md.hash, loc);
  assert.equal(unpacked.size, manifest.entries.length + 1);

  // Harvesters that want records take the records, though a file may be XML itself.
  const keep = await openKeep();
  const client = createBoundClient({ userAgent: 'test', allowPrivate: true }, site.url);
  try {
    const report = await harvestResourceSync(
      { ...keep, client },
      { name: 'there', url: `${site.url}/resourcesync/site/capabilitylist.xml`, maxDeleteShare: 1 },
    );
    assert.deepEqual([report.status, report.counts.added], ['complete', 3], report.message);
  } finally {
    client.close();
    await keep.close();
  }

  await rm(join(site.folder, 'data.xml'));
  await site.site.scan();
  await site.until('the deletion', (all) => dead(all).length === 1);
  const changes = await fetchEntries(get, '/resourcesync/site/changelist.xml');
  const gone = changes.filter(({ md }) => md.change === 'deleted');
  assert.deepEqual(gone.map(isFile), [true, false], 'the file and its record');
  assert.ok(files.some(({ loc }) => loc === gone[0]?.loc));
  assert.equal((await get(gone[0]?.loc ?? '')).status, 404);
  for (const { loc } of [...list, ...changes]) assert.doesNotMatch(loc, /secret/);
});

test('files that go by reference are described only, and not given', async () => {
  await using site = await exposeSite({ 'a.txt': 'elsewhere' }, { delivery: 'reference' });
  await site.site.scan();
  await site.until('the scan', (all) => all.length === 1);
  const [record, ...others] = await fetchEntries(
    (url) => fetch(new URL(url, site.url)),
    '/resourcesync/site/resourcelist.xml',
  );
  assert.deepEqual(others, []);
  assert.ok(record?.links.includes(`describes ${HOME}a.txt`));
  assert.equal((await site.get(`${itemPath('site', `${HOME}a.txt`)}?format=content`)).status, 404);
});

test('a list of files has no more entries than it may, with two for each file', async () => {
  const files = { gives: () => true, open: async () => undefined, read: async () => undefined };
  const site = await openSyncSite({ files, syncLimits: { entries: 4 } });
  const get = (url: string) => site.get(url);
  try {
    const file = (name: string) => {
      const described = {
        webFile: 1,
        url: HOME + name,
        title: name,
        size: 1,
        mediaType: 'text/plain',
        sha256: '00',
      };
      return site.record(HOME + name, name, {
        format: 'web_file',
        raw: Buffer.from(JSON.stringify(described)),
      });
    };
    for (const i of [1, 2, 3, 4, 5]) {
      await site.commit('open', [file(`${i}.txt`)]);
      site.wait(5);
    }
    const parts = await fetchParts(get, '/resourcesync/open/resourcelist.xml');
    const sizes = parts.map(({ entries }) => entries.length);
    assert.equal(Math.max(...sizes), 4);
    assert.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      10,
    );
  } finally {
    await site.close();
  }
});

test('captures come in dumps as WARC files, all visits of each URL, and are in the sets of their types', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'garner-sync-warc-'));
  const site = await openSyncSite({ dataFolder, syncLimits: { packageCaptures: 2 } });
  const get = (url: string) => site.get(url);
  try {
    const head = writeHttpHead('HTTP/1.1 200 OK', [['Content-Type', 'text/html']]);
    const visit = (url: string, at: string, body: string) =>
      responseRecord({ targetUri: url, at: Date.parse(at) }, { head, body: Buffer.from(body) });
    const folder = archiveFolder(dataFolder, 'open');
    const writer = await openWarcWriter({ folder, prefix: 't', clock: () => 0, info: [] });
    await writer.append(
      visit('http://a.example/', '2020-01-01T00:00:00Z', '<title>Old</title>'),
      visit('http://a.example/', '2021-01-01T00:00:00Z', '<title>New</title>'),
      visit('http://a.example/x', '2021-01-01T00:00:01Z', '<title>X</title>'),
      visit('http://a.example/y', '2021-01-01T00:00:02Z', '<title>Y</title>'),
    );
    await writer.close();
    const captures: CaptureEntry[] = [];
    for (const name of await readdir(folder))
      for await (const event of readArchive(join(folder, name))) {
        const capture = event.kind === 'record' ? captureOf(event, name) : undefined;
        if (capture) captures.push(capture);
      }
    const { store } = site;
    const { id: runId } = await store.runs.startRun('open', 'import');
    const fields = createFormatRegistry().fieldSpecs();
    await recordCaptures({ store, fields, folder }, { source: 'open', runId }, { captures });
    await store.runs.finishRun(runId, 'complete');
    site.wait(60);
    await site.commit('other', [site.record('one', 'No capture')]);
    site.wait(60);

    for (const kind of ['resourcedump', 'changedump']) {
      const dump = await fetchSync(get, `/resourcesync/${kind}.xml`);
      const archives = dump.entries.filter(({ md }) => md.type === 'application/warc');
      assert.equal(archives.length, 2, kind);
      const visits: string[] = [];
      for (const { loc, links } of archives) {
        const response = await site.get(loc);
        assert.equal(response.headers.get('content-type'), 'application/warc');
        const path = join(dataFolder, 'taken.warc.gz');
        await writeFile(path, await response.bytes());
        for await (const event of readArchive(path))
          if (event.kind === 'record') {
            const capture = captureOf(event, 'taken.warc.gz');
            if (capture) visits.push(`${capture.url} ${new Date(capture.at).getUTCFullYear()}`);
          }
        const [described] = links.filter((link) => link.startsWith('describedby '));
        assert.ok((await fetchEntries(get, described?.slice('describedby '.length) ?? '')).length > 0);
      }
      assert.deepEqual(visits.toSorted(), [
        'http://a.example/ 2020',
        'http://a.example/ 2021',
        'http://a.example/x 2021',
        'http://a.example/y 2021',
      ]);
    }
    const sets = await (
      await site.get('/oai?verb=ListIdentifiers&metadataPrefix=oai_dc&set=mime:text')
    ).text();
    assert.equal(
      sets.match(/<setSpec>mime:text:html</g)?.length,
      3,
      'captures are in the sets of their types',
    );
    const other = await fetchSync(get, '/resourcesync/other/resourcedump.xml');
    assert.ok(other.entries.every(({ md }) => md.type === 'application/zip'));
    assert.deepEqual(await readdir(join(dataFolder, 'exports')), [], 'nothing is left behind');
    assert.equal((await site.get('/resourcesync/open/resourcedump_19700101T000000Z-.warc.gz')).status, 400);
    assert.equal((await site.get('/resourcesync/other/resourcedump_19700101T000000Z-.warc.gz')).status, 404);
    assert.equal((await site.get('/resourcesync/open/resourcelist_19700101T000000Z-.warc.gz')).status, 404);
  } finally {
    await site.close();
    await rm(dataFolder, { recursive: true });
  }
});
