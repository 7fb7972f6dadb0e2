import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type ArchiveRecord, readArchive } from '../archive/index.ts';
import { archiveFolder } from '../archive/items/index.ts';
import { OPERATOR } from '../core/access.ts';
import { crawlSchema } from '../core/crawl-schema.ts';
import type { GarnerStore, StoredCapture } from '../store/index.ts';
import { type CrawlReport, crawlSource } from './crawl-source.ts';
import { findCrawlProgress } from './progress.ts';
import { completeSettings } from './settings.ts';
import { anchors, openCrawlStore, type Site, type SiteHandler, sendHtml, serveSite } from './site.fixture.ts';

const FAST = { allowPrivate: true, delayMs: 0, perHost: 8, concurrency: 16, attempts: 3, backoffMs: 10 };

interface Bench {
  readonly site: Site;
  readonly store: GarnerStore;
  readonly folder: string;
  crawl(seeds: readonly string[], crawl?: object): Promise<CrawlReport>;
  /** `host/path`, sorted, of everything captured. */
  captured(): Promise<string[]>;
  captures(): Promise<readonly StoredCapture[]>;
  records(): Promise<ArchiveRecord[]>;
}

async function openBench(t: TestContext, handler: SiteHandler): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'garner-crawl-'));
  const site = await serveSite(handler);
  const store = await openCrawlStore(t, folder, site);
  const captures = () => store.captures.list({ urlKey: '', match: 'prefix', limit: 10_000 }, OPERATOR);
  return {
    site,
    store,
    folder,
    captures,
    crawl: (seeds, crawl = {}) =>
      crawlSource(
        { store, folder, resolveHost: site.resolveHost },
        'web',
        seeds,
        completeSettings(crawlSchema.parse({ ...FAST, ...crawl }), {
          baseUrl: 'https://garner.example',
          adminEmail: 'a@garner.example',
        }),
      ),
    captured: async () =>
      [
        ...new Set(
          (await captures()).map(({ url }) => url.replace('http://', '').replace(`:${site.port}`, '')),
        ),
      ].sort(),
    records: async () => {
      const records: ArchiveRecord[] = [];
      for (const name of readdirSync(archiveFolder(folder, 'web')).sort())
        for await (const event of readArchive(join(archiveFolder(folder, 'web'), name), { verify: true })) {
          assert.equal(event.kind, 'record', JSON.stringify(event));
          if (event.kind !== 'record') continue;
          for (const verdict of event.verdicts ?? []) assert.notEqual(verdict.result, 'wrong', name);
          records.push(event);
        }
      return records;
    },
  };
}

test('a page is captured with its requisites from everywhere, a redirect as a capture of its own', async (t) => {
  const bench = await openBench(t, (request, response, host) => {
    const path = `${host}${request.url}`;
    const css = (body: string) => response.writeHead(200, { 'content-type': 'text/css' }).end(body);
    if (request.url === '/robots.txt') response.writeHead(404).end();
    else if (path === 'a.test/') response.writeHead(301, { location: '/home' }).end();
    else if (path === 'a.test/home')
      sendHtml(
        response,
        `<link rel=stylesheet href=http://cdn.test:${bench.site.port}/s.css><img srcset="/1.png 1x, /2.png 2x">
         <script src=/x.js></script><video src=/v.mp4 poster=/v.jpg></video><iframe src=/frame></iframe>${anchors('/other')}`,
      );
    else if (path === 'a.test/frame') sendHtml(response, `<img src=/in-frame.png>${anchors('/from-frame')}`);
    else if (path === 'cdn.test/s.css') css('@import "t.css"; @font-face { src: url(f.woff2) }');
    else if (path === 'cdn.test/t.css') css('body { background: url(/bg.png) }');
    else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(path);
  });
  const report = await bench.crawl([bench.site.url('a.test', '/')], { scope: 'page' });
  assert.equal(report.status, 'complete');
  assert.deepEqual(
    await bench.captured(),
    [
      'a.test/',
      'a.test/1.png',
      'a.test/2.png',
      'a.test/frame',
      'a.test/home',
      'a.test/in-frame.png',
      'a.test/robots.txt',
      'a.test/v.jpg',
      'a.test/v.mp4',
      'a.test/x.js',
      'cdn.test/bg.png',
      'cdn.test/f.woff2',
      'cdn.test/robots.txt',
      'cdn.test/s.css',
      'cdn.test/t.css',
    ].sort(),
  );
  const redirect = (await bench.captures()).find(({ status }) => status === 301);
  assert.equal(redirect?.redirect, bench.site.url('a.test', '/home'));
  const records = await bench.records();
  const count = (type: string) => records.filter((record) => record.type === type).length;
  assert.deepEqual([count('response'), count('request')], [15, 15]);
  const font = records.find(({ targetUri, type }) => targetUri?.endsWith('f.woff2') && type === 'request');
  assert.equal(font?.header('Garner-Via'), bench.site.url('cdn.test', '/s.css'));
  assert.equal(font?.header('Garner-Hops'), 'EE');
});

test('heads are kept byte by byte, chunks undone and noted, content codings kept', async (t) => {
  const packed = gzipSync(`<html>${anchors('/next')}</html>`);
  const head =
    'HTTP/1.1 200 Fine\nContent-Type:text/html\r\nX-Odd:   two  \r\nx-odd:1\r\nConnection: close\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n';
  const bench = await openBench(t, (request, response) => {
    if (request.url !== '/odd') return void response.writeHead(request.url === '/next' ? 200 : 404).end();
    request.socket.write(head, 'latin1');
    for (const part of [packed.subarray(0, 20), packed.subarray(20)])
      request.socket.write(
        Buffer.concat([Buffer.from(`${part.length.toString(16)};x=y\r\n`), part, Buffer.from('\r\n')]),
      );
    request.socket.end('0\r\nX-Trailer: 1\r\n\r\n');
  });
  await bench.crawl([bench.site.url('a.test', '/odd')]);
  const records = await bench.records();
  const odd = records.find(({ targetUri, type }) => targetUri?.endsWith('/odd') && type === 'response');
  const block = await odd?.block();
  assert.equal(
    block?.toString('latin1'),
    head.replace('Transfer-', 'X-Orig-Transfer-') + packed.toString('latin1'),
  );
  assert.ok((await bench.captured()).includes('a.test/next'));
  const notes = records.find(({ targetUri, type }) => targetUri?.endsWith('/odd') && type === 'metadata');
  assert.match((await notes?.block())?.toString() ?? '', /note: transfer-encoding: chunked \(undone\)/);
});

test('a second crawl asks with what the first one got, and keeps nothing twice', async (t) => {
  const body = `<p>${'same '.repeat(300)}</p>`;
  const bench = await openBench(t, (request, response) => {
    if (request.url === '/robots.txt') response.writeHead(404).end();
    else if (request.url === '/tagged') {
      if (request.headers['if-none-match'] === '"v1"') response.writeHead(304, { etag: '"v1"' }).end();
      else sendHtml(response, body + anchors('/behind'), { etag: '"v1"' });
    } else if (request.url === '/behind') sendHtml(response, `${Math.random()}`);
    else
      sendHtml(
        response,
        body + (request.url === '/' ? anchors('/tagged', '/copy') : anchors('/', '/tagged')),
      );
  });
  const seeds = [bench.site.url('a.test', '/')];
  assert.equal((await bench.crawl(seeds)).revisits, 0);
  const second = await bench.crawl(seeds);
  const captures = await bench.captures();
  assert.equal(captures.length, 10);
  const kinds = (path: string) =>
    captures
      .filter(({ url }) => url === bench.site.url('a.test', path))
      .map(({ type, status }) => `${type} ${status}`);
  assert.deepEqual(kinds('/tagged'), ['response 200', 'revisit 304']);
  assert.deepEqual(kinds('/'), ['response 200', 'revisit 200']);
  assert.deepEqual(kinds('/copy'), ['response 200', 'revisit 200']);
  assert.deepEqual(kinds('/behind'), ['response 200', 'response 200']);
  assert.equal(second.revisits, 3);
  assert.ok(second.savedBytes > 4000);
  for (const revisit of captures.filter(({ type }) => type === 'revisit'))
    assert.equal((await bench.store.captures.resolveRevisit(revisit, OPERATOR))?.capture.url, revisit.url);
});

test('robots.txt, nofollow and noarchive are obeyed, or not when the source says so', async (t) => {
  const bench = await openBench(t, (request, response, host) => {
    if (request.url === '/robots.txt') {
      if (host === 'broken.test') response.writeHead(503).end();
      else response.end('User-agent: Garner\nDisallow: /private\nUser-agent: *\nDisallow: /');
    } else if (request.url === '/')
      sendHtml(
        response,
        anchors('/private', '/nofollow', '/noarchive', `http://broken.test:${bench.site.port}/x`),
      );
    else if (request.url === '/nofollow')
      sendHtml(response, `<meta name=robots content=nofollow><img src=/i.png>${anchors('/hidden')}`);
    else if (request.url === '/noarchive')
      sendHtml(response, anchors('/after'), { 'x-robots-tag': 'noarchive' });
    else sendHtml(response, 'x');
  });
  const seeds = [bench.site.url('a.test', '/')];
  const report = await bench.crawl(seeds, { scope: 'any' });
  assert.deepEqual(await bench.captured(), [
    'a.test/',
    'a.test/i.png',
    'a.test/nofollow',
    'a.test/robots.txt',
  ]);
  assert.deepEqual(report.excluded, { robots: 1, nofollow: 1, noarchive: 1 });
  assert.deepEqual(report.errors, { 'crawl.robots': 1 });
  assert.equal(bench.site.hits.filter((hit) => hit === 'broken.test/robots.txt').length, 3);
  await bench.crawl(seeds, { scope: 'any', robots: 'ignore' });
  assert.deepEqual(
    (await bench.captured()).filter((url) => /private|hidden|noarchive|after|broken/.test(url)),
    ['a.test/after', 'a.test/hidden', 'a.test/noarchive', 'a.test/private', 'broken.test/x'],
  );
});

test('site maps give further pages, packed and nested ones too', async (t) => {
  const bench = await openBench(t, (request, response) => {
    const { port } = bench.site;
    if (request.url === '/robots.txt') response.end(`Sitemap: http://a.test:${port}/index.xml`);
    else if (request.url === '/index.xml')
      response.end(
        `<sitemapindex><sitemap><loc>http://a.test:${port}/one.xml.gz</loc></sitemap></sitemapindex>`,
      );
    else if (request.url === '/one.xml.gz')
      response.end(
        gzipSync(
          `<urlset><url><loc>http://a.test:${port}/lonely</loc></url><url><loc>http://else.test/x</loc></url></urlset>`,
        ),
      );
    else sendHtml(response, 'x');
  });
  await bench.crawl([bench.site.url('a.test', '/')], { sitemap: true, scope: 'page' });
  assert.deepEqual(await bench.captured(), [
    'a.test/',
    'a.test/index.xml',
    'a.test/lonely',
    'a.test/one.xml.gz',
    'a.test/robots.txt',
  ]);
});

test('a host is left alone between two requests, while others go on', async (t) => {
  const times = new Map<string, number[]>();
  const bench = await openBench(t, (request, response, host) => {
    times.set(host, [...(times.get(host) ?? []), performance.now()]);
    if (request.url === '/robots.txt')
      response.end(host === 'slow.test' ? 'User-agent: *\nCrawl-delay: 0.3' : '');
    else sendHtml(response, request.url === '/' ? anchors('/1', '/2', '/3') : 'x');
  });
  const hosts = ['a.test', 'b.test', 'c.test', 'slow.test'];
  await bench.crawl(
    hosts.map((host) => bench.site.url(host, '/')),
    { delayMs: 100, delayFactor: 0 },
  );
  for (const host of hosts) {
    const gaps = (times.get(host) ?? []).slice(1).map((at, i) => at - (times.get(host)?.[i] ?? 0));
    assert.equal(gaps.length, 4, host);
    // Timers may fire a little early.
    for (const gap of gaps) assert.ok(gap >= (host === 'slow.test' ? 295 : 95), `${host}: ${gap} ms`);
  }
});

test('private addresses are refused, by name and by number, and behind redirects', async (t) => {
  const bench = await openBench(t, (_, response) => sendHtml(response, 'secret'));
  const report = await bench.crawl([bench.site.url('a.test', '/'), bench.site.url('127.0.0.1', '/')], {
    allowPrivate: false,
    robots: 'ignore',
  });
  assert.equal(report.status, 'failed');
  assert.deepEqual(report.errors, { 'http.address': 2 });
  assert.deepEqual(bench.site.hits, []);
});

test('limits of captures and types hold, and progress can be read from outside', async (t) => {
  const bench = await openBench(t, (request, response) => {
    if (request.url === '/robots.txt') response.writeHead(404).end();
    else if (request.url?.startsWith('/i'))
      response.writeHead(200, { 'content-type': 'image/png' }).end('png');
    else sendHtml(response, `<img src=/i${request.url}>${anchors(`${request.url}/a`, `${request.url}/b`)}`);
  });
  const report = await bench.crawl([bench.site.url('a.test', '/x')], {
    types: 'text/*',
    limits: { captures: 10 },
  });
  assert.equal(report.status, 'incomplete');
  assert.match(report.message ?? '', /limit of captures/);
  assert.equal((await bench.captured()).length, 11, 'ten, and robots.txt');
  assert.ok((report.excluded.type ?? 0) > 0);
  assert.equal(findCrawlProgress(bench.folder, 'web', report.runId)?.captures, 11);
});
