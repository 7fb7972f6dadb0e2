/** What a published folder gives out, and what it keeps to itself, over every way out that there is. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { itemPath } from '../src/core/identifiers.ts';
import { parseXml } from '../src/xml/engine.ts';
import { compileSchema } from '../src/xml/xsd.ts';
import { dead, type ExposedSite, exposeSite, live } from './expose-site.ts';

const SCHEMAS = fileURLToPath(new URL('../../shared/standards/xsd/', import.meta.url));

const HIDDEN = 'tresor/geheimakte.txt';
/** Of names and of contents; none of it may appear anywhere. */
const TRACES = /tresor|geheim|inhalt-4711|zutritt/i;

const SEEDS = [
  '/',
  '/search',
  '/search?q=akte',
  '/search?q=source:site',
  '/help',
  '/runs',
  '/repository',
  '/robots.txt',
  '/sitemap.xml',
  '/opensearch.xml',
  '/health',
  '/metrics',
  '/sources/site',
  '/feeds/search?q=*',
  '/api/openapi.json',
  '/api/search?q=*&facets=mediaType,set',
  '/api/search?q=akte',
  '/api/suggest?q=g',
  '/api/suggest?q=t',
  '/api/sources',
  '/api/views',
  '/api/runs',
  '/api/runs/1',
  '/api/runs/1/problems',
  '/ogc/collections',
  '/.well-known/resourcesync',
  '/resourcesync',
  ...['', '&gathered=true', '&exact=true'].map((more) => `/prof?q=TITLE+ISNOT+NULL${more}`),
  '/prof?q=NOT+TITLE+%3D+x',
  '/prof?gathered=servers',
  ...[
    '',
    '&mime=application/zip',
    '&mime=text/xml;format=oodt_profile',
    '&mime=application/json;format=oai_dc',
  ].map((more) => `/prod?q=TITLE+ISNOT+NULL${more}`),
  '/prod?q=NOT+TITLE+%3D+x&mime=application/zip&mime=text/xml;format=oodt_profile',
  '/prod?q=OFSN%3D/tresor/geheimakte.txt+AND+RT%3DRAW',
  '/oai?verb=Identify',
  '/oai?verb=ListSets',
  '/oai?verb=ListMetadataFormats',
  ...['/oai', '/oai/site'].flatMap((base) =>
    ['oai_dc', 'http_header', 'oai_didl'].flatMap((prefix) => [
      `${base}?verb=ListRecords&metadataPrefix=${prefix}`,
      `${base}?verb=ListIdentifiers&metadataPrefix=${prefix}`,
    ]),
  ),
];

/** Follows every link of our own that an answer has. */
async function walkOutputs(
  site: ExposedSite,
  check: (path: string, text: string) => void,
): Promise<string[]> {
  const queue = [...SEEDS];
  const seen = new Set(queue);
  for (let path = queue.shift(); path !== undefined && seen.size < 400; path = queue.shift()) {
    const { text, headers } = await site.get(path);
    check(path, `${text}\n${JSON.stringify([...headers])}`);
    const links = [
      ...text.matchAll(
        /(?:href|action|src)=["']([^"']+)["']|<loc>([^<]+)<|"(\/[^"\s]*|http:[^"\s]+)"|<resumptionToken[^>]*>([^<]+)</g,
      ),
    ];
    for (const [, attribute, loc, json, token] of links) {
      const target =
        token === undefined
          ? (attribute ?? loc ?? json ?? '')
          : `/oai?verb=ListRecords&resumptionToken=${token}`;
      const url = URL.parse(target.replaceAll('&amp;', '&'), new URL(path, site.url).href);
      if (!url || url.origin !== site.url || /\/(?:login|logout)|\{/.test(url.pathname)) continue;
      const next = url.pathname + url.search;
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push(next);
    }
  }
  return [...seen];
}

test('no output of any kind tells of files that the web server would refuse', async () => {
  await using site = await exposeSite({
    'index.html': '<!DOCTYPE html><title>Start</title>',
    'public/akte.txt': 'an open file',
    [HIDDEN]: 'inhalt-4711',
    'tresor/index.html': '<title>Geheimer Zutritt</title>',
    // An unknown directive beside a rule: reported, but not to everybody.
    'tresor/.htaccess': 'Require ip 203.0.113.0/24\nZutrittsModul on',
    'public/.htaccess': '<Files "geheim*">\nRequire all denied\n</Files>',
    'public/geheim.txt': 'inhalt-4711',
  });
  const report = await site.site.scan();
  assert.equal(report.denied, 3);
  await site.until('the scan', (all) => all.length === 2);
  const asked = await walkOutputs(site, (path, text) => assert.doesNotMatch(text, TRACES, path));
  assert.ok(asked.length > SEEDS.length + 10, `only ${asked.length} addresses were found`);
  const items = asked.filter((path) => path.startsWith('/items/'));
  assert.ok(items.length >= 2, items.join(' '));

  for (const name of [HIDDEN, 'tresor/', 'public/geheim.txt']) {
    const identifier = `https://www.foo.edu/${name}`;
    const missing = 'https://www.foo.edu/never/was.txt';
    for (const make of [
      (id: string) => itemPath('site', id),
      (id: string) => itemPath('site', id, '/versions/'),
      (id: string) => itemPath('site', id, '/api/items/'),
      (id: string) => `${itemPath('site', id)}?format=http_header`,
      (id: string) => `${itemPath('site', id)}?format=oai_didl`,
      (id: string) => `/oai?verb=ListMetadataFormats&identifier=${encodeURIComponent(id)}`,
      ...['/prof?', '/prod?', '/prod?mime=application/zip&', '/prod?mime=text/xml;format=oai_dc&'].map(
        (base) => (id: string) => `${base}q=${encodeURIComponent(`IDENTIFIER = "${id}"`)}`,
      ),
      ...['oai_dc', 'http_header', 'oai_didl'].map(
        (prefix) => (id: string) =>
          `/oai?verb=GetRecord&metadataPrefix=${prefix}&identifier=${encodeURIComponent(id)}`,
      ),
    ]) {
      const hidden = await site.get(make(identifier));
      const never = await site.get(make(missing));
      assert.equal(hidden.status, never.status);
      const plain = (text: string, id: string) =>
        text
          .replaceAll(id, 'ID')
          .replaceAll(itemPath('site', id).slice('/items/site/'.length), 'ID')
          .replace(/<responseDate>.*?</, '<');
      assert.equal(plain(hidden.text, identifier), plain(never.text, missing));
    }
  }
  const problems = await site.garner.store.runs.listProblems({ limit: 10 });
  assert.ok(
    problems.some(({ code, line }) => code === 'access.unclear' && line === 2),
    'keepers are told',
  );
});

test('a denial that is newer than the last scan keeps the bytes back at once', async () => {
  await using site = await exposeSite({ 'd/a.txt': 'inhalt-4711' });
  await site.site.scan();
  await site.until('the scan', (all) => all.length === 1);
  const didl = async () => (await site.get('/oai?verb=ListRecords&metadataPrefix=oai_didl')).text;
  const bytes = Buffer.from('inhalt-4711').toString('base64');
  assert.match(await didl(), new RegExp(bytes));
  await site.write('d/.htaccess', 'Require all denied');
  assert.doesNotMatch(await didl(), new RegExp(bytes));
});

test('bytes that have changed since the last scan are not sent under the old digest', async () => {
  await using site = await exposeSite({ 'a.txt': 'first' });
  await site.site.scan();
  await site.until('the scan', (all) => all.length === 1);
  await site.write('a.txt', 'second');
  const { text } = await site.get('/oai?verb=ListRecords&metadataPrefix=oai_didl');
  assert.doesNotMatch(text, /encoding="base64"/);
  assert.match(text, /<didl:Resource mimeType="text\/plain" ref="https:\/\/www\.foo\.edu\/a\.txt"\/>/);
});

test('files above the limit go by reference, all go as the source says', async () => {
  await using both = await exposeSite(
    { 'big.txt': 'x'.repeat(200), 'small.txt': 'y' },
    { maxValueBytes: 100 },
  );
  await both.site.scan();
  await both.until('the scan', (all) => all.length === 2);
  const { text } = await both.get('/oai?verb=ListRecords&metadataPrefix=oai_didl');
  assert.equal(text.match(/encoding="base64"/g)?.length, 1);
  assert.equal(text.match(/ ref="/g)?.length, 2);
  await using value = await exposeSite({ 'small.txt': 'y' }, { delivery: 'value' });
  await value.site.scan();
  await value.until('the scan', (all) => all.length === 1);
  const alone = await value.get('/oai?verb=ListRecords&metadataPrefix=oai_didl');
  assert.match(alone.text, /encoding="base64">eQ==</);
  assert.doesNotMatch(alone.text, / ref="/);
});

test('answers in all three formats are valid (http_header and DII against reconstructed schemas)', async (t) => {
  if (!existsSync(SCHEMAS)) return t.skip('no schema collection beside the project');
  await using site = await exposeSite({
    'index.html': '<title>A &lt; B</title>',
    'b ü.txt': 'b',
    'gone.txt': 'g',
  });
  await site.site.scan();
  await site.until('the scan', (all) => all.length === 3);
  using schema = compileSchema(join(SCHEMAS, 'drivers/oai-all.xsd'), { root: SCHEMAS });
  for (const prefix of ['oai_dc', 'http_header', 'oai_didl']) {
    for (const query of [
      `verb=ListRecords&metadataPrefix=${prefix}`,
      `verb=GetRecord&identifier=https://www.foo.edu/&metadataPrefix=${prefix}`,
    ]) {
      const { text } = await site.get(`/oai?${query}`);
      using document = parseXml(Buffer.from(text));
      assert.deepEqual(schema.validate(document), [], query);
    }
  }
  const { text } = await site.get('/oai?verb=ListMetadataFormats&identifier=https://www.foo.edu/');
  assert.deepEqual(
    [...text.matchAll(/<metadataPrefix>(.*?)</g)].map(([, prefix]) => prefix),
    ['oai_dc', 'http_header', 'oai_didl'],
  );
});

test('whoever shows a password of the web server sees what it opens to him, nobody else does', async () => {
  await using site = await exposeSite({ 'a.txt': 'a', 'members/m.txt': 'm', 'anna/x.txt': 'x' });
  const passwords = join(site.top, 'passwords');
  // `offene Tür` as SHA-1, and a kind of hash that is not supported.
  await writeFile(
    passwords,
    'anna:{SHA}wJ9Ro2YSwmTR2Eg2ZJBroMsqtko=\nbert:{SHA}wJ9Ro2YSwmTR2Eg2ZJBroMsqtko=\ncarl:$2y$05$abc\n',
  );
  const basic = `AuthType Basic\nAuthName x\nAuthUserFile ${passwords}\n`;
  await site.write('members/.htaccess', `${basic}Require valid-user`);
  await site.write('anna/.htaccess', `${basic}Require user anna`);
  await site.site.scan();
  await site.until('the scan', (all) => all.length === 1);
  const as = (user: string, password: string) => ({
    authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  });
  assert.deepEqual(live(await site.headers('', as('anna', 'offene Tür'))), [
    '/a.txt',
    '/anna/x.txt',
    '/members/m.txt',
  ]);
  assert.deepEqual(live(await site.headers('', as('bert', 'offene Tür'))), ['/a.txt', '/members/m.txt']);
  assert.deepEqual(live(await site.headers()), ['/a.txt']);
  assert.deepEqual(dead(await site.headers()), []);
  assert.equal((await site.get('/oai?verb=Identify', as('anna', 'falsch'))).status, 401);
});

interface Page {
  readonly body: string | Uint8Array;
  readonly headers?: Record<string, string>;
  readonly status?: number;
}

async function startSite(pages: Map<string, Page>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const page = pages.get(request.url ?? '');
    response.writeHead(page?.status ?? (page ? 200 : 404), page?.headers ?? {});
    response.end(request.method === 'HEAD' ? undefined : page?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('headers come from the live site when it answers, without cookies and hops, else they are computed', async () => {
  const pages = new Map<string, Page>();
  await using origin = await startSite(pages);
  pages.set('/a.txt', {
    body: 'a',
    headers: { 'x-generator': 'Foo', 'set-cookie': 's=1', etag: '"77"', 'content-type': 'text/plain' },
  });
  pages.set('/b.txt', { body: 'b', status: 500, headers: { 'x-generator': 'Foo' } });
  await using site = await exposeSite(
    { 'a.txt': 'a', 'b.txt': 'b' },
    { url: origin.url, liveHeaders: true, allowPrivate: true },
  );
  await site.site.scan();
  await site.until('the scan', (all) => all.length === 2);
  const headersOf = async (name: string) =>
    (await site.get(`/oai?verb=GetRecord&metadataPrefix=http_header&identifier=${origin.url}${name}`)).text;
  const a = await headersOf('a.txt');
  assert.match(a, /<http:x-generator>Foo<.*<http:etag>"77"<.*<http:X-Header-Origin>live</s);
  assert.doesNotMatch(a, /cookie|connection|keep-alive/i);
  assert.match(await headersOf('b.txt'), /<http:Content-Length>1<.*<http:X-Header-Origin>computed</);
  assert.ok(origin.asked.includes('HEAD /a.txt'));

  await using guarded = await exposeSite({ 'a.txt': 'a' }, { url: origin.url, liveHeaders: true });
  await guarded.site.scan();
  await guarded.until('the scan', (all) => all.length === 1);
  const before = origin.asked.length;
  const { text } = await guarded.get('/oai?verb=ListRecords&metadataPrefix=http_header');
  assert.match(text, /computed/);
  assert.equal(origin.asked.length, before, 'a private address is not asked unless allowed');
});

test('pages of a sitemap are fetched and published like files', async () => {
  const pages = new Map<string, Page>();
  await using origin = await startSite(pages);
  const urlset = (...urls: readonly (readonly [string, string?])[]) =>
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map(([url, date]) => `<url><loc>${origin.url}${url}</loc>${date ? `<lastmod>${date}</lastmod>` : ''}</url>`).join('')}</urlset>`;
  const html = { 'content-type': 'text/html; charset=utf-8' };
  pages.set('/sitemap.xml', {
    body: `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${origin.url}pages.xml.gz</loc></sitemap><sitemap><loc>http://elsewhere.example/s.xml</loc></sitemap></sitemapindex>`,
  });
  const list = (...urls: readonly (readonly [string, string?])[]) =>
    pages.set('/pages.xml.gz', { body: gzipSync(urlset(...urls)) });
  list(['p?id=1', '2024-05-06'], ['p?id=2'], ['x.php'], ['file.txt'], ['private/q'], ['gone'], ['broken']);
  pages.set('/p?id=1', { body: '<title>One</title>', headers: html });
  pages.set('/p?id=2', { body: '<title>Two</title>', headers: html });
  pages.set('/x.php', { body: '<title>Made by a program</title>', headers: html });
  pages.set('/private/q', { body: 'secret', headers: html });
  pages.set('/broken', { body: '', status: 503 });
  await using site = await exposeSite(
    { 'file.txt': 'static', 'x.php': '<?php secret', 'private/.htaccess': 'Require all denied' },
    { url: origin.url, sitemaps: [`${origin.url}sitemap.xml`], allowPrivate: true },
  );
  const report = await site.site.scan();
  assert.equal(report.status, 'incomplete', 'one page was broken');
  const urls = (names: readonly string[]) => names.map((name) => origin.url + name).toSorted();
  const found = await site.until('the scan', (all) => live(all).length === 4);
  assert.deepEqual(live(found), urls(['file.txt', 'p?id=1', 'p?id=2', 'x.php']));
  assert.equal(
    found.find(({ identifier }) => identifier.endsWith('id=1'))?.sets.includes('mime:text:html'),
    true,
  );
  const didl = (
    await site.get(
      `/oai?verb=GetRecord&metadataPrefix=oai_didl&identifier=${encodeURIComponent(`${origin.url}x.php`)}`,
    )
  ).text;
  assert.match(didl, new RegExp(Buffer.from('<title>Made by a program</title>').toString('base64')));
  assert.match(didl, /<dc:title>Made by a program</);

  pages.delete('/broken');
  list(['p?id=1', '2024-05-06'], ['x.php']);
  const askedBefore = origin.asked.filter((line) => line === 'GET /p?id=1').length;
  await site.site.scan();
  const later = await site.until('the deletion', (all) => dead(all).length === 1);
  assert.deepEqual(dead(later), urls(['p?id=2']));
  assert.equal(
    origin.asked.filter((line) => line === 'GET /p?id=1').length,
    askedBefore,
    'an unchanged date is not fetched',
  );
  list();
  assert.match((await site.site.scan()).message ?? '', /nothing was deleted/);
});

test('the page of a file leads to its headers and its package, the same as by OAI-PMH', async () => {
  await using site = await exposeSite({ 'a.txt': 'an open file' });
  await site.site.scan();
  await site.until('the scan', (all) => all.length === 1);
  const path = itemPath('site', 'https://www.foo.edu/a.txt');
  const page = await site.get(path, { accept: 'text/html' });
  for (const format of ['http_header', 'oai_didl']) {
    assert.ok(page.text.includes(`href="${path}?format=${format}"`), format);
    const { status, text, headers } = await site.get(`${path}?format=${format}`);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/xml; charset=utf-8');
    assert.match(headers.get('content-security-policy') ?? '', /^sandbox/);
    const { text: record } = await site.get(
      `/oai?verb=GetRecord&metadataPrefix=${format}&identifier=https://www.foo.edu/a.txt`,
    );
    const [, metadata] = /<metadata>([\s\S]*)<\/metadata>/.exec(record) ?? [];
    const undated = (xml: string | undefined) => xml?.replace(/\d\d:\d\d:\d\d(?:\.\d+)?/g, 'TIME');
    assert.equal(undated(text), undated(`<?xml version="1.0" encoding="UTF-8"?>\n${metadata}`));
  }
  const other = await site.get(`${path}?format=mets`, { accept: 'application/json' });
  assert.equal(other.status, 400, 'a form that files have not');
});
