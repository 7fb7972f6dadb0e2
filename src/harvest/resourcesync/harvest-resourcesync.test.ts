import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import { writeZip } from '../files/archives.fixture.ts';
import { dublinCore, type Keep, type Origin, openKeep, startOrigin } from '../remote/origin.fixture.ts';
import { harvestResourceSync } from './harvest-resourcesync.ts';

const NS =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
let origin: Origin;
let keep: Keep;
let files: Map<string, string>;
let listed: { path: string; at: string; hash?: string; type?: string }[];
let changes: { path: string; change: string; at: string }[];
let changesFrom: string;
let madeAt: string;
let packages: Map<string, Uint8Array | string>;

const urlset = (about: string, entries: readonly string[]) =>
  `<?xml version="1.0"?><urlset ${NS}><rs:ln rel="up" href="/x"/><rs:md ${about}/>${entries.join('')}</urlset>`;
const capability = (name: string, path: string) =>
  `<url><loc>${origin.url}${path}</loc><rs:md capability="${name}"/></url>`;
const documents: Record<string, () => string> = {
  '/.well-known/resourcesync': () =>
    urlset('capability="description"', [capability('capabilitylist', '/cap.xml')]),
  '/cap.xml': () =>
    urlset('capability="capabilitylist"', [
      capability('resourcelist', '/res.xml'),
      capability('changelist', '/chg.xml'),
      capability('resourcedump', '/dump.xml'),
    ]),
  '/res.xml': () =>
    `<sitemapindex ${NS}><rs:md capability="resourcelist" at="${madeAt}"/><sitemap><loc>${origin.url}/res1.xml</loc></sitemap></sitemapindex>`,
  '/res1.xml': () =>
    urlset(
      `capability="resourcelist" at="${madeAt}"`,
      listed.map(
        ({ path, at, hash: digest, type }) =>
          `<url><loc>${origin.url}${path}</loc><lastmod>${at}</lastmod><rs:md ${digest ? `hash="${digest}"` : ''} ${type ? `type="${type}"` : ''}/></url>`,
      ),
    ),
  '/chg.xml': () =>
    urlset(
      `capability="changelist" from="${changesFrom}"`,
      changes.map(
        ({ path, change, at }) =>
          `<url><loc>${origin.url}${path}</loc><rs:md change="${change}" datetime="${at}"/></url>`,
      ),
    ),
};

beforeEach(async () => {
  keep = await openKeep();
  files = new Map(['a', 'b', 'c'].map((id) => [`/r/${id}.xml`, dublinCore(id, `Resource ${id}`)]));
  files.set('/r/picture.jpg', 'no record');
  madeAt = '2026-01-10T00:00:00Z';
  changesFrom = '2026-01-01T00:00:00Z';
  changes = [];
  const sum = (path: string) => hash('md5', files.get(path) ?? '');
  listed = [
    {
      path: '/r/a.xml',
      at: '2026-01-01T00:00:00Z',
      hash: `md5:${sum('/r/a.xml')} sha-256:${hash('sha256', files.get('/r/a.xml') ?? '')}`,
    },
    { path: '/r/b.xml', at: '2026-01-02T00:00:00Z', hash: `md5:${sum('/r/b.xml')}` },
    { path: '/r/c.xml', at: '2026-01-03T00:00:00Z' },
    { path: '/r/picture.jpg', at: '2026-01-03T00:00:00Z', type: 'image/jpeg' },
  ];
  packages = new Map();
  origin = await startOrigin((target) => {
    const body = documents[target]?.() ?? files.get(target) ?? packages.get(target);
    return body === undefined ? undefined : { body };
  });
});
afterEach(async () => {
  await origin.close();
  await keep.close();
});

const harvest = (full = false) =>
  harvestResourceSync(
    { ...keep, client: origin.client },
    { name: 'there', url: `${origin.url}/`, maxDeleteShare: 0.5 },
    { full },
  );
const asked = (path: string) => origin.asked.filter((target) => target === `GET ${path}`).length;

test('the first run takes all resources that can be records', async () => {
  const report = await harvest();
  assert.equal(report.status, 'complete', report.message);
  assert.deepEqual(await keep.identifiers(), ['a', 'b', 'c']);
  assert.equal(asked('/r/picture.jpg'), 0);
});

test('later runs read what the change list tells, and only that', async () => {
  await harvest();
  files.set('/r/b.xml', dublinCore('b', 'Resource b, revised'));
  files.set('/r/d.xml', dublinCore('d', 'New'));
  changes = [
    { path: '/r/d.xml', change: 'created', at: '2026-01-11T00:00:00Z' },
    { path: '/r/c.xml', change: 'updated', at: '2026-01-12T00:00:00Z' },
    { path: '/r/b.xml', change: 'updated', at: '2026-01-13T00:00:00Z' },
    { path: '/r/c.xml', change: 'deleted', at: '2026-01-14T00:00:00Z' },
  ];
  const report = await harvest();
  assert.equal(report.status, 'complete', report.message);
  assert.deepEqual(await keep.identifiers(), ['a', 'b', 'd']);
  assert.deepEqual((await keep.fields('b')).title, ['Resource b, revised']);
  assert.equal(asked('/r/a.xml'), 1);
  assert.equal(asked('/r/c.xml'), 1, 'the last of two changes counts');
  assert.equal(asked('/res1.xml'), 1);
  const quiet = await harvest();
  assert.deepEqual([quiet.counts.added, quiet.counts.updated, quiet.counts.deleted], [0, 0, 0]);
  assert.deepEqual(await keep.identifiers(), ['a', 'b', 'd']);
});

test('a changed resource that could not be read is asked for again by the next run', async () => {
  await harvest();
  changes = [{ path: '/r/late.xml', change: 'created', at: '2026-01-11T00:00:00Z' }];
  assert.equal((await harvest()).status, 'incomplete');
  files.set('/r/late.xml', '<open>');
  const broken = await harvest();
  assert.deepEqual([broken.status, broken.code], ['incomplete', 'source.losses']);
  files.set('/r/late.xml', dublinCore('late', 'Late'));
  assert.equal((await harvest()).status, 'complete');
  assert.deepEqual(await keep.identifiers(), ['a', 'b', 'c', 'late']);
});

test('a changed resource that is accepted as missing lets the next run begin later', async () => {
  await harvest();
  files.set('/r/late.xml', '<open>');
  changes = [{ path: '/r/late.xml', change: 'created', at: '2026-01-11T00:00:00Z' }];
  for (const _ of [1, 2]) assert.equal((await harvest()).status, 'incomplete');
  const before = asked('/r/late.xml');
  assert.equal(await keep.store.runs.acceptLosses('there', 'all'), 1);
  assert.equal((await harvest()).status, 'complete');
  changes = [...changes, { path: '/r/d.xml', change: 'created', at: '2026-01-12T00:00:00Z' }];
  files.set('/r/d.xml', dublinCore('d', 'New'));
  assert.equal((await harvest()).status, 'complete');
  assert.equal(
    (await keep.store.runs.countLosses('there')).accepted,
    1,
    'no list of changes tells of it again',
  );
  files.set('/r/late.xml', dublinCore('late', 'Late'));
  changes = [...changes, { path: '/r/late.xml', change: 'updated', at: '2026-01-13T00:00:00Z' }];
  assert.equal((await harvest()).status, 'complete');
  assert.deepEqual(await keep.identifiers(), ['a', 'b', 'c', 'd', 'late']);
  assert.ok(asked('/r/late.xml') <= before + 3);
  assert.equal((await keep.store.runs.countLosses('there')).accepted, 0);
});

test('a change list that does not reach back to the last run leads to a comparison of everything', async () => {
  await harvest();
  changesFrom = '2026-03-01T00:00:00Z';
  madeAt = '2026-03-02T00:00:00Z';
  listed = listed.filter(({ path }) => path !== '/r/c.xml');
  const report = await harvest();
  assert.equal(report.status, 'complete', report.message);
  assert.deepEqual(await keep.identifiers(), ['a', 'b']);
  assert.equal(asked('/r/a.xml'), 1, 'its digest is as it was');
  assert.equal(asked('/r/b.xml'), 1, 'its time is as it was');
});

test('bytes that are not the announced ones are a problem, and what is stored stays', async () => {
  await harvest();
  files.set('/r/b.xml', dublinCore('b', 'Tampered'));
  const report = await harvest(true);
  assert.equal(report.status, 'incomplete');
  const problems = await keep.store.runs.listProblems({ runId: report.runId, limit: 5 });
  assert.deepEqual(
    problems.map(({ code, where }) => [code, where]),
    [['source.checksum', `${origin.url}/r/b.xml`]],
  );
  assert.deepEqual((await keep.fields('b')).title, ['Resource b']);
});

test('many deletions at once are held back until they are forced', async () => {
  for (let i = 0; i < 12; i++) {
    files.set(`/r/x${i}.xml`, dublinCore(`x${i}`, 'One of many'));
    listed.push({ path: `/r/x${i}.xml`, at: '2026-01-03T00:00:00Z' });
  }
  await harvest();
  changes = Array.from({ length: 12 }, (_, i) => ({
    path: `/r/x${i}.xml`,
    change: 'deleted',
    at: '2026-01-14T00:00:00Z',
  }));
  const held = await harvest();
  assert.equal(held.code, 'source.shrink');
  assert.equal((await keep.identifiers()).length, 15);
  await harvestResourceSync(
    { ...keep, client: origin.client },
    { name: 'there', url: origin.url, maxDeleteShare: 0.5 },
    { force: true },
  );
  assert.deepEqual(await keep.identifiers(), ['a', 'b', 'c']);
});

test('an address without such lists fails', async () => {
  await assert.rejects(
    harvestResourceSync(
      { ...keep, client: origin.client },
      { name: 'there', url: `${origin.url}/r/a.xml`, maxDeleteShare: 0.5 },
    ),
    { code: 'source.answer' },
  );
});

const entry = (path: string, about: string) => `<url><loc>${origin.url}${path}</loc><rs:md ${about}/></url>`;

const dump = (capabilities: string, ...paths: string[]) =>
  urlset(
    capabilities,
    paths.map((path) =>
      entry(path, `type="application/zip" hash="sha-256:${hash('sha256', packages.get(path) ?? '')}"`),
    ),
  );

test('the first run takes packages where there are some, and checks every file in them', async () => {
  const broken = dublinCore('b', 'Changed on the way');
  packages.set(
    '/1.zip',
    writeZip([
      { name: 'x/1', content: files.get('/r/a.xml') ?? '' },
      { name: 'x/2', content: broken },
      { name: 'x/picture', content: 'no record' },
      {
        name: 'manifest.xml',
        content: urlset(`capability="resourcedump-manifest" at="${madeAt}"`, [
          entry('/r/a.xml', `path="/x/1" hash="sha-256:${hash('sha256', files.get('/r/a.xml') ?? '')}"`),
          entry('/r/b.xml', `path="/x/2" hash="md5:${hash('md5', files.get('/r/b.xml') ?? '')}"`),
          entry('/r/picture.jpg', 'path="/x/picture" type="image/jpeg"'),
          entry('/r/lost.xml', 'path="/x/4"'),
        ]),
      },
    ]),
  );
  packages.set('/2.zip', 'no zip at all');
  packages.set('/dump.xml', dump(`capability="resourcedump" at="${madeAt}"`, '/1.zip', '/2.zip'));
  const report = await harvest();
  assert.equal(report.status, 'incomplete');
  assert.deepEqual(await keep.identifiers(), ['a']);
  const problems = await keep.store.runs.listProblems({ runId: report.runId, limit: 5 });
  assert.deepEqual(
    problems.map(({ code, where }) => [code, where?.slice(origin.url.length)]),
    [
      ['source.checksum', '/1.zip!x/2'],
      ['source.unreadable', '/1.zip'],
      ['source.answer', '/2.zip'],
    ],
  );
  assert.equal(asked('/r/a.xml'), 0);
});

test('after whole packages, change dumps are enough', async () => {
  const manifest = (entries: string[]) => ({ name: 'manifest.xml', content: urlset('', entries) });
  packages.set(
    '/1.zip',
    writeZip([
      manifest([entry('/r/a.xml', 'path="/a"'), entry('/r/b.xml', 'path="/b"')]),
      { name: 'a', content: files.get('/r/a.xml') ?? '' },
      { name: 'b', content: files.get('/r/b.xml') ?? '' },
    ]),
  );
  packages.set(
    '/2.zip',
    writeZip([
      manifest([
        entry('/r/a.xml', 'change="deleted"'),
        entry('/r/b.xml', 'change="updated" path="/b"'),
        entry('/r/n.xml', 'change="created" path="/n"'),
      ]),
      { name: 'b', content: dublinCore('b', 'Revised') },
      { name: 'n', content: dublinCore('n', 'New') },
    ]),
  );
  packages.set('/dump.xml', dump(`capability="resourcedump" at="${madeAt}"`, '/1.zip'));
  packages.set(
    '/changes.xml',
    dump(`capability="changedump" from="2026-01-02T00:00:00Z" until="2026-01-20T00:00:00Z"`, '/2.zip'),
  );
  packages.set(
    '/only-dumps.xml',
    urlset('capability="capabilitylist"', [
      capability('resourcedump', '/dump.xml'),
      capability('changedump', '/changes.xml'),
    ]),
  );
  const take = () =>
    harvestResourceSync(
      { ...keep, client: origin.client },
      { name: 'there', url: `${origin.url}/only-dumps.xml`, maxDeleteShare: 0.5 },
    );
  assert.equal((await take()).status, 'complete');
  assert.deepEqual(await keep.identifiers(), ['a', 'b']);
  const second = await take();
  assert.equal(second.status, 'complete', second.message);
  assert.deepEqual(await keep.identifiers(), ['b', 'n']);
  assert.deepEqual((await keep.fields('b')).title, ['Revised']);
  assert.equal(asked('/1.zip'), 1);
});

test('a site with several sets of resources asks for a choice, and takes nothing', async () => {
  packages.set(
    '/two.xml',
    urlset('capability="description"', [
      capability('capabilitylist', '/cap.xml'),
      capability('capabilitylist', '/other.xml'),
    ]),
  );
  await assert.rejects(
    harvestResourceSync(
      { ...keep, client: origin.client },
      { name: 'there', url: `${origin.url}/two.xml`, maxDeleteShare: 0.5 },
    ),
    (error: { code?: string; message?: string }) =>
      error.code === 'source.choice' && error.message?.includes(`${origin.url}/other.xml`) === true,
  );
  assert.deepEqual(await keep.identifiers(), []);
});
