import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { openTestArchive, SOURCE, type TestArchive, withinRun } from '../packaging/archive.fixture.ts';
import { modifySnapshot } from '../packaging/versions/modify-snapshot.ts';
import { createPackageApp } from './package-app.fixture.ts';

const HOME = 'http://example.org/a?b=1&c=2';
let archive: TestArchive;
let app: ReturnType<typeof createPackageApp>;
let path: string;
let now = Date.now();

before(async () => {
  archive = await openTestArchive(() => now);
  const identifier = await archive.crawl('2026-11-15T03:00:00Z', [
    { url: HOME, body: '<script>alert(1)</script><title>Home</title>' },
  ]);
  path = `/packages/${SOURCE}/${identifier}`;
  app = createPackageApp(archive);
});
after(() => archive[Symbol.asyncDispose]());

test('a container and bags are downloads, never pages of this site', async () => {
  for (const [format, type, start] of [
    ['oai_didl', 'application/xml', '<?xml'],
    ['bag', 'application/x-tar', 'ISCCP_'],
    ['bag-zip', 'application/zip', 'PK'],
  ] as const) {
    const response = await app.request(`${path}?format=${format}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.equal(response.status, 200, format);
    assert.equal(response.headers.get('content-type'), type);
    assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="ISCCP_/);
    assert.match(response.headers.get('content-security-policy') ?? '', /sandbox|default-src 'none'/);
    assert.ok(bytes.toString('latin1', 0, 20).startsWith(start), format);
  }
  assert.deepEqual(
    (await readdir(archive.folder)).filter((name) => name.startsWith('.package-')),
    [],
    'nothing stays behind',
  );
});

test('the data of a URL comes with its length and digest', async () => {
  const query = new URLSearchParams({ url: HOME, at: '20261115030000000' });
  const response = await app.request(`${path}?${query}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal(response.headers.get('content-type'), 'application/gzip');
  assert.equal(response.headers.get('content-length'), String(bytes.length));
  const digest = createHash('sha256').update(bytes).digest('base64');
  assert.equal(response.headers.get('repr-digest'), `sha-256=:${digest}:`);
});

test('what cannot be given is told apart: no such item, capture, version or format', async () => {
  const status = async (target: string) => (await app.request(target)).status;
  assert.equal(await status('/packages/web/nothing'), 404);
  assert.equal(await status(`${path}?url=${encodeURIComponent(HOME)}`), 400);
  assert.equal(await status(`${path}?url=${encodeURIComponent(HOME)}&at=2026`), 400);
  assert.equal(await status(`${path}?url=http%3A%2F%2Fother.example%2F&at=20261115030000000`), 404);
  assert.equal(await status(`${path}?version=9`), 404);
  assert.equal(await status(`${path}?version=x`), 400);
  assert.equal(await status(`${path}?at=2001-01-01`), 404, 'it was not there then');
  assert.equal(await status(`${path}?at=2999-01-01`), 200);
  assert.equal(await status(`${path}?at=soon`), 400);
  assert.equal(await status(`${path}?format=rar`), 400);
  assert.equal(await status(`/packages/web/${encodeURIComponent(HOME)}?format=bag`), 400, 'no snapshot');
});

test('a version that was thinned out is gone: 410, with when it went and which are kept', async () => {
  const identifier = await archive.crawl('2026-11-01T03:00:00Z', [{ url: HOME, body: 'old' }], {
    series: 'OLD',
  });
  const ref = { source: SOURCE, identifier };
  for (const reason of ['a', 'b', 'c'])
    await withinRun(archive.store, (runId) =>
      modifySnapshot(archive, ref, runId, {
        type: 'recataloguing',
        agent: 'Ada',
        reason,
        catalogued: { subject: [reason] },
      }),
    );
  const thinnedAt = now;
  await withinRun(archive.store, (runId) => archive.store.items.thinVersions(ref, { versions: [2] }, runId));
  const query = new URLSearchParams({ url: HOME, at: '20261101030000000', version: '2' });
  const moment = new Date(thinnedAt).toISOString().slice(0, 19);
  for (const target of [`?${query}`, '?format=mets&version=2', '?format=oai_didl&version=2']) {
    const response = await app.request(`/packages/${SOURCE}/${identifier}${target}`, {
      headers: { accept: 'application/json' },
    });
    assert.equal(response.status, 410, target);
    const problem = (await response.json()) as { code: string; detail: string; kept: number[] };
    assert.equal(problem.code, 'version.thinned');
    assert.match(problem.detail, /^version 2 of "OLD:20261101T030000Z", of .+ was thinned out on /);
    assert.ok(problem.detail.includes(`thinned out on ${moment}Z; kept are 1 (`), problem.detail);
    assert.deepEqual(problem.kept, [1, 3, 4]);
  }
  const raw = await app.request(`/items/${SOURCE}/${identifier}?format=raw&version=2`);
  assert.equal(raw.status, 410);
  const page = await app.request(`/packages/${SOURCE}/${identifier}?version=2`, {
    headers: { accept: 'text/html' },
  });
  assert.equal(page.status, 410);
  const text = await page.text();
  assert.match(text, /<h1>That version is no longer kept<\/h1>/);
  assert.match(text, /ersion 2 of [^<]+ was thinned out on/);
  assert.ok(text.includes(`href="/versions/${SOURCE}/${identifier}"`));
  const answer = await app.request(`/api/versions/${SOURCE}/${identifier}`);
  const { versions } = (await answer.json()) as { versions: { thinnedAt?: string }[] };
  assert.equal(versions[1]?.thinnedAt, new Date(thinnedAt).toISOString());
});

test('the page of a snapshot offers its packages, its history tells why it is there', async () => {
  const page = await (await app.request(path.replace('/packages/', '/items/'))).text();
  for (const format of ['oai_didl', 'bag', 'bag-zip']) assert.ok(page.includes(`?format=${format}"`), format);
  assert.doesNotMatch(page, /asdc_crawl/, 'each package once');
  const versions = await (await app.request(path.replace('/packages/', '/versions/'))).text();
  assert.match(versions, /capture, creator-driven/);
  const links = [...versions.matchAll(/href="(\/packages\/[^"]*version=1)"/g)].map(([, link = '']) =>
    link.replaceAll('&amp;', '&'),
  );
  assert.equal(links.length, 3, 'DIDL, METS and MODS as they were');
  for (const link of links) assert.equal((await app.request(link)).status, 200, link);
});

test('the page of a snapshot tells what became of its addresses since the one before', async () => {
  const words = Array.from({ length: 100 }, (_, number) => `cloud${number}`).join(' ');
  const crawl = (at: string, bodies: Readonly<Record<string, string>>) =>
    archive.crawl(
      at,
      Object.entries(bodies).map(([name, body]) => ({ url: `http://example.net/${name}`, body })),
      { series: 'CLOUDS', comparing: { threshold: 0.9, fold: false } },
    );
  const before = await crawl('2027-01-01T00:00:00Z', { a: 'as it was', b: words, c: 'gone soon' });
  // What came in this very second is not listed yet.
  now += 5000;
  const later = await crawl('2027-02-01T00:00:00Z', { a: 'as it was', b: `${words} fog`, d: 'new' });
  const page = await (await app.request(`/items/${SOURCE}/${later}`)).text();
  assert.match(page, /Since the snapshot before/);
  assert.ok(page.includes(`href="/items/${SOURCE}/${before}"`));
  assert.match(page, /1 the same, byte by byte, 1 essentially unchanged, 1 new, 1 gone\./);
  assert.match(page, /example\.net\/b<\/a> <span class="muted">9\d % of its words in common/);
  const after = (heading: string) =>
    page.slice(page.indexOf(`<summary>${heading}</summary>`)).split('</details>')[0] ?? '';
  assert.match(after('New'), /<a href="[^"]+">http:\/\/example\.net\/d<\/a>/);
  assert.match(after('Gone'), /<a href="[^"]+">http:\/\/example\.net\/c<\/a>/);
  assert.doesNotMatch(page, /<summary>Changed/);
  assert.doesNotMatch(await (await app.request(`/items/${SOURCE}/${before}`)).text(), /Since the snapshot/);
});
