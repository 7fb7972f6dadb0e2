import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { archiveFolder } from '../../archive/items/index.ts';
import { ANONYMOUS } from '../../core/access.ts';
import { createFormatRegistry } from '../../formats/registry.ts';
import { hideItem, openTestArchive, SOURCE, type TestArchive } from '../../packaging/archive.fixture.ts';
import { createOaiProvider } from '../oai/provider.ts';
import { createStoreBackend } from '../oai/store-backend.ts';
import { createCaptureForms } from './forms.ts';

const HOME = 'http://example.org/';
const PAGE = '<title>Home</title>Words';
const AT = '2026-01-01T00:00:00Z';

/** As a harvester gets it. */
async function ask({ store, folder }: TestArchive, query: string, maxValueBytes = 1000): Promise<string> {
  const backend = createStoreBackend({
    store,
    formats: createFormatRegistry(),
    forms: createCaptureForms({ store, dataFolder: folder, maxValueBytes }),
    repository: { name: 'Archive', adminEmail: 'a@example.org', identifier: 'example.org' },
    viewer: ANONYMOUS,
  });
  const provide = createOaiProvider(backend, { baseUrl: 'http://here.example/oai' });
  return (await provide(new Request(`http://here.example/oai?${query}`))).text();
}

const record = (archive: TestArchive, prefix: string, url = HOME, maxValueBytes?: number) =>
  ask(
    archive,
    `verb=GetRecord&metadataPrefix=${prefix}&identifier=${encodeURIComponent(url)}`,
    maxValueBytes,
  );

test('http_header of a capture has the headers of its answer, without cookies', async () => {
  await using archive = await openTestArchive();
  const headers = [
    ['X-Served-By', 'a & b'],
    ['Set-Cookie', 'secret=1'],
  ] as const;
  await archive.crawl(AT, [{ url: HOME, body: PAGE, headers: [...headers] }]);
  const text = await record(archive, 'http_header');
  assert.match(text, /<http:Content-Type>text\/html<.*<http:X-Served-By>a &amp; b</);
  assert.match(text, /<http:X-Header-Origin>archived</);
  assert.doesNotMatch(text, /secret/);
});

test('oai_didl of a capture holds the content without its codings, with its digest and address', async () => {
  await using archive = await openTestArchive();
  const body = gzipSync(PAGE).toString('latin1');
  await archive.crawl(AT, [
    { url: HOME, body: Buffer.from(body, 'latin1'), headers: [['Content-Encoding', 'gzip']] },
  ]);
  const text = await record(archive, 'oai_didl');
  assert.ok(text.includes(Buffer.from(PAGE).toString('base64')));
  assert.ok(text.includes(hash('sha256', PAGE)));
  assert.match(text, new RegExp(`ref="${HOME}"`));
  assert.match(text, /<dc:title>Home</);
  assert.doesNotMatch(text, /Content-Encoding/);
  const large = await record(archive, 'oai_didl', HOME, 5);
  assert.ok(!large.includes(Buffer.from(PAGE).toString('base64')) && large.includes(hash('sha256', PAGE)));
});

test('a capture whose archive file is lost is described all the same', async () => {
  await using archive = await openTestArchive();
  await archive.crawl(AT, [{ url: HOME, body: PAGE }]);
  const folder = archiveFolder(archive.folder, SOURCE);
  for (const name of await readdir(folder)) await rm(join(folder, name));
  assert.match(await record(archive, 'http_header'), /<http:X-Header-Origin>computed</);
  const didl = await record(archive, 'oai_didl');
  assert.match(didl, new RegExp(`ref="${HOME}"`));
  assert.doesNotMatch(didl, /premis/);
});

test('both formats are offered of captures, and nothing of those that are hidden', async () => {
  let now = Date.now() - 60_000;
  await using archive = await openTestArchive(() => now);
  const hidden = `${HOME}hidden`;
  await archive.crawl(AT, [
    { url: HOME, body: PAGE },
    { url: hidden, body: 'not for you' },
  ]);
  await hideItem(archive.store, { source: SOURCE, identifier: hidden });
  // Lists hold only seconds that are over.
  now += 10_000;
  const formats = await ask(archive, `verb=ListMetadataFormats&identifier=${encodeURIComponent(HOME)}`);
  assert.match(formats, /<metadataPrefix>http_header<[\s\S]*<metadataPrefix>oai_didl</);
  for (const prefix of ['http_header', 'oai_didl']) {
    const list = await ask(archive, `verb=ListRecords&metadataPrefix=${prefix}`);
    assert.match(list, new RegExp(`<identifier>${HOME}<`));
    assert.ok(!list.includes(Buffer.from('not for you').toString('base64')));
  }
});
