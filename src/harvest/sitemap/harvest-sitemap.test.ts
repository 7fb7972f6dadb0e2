import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Answer, type Keep, type Origin, openKeep, startOrigin } from '../remote/origin.fixture.ts';
import { harvestSitemap, type SitemapSource } from './harvest-sitemap.ts';

const NS = 'http://www.sitemaps.org/schemas/sitemap/0.9';
let origin: Origin;
let keep: Keep;
let pages: Map<string, string>;
let lastmod: Map<string, string>;
let maps: Map<string, () => Answer | string>;

const dataset = (name: string, more: object = {}) =>
  `<html><head><script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org/', '@type': 'Dataset', name, ...more })}</script></head></html>`;
const list = (paths: Iterable<string>) =>
  `<?xml version="1.0"?><urlset xmlns="${NS}">${Array.from(paths, (path) => `<url><loc>${origin.url}${path}</loc>${lastmod.has(path) ? `<lastmod>${lastmod.get(path)}</lastmod>` : ''}</url>`).join('')}</urlset>`;

beforeEach(async () => {
  keep = await openKeep();
  pages = new Map([
    [
      '/d/1',
      dataset('Tide gauges', {
        '@id': 'https://data.example/1',
        spatialCoverage: { '@type': 'Place', geo: { '@type': 'GeoShape', box: '50 -5 55 3' } },
        temporalCoverage: '1990/2001',
        keywords: ['tides', 'sea level'],
      }),
    ],
    [
      '/d/2',
      dataset('Currents', {
        creator: [{ '@type': 'Person', name: 'R. Ebb' }],
        license: { '@type': 'CreativeWork', url: 'https://licences.example/by' },
      }),
    ],
    ['/about', '<html>About us</html>'],
  ]);
  lastmod = new Map([
    ['/d/1', '2020-01-01'],
    ['/d/2', '2020-02-02T10:00:00+01:00'],
  ]);
  maps = new Map<string, () => Answer | string>([
    ['/robots.txt', () => `User-agent: *\nDisallow:\nSitemap: ${origin.url}/index.xml\n`],
    [
      '/index.xml',
      () =>
        `<sitemapindex xmlns="${NS}"><sitemap><loc>${origin.url}/a.xml.gz</loc></sitemap><sitemap><loc>${origin.url}/index.xml</loc></sitemap></sitemapindex>`,
    ],
    ['/a.xml.gz', () => ({ type: 'application/gzip', body: gzipSync(list(pages.keys())) })],
  ]);
  origin = await startOrigin((target) => maps.get(target)?.() ?? pages.get(target));
});
afterEach(async () => {
  await origin.close();
  await keep.close();
});

const harvest = (more: Partial<SitemapSource> = {}, full = false) =>
  harvestSitemap(
    { ...keep, client: origin.client },
    { name: 'there', url: `${origin.url}/robots.txt`, maxDeleteShare: 0.5, ...more },
    { full },
  );
const asked = (path: string) => origin.asked.filter((target) => target === `GET ${path}`).length;

test('pages of a packed list behind an index behind robots.txt become records with fields', async () => {
  const report = await harvest();
  assert.equal(report.status, 'complete');
  assert.deepEqual(await keep.identifiers(), [`${origin.url}/d/2`, 'https://data.example/1'].sort());
  const fields = await keep.fields('https://data.example/1');
  assert.deepEqual(fields.title, ['Tide gauges']);
  assert.deepEqual(fields.bbox, [{ west: -5, south: 50, east: 3, north: 55 }]);
  assert.deepEqual(fields.time, [{ start: '1990', end: '2001' }]);
  assert.deepEqual(fields.subject, ['tides', 'sea level']);
  const second = await keep.fields(`${origin.url}/d/2`);
  assert.deepEqual(second.creator, ['R. Ebb']);
  assert.deepEqual(second.rights, ['https://licences.example/by']);
});

test('a page is fetched again only when its list says that it changed', async () => {
  await harvest();
  pages.set('/d/2', dataset('Currents, second edition'));
  await harvest();
  assert.equal(asked('/d/1'), 1);
  assert.equal(asked('/d/2'), 1);
  lastmod.set('/d/2', '2021-01-01');
  const report = await harvest();
  assert.equal(report.counts.updated, 1);
  assert.equal(asked('/about'), 3, 'of which nothing is told');
  await harvest({}, true);
  assert.equal(asked('/d/1'), 2, 'asked for in full');
});

test('a page changed today is looked at again, since its day tells too little', async () => {
  lastmod.set('/d/1', new Date().toISOString().slice(0, 10));
  await harvest();
  await harvest();
  assert.equal(asked('/d/1'), 2);
});

test('a page that fails keeps its record; one that left the list or is gone for good loses it', async () => {
  pages.set('/d/3', dataset('Third'));
  pages.set('/d/4', dataset('Fourth'));
  await harvest();
  assert.equal((await keep.identifiers()).length, 4);
  pages.delete('/d/3');
  maps.set('/a.xml.gz', () => list(['/d/1', '/d/2', '/d/3', '/d/4']));
  const failing = await harvest({}, true);
  assert.equal(failing.status, 'incomplete');
  assert.equal((await keep.identifiers()).length, 4);
  maps.set('/a.xml.gz', () => list(['/d/1', '/d/2', '/d/4']));
  maps.set('/d/4', () => ({ status: 410, body: 'gone' }));
  assert.equal((await harvest({}, true)).status, 'complete');
  assert.equal((await keep.identifiers()).length, 2);
});

test('a list that is none, or is empty, deletes nothing', async () => {
  await harvest();
  maps.set('/a.xml.gz', () => '<html>Moved</html>');
  const moved = await harvest();
  assert.equal(moved.status, 'incomplete');
  maps.set('/a.xml.gz', () => list([]));
  const empty = await harvest();
  assert.equal(empty.code, 'source.empty');
  maps.set('/index.xml', () => '<html>Sign in</html>');
  await assert.rejects(harvest(), { code: 'source.answer' });
  assert.equal((await keep.identifiers()).length, 2);
});

test('pages can be chosen by their address', async () => {
  await harvest({ pages: '/d/1$' });
  assert.deepEqual(await keep.identifiers(), ['https://data.example/1']);
});

test('a page that lost its description keeps its record, and a description that is no JSON is told', async () => {
  pages.set('/d/3', dataset('Third'));
  await harvest();
  pages.set('/d/1', '<html><title>Sign in</title></html>');
  pages.set('/d/2', '<html><script type="application/ld+json">{"@type": "Dataset", </script></html>');
  const report = await harvest({}, true);
  assert.equal(report.status, 'incomplete');
  assert.equal((await keep.identifiers()).length, 3);
  const problems = await keep.store.runs.listProblems({ runId: report.runId, limit: 9 });
  assert.deepEqual(problems.map(({ code, where }) => `${code} ${where?.slice(-4)}`).toSorted(), [
    'json.malformed /d/2',
    'source.unreadable /d/1',
  ]);
});
