/**
 * A site made of traps: the crawl ends, takes everything that is honest and of each trap no more than its
 * limit. The lists below are the whole of what may be captured.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { OPERATOR } from '../src/core/access.ts';
import { crawlSchema } from '../src/core/crawl-schema.ts';
import { crawlSource } from '../src/crawl/crawl-source.ts';
import { completeSettings } from '../src/crawl/settings.ts';
import { anchors, openCrawlStore, sendHtml, serveSite } from '../src/crawl/site.fixture.ts';

const LIMITS = { queries: 12, similar: 15, calendar: 10, repeats: 3, urlLength: 300 };
/** Pages that the whole crawl may take. */
const BUDGET = 250;

const ENCODINGS =
  'utf-8 utf-16le utf-16be ibm866 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u macintosh windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 gb18030 big5 euc-jp shift_jis euc-kr'.split(
    ' ',
  );

function encodedPage(name: string): Buffer {
  const text = `<html><body><a href="/enc/behind-${name}">x</a> \u00e4\u00f6 </body></html>`;
  if (name === 'utf-16le') return Buffer.from(`\ufeff${text}`, 'utf16le');
  if (name === 'utf-16be') return Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  return Buffer.from(text, name === 'utf-8' ? 'utf8' : 'latin1');
}

type Page = (request: IncomingMessage, response: ServerResponse) => void;

const raw =
  (text: string, options: { end?: boolean } = {}): Page =>
  ({ socket }) => {
    socket.write(text, 'latin1');
    if (options.end !== false) socket.end();
  };
const status =
  (code: number): Page =>
  (_, response) =>
    void response.writeHead(code).end(`status ${code}`);

let flakyLeft = 2;
let trickles = 0;

/** Honest pages, each to be captured; some misbehave in ways that an archive has to live with. */
const HONEST: Readonly<Record<string, Page>> = {
  '/a.html': (_, response) => sendHtml(response, anchors('/b.html', '/a.html#part')),
  '/b.html': (_, response) => sendHtml(response, 'the end'),
  '/loop/1': (_, response) => void response.writeHead(302, { location: '/loop/2' }).end(),
  '/loop/2': (_, response) => void response.writeHead(302, { location: '/loop/1' }).end(),
  '/self': (_, response) => void response.writeHead(301, { location: '/self' }).end(),
  '/wall': ({ headers }, response) => {
    if (headers.cookie?.includes('seen=1')) sendHtml(response, anchors('/behind-wall'));
    else response.writeHead(302, { location: '/wall/enter' }).end();
  },
  '/wall/enter': (_, response) =>
    void response.writeHead(302, { location: '/wall', 'set-cookie': 'seen=1; Path=/' }).end(),
  '/behind-wall': (_, response) => sendHtml(response, 'in'),
  '/trickle': ({ socket }) => {
    trickles++;
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 500\r\n\r\n');
    const timer = setInterval(() => socket.write('x'), 200);
    socket.on('close', () => clearInterval(timer));
    socket.on('error', () => clearInterval(timer));
  },
  '/endless': ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n');
    const more = () => {
      while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 'e')));
      if (!socket.destroyed) socket.once('drain', more);
    };
    socket.on('error', () => socket.destroy());
    more();
  },
  '/lying/long': raw(
    'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\n\r\n<a href="/lying/behind">x</a>',
  ),
  '/lying/short': raw(
    'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10\r\n\r\n<b>bold</b><a href="/never">x</a>',
  ),
  '/lying/behind': status(200),
  '/lying/gzip': raw(
    'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n<a href="/b.html">not packed</a>',
  ),
  '/lying/chunked': raw(
    'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n<a href="/b.html">not chunked</a>',
  ),
  '/bomb': (_, response) =>
    void response
      .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
      .end(gzipSync(Buffer.alloc(64 << 20))),
  '/flaky': (_, response) => (flakyLeft-- > 0 ? status(503)(_, response) : sendHtml(response, 'at last')),
  '/always-500': status(500),
  '/gone': status(410),
  '/old': raw('HTTP/1.0 200 OK\nContent-Type: text/html\n\n<a href="/b.html">line feeds only</a>'),
  '/empty': status(204),
  ...Object.fromEntries(
    ENCODINGS.flatMap((name): [string, Page][] => [
      [
        `/enc/${name}`,
        (_, response) =>
          void response
            .writeHead(200, { 'content-type': `text/html; charset=${name}` })
            .end(encodedPage(name)),
      ],
      [`/enc/behind-${name}`, status(200)],
    ]),
  ),
};

/** Pages that cannot be had. */
const FAILING: Readonly<Record<string, Page>> = {
  '/garbage': raw('\u0000\u0001 this is not HTTP at all, not even nearly\r\n\r\n'),
  '/hang-up': raw(''),
  '/silent': () => {},
};
const FORBIDDEN: Readonly<Record<string, Page>> = {
  '/private/x': status(200),
  '/noarchive': (_, r) => sendHtml(r, '<meta name=robots content=noarchive>'),
};

/** Endless spaces: their first page, what their pages look like, and how many may be captured. */
const TRAPS: readonly { start: string; pages: RegExp; most: number; page: Page }[] = [
  {
    start: '/calendar/2030/1/',
    pages: /^\/calendar\//,
    most: LIMITS.calendar,
    page: ({ url = '' }, response) => {
      const [, year, month] = /(\d+)\/(\d+)/.exec(url)?.map(Number) ?? [0, 2030, 1];
      const next = (month ?? 1) + 1;
      sendHtml(response, anchors(`/calendar/${(year ?? 0) + (next > 12 ? 1 : 0)}/${next > 12 ? 1 : next}/`));
    },
  },
  {
    start: '/shop?sid=0123456789abcdef0123456789abcdef',
    pages: /^\/shop\?/,
    most: 1,
    page: (_, response) => sendHtml(response, anchors(`/shop?sid=${randomBytes(16).toString('hex')}`)),
  },
  {
    start: '/visit?token=aaaaaaaa',
    pages: /^\/visit\?/,
    most: LIMITS.queries,
    page: (_, response) =>
      sendHtml(response, anchors(`/visit?token=${randomBytes(6).toString('base64url')}`)),
  },
  {
    start: '/tree/branch/',
    pages: /^\/tree\//,
    most: LIMITS.repeats,
    page: (_, response) => sendHtml(response, anchors('branch/')),
  },
  {
    start: '/number/1',
    pages: /^\/number\//,
    most: LIMITS.similar,
    page: ({ url = '' }, response) => sendHtml(response, anchors(`/number/${Number(url.slice(8)) + 1}`)),
  },
  {
    start: '/grow/x',
    pages: /^\/grow\//,
    most: 300,
    page: ({ url = '' }, response) => sendHtml(response, anchors(`${url}${'abcdefghij'.repeat(10)}`)),
  },
];

test('a site of traps is crawled within its budget: all that is honest, of each trap its limit', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'garner-traps-'));
  const site = await serveSite((request, response) => {
    const url = request.url ?? '';
    const page =
      { ...HONEST, ...FAILING, ...FORBIDDEN }[url] ?? TRAPS.find(({ pages }) => pages.test(url))?.page;
    if (url === '/robots.txt') response.end('User-agent: *\nDisallow: /private/');
    else if (url === '/')
      sendHtml(
        response,
        anchors(
          ...Object.keys(HONEST).filter((path) => !/behind|\/b\.html|enter|loop\/2/.test(path)),
          ...Object.keys(FAILING),
          ...Object.keys(FORBIDDEN),
          ...TRAPS.map(({ start }) => start),
        ),
      );
    else if (page) page(request, response);
    else status(404)(request, response);
  });
  const store = await openCrawlStore(t, folder, site);
  const settings = completeSettings(
    crawlSchema.parse({
      allowPrivate: true,
      delayMs: 0,
      perHost: 8,
      attempts: 3,
      backoffMs: 20,
      depth: 1000,
      traps: LIMITS,
      limits: {
        captures: BUDGET,
        documentBytes: 1_000_000,
        exchangeMs: 20_000,
        idleMs: 4000,
        graceMs: 1500,
        minRate: 64,
      },
    }),
    { baseUrl: 'https://garner.example', adminEmail: 'a@garner.example' },
  );
  const report = await crawlSource(
    { store, folder, resolveHost: site.resolveHost },
    'web',
    [site.url('t.test', '/')],
    settings,
  );
  const captures = await store.captures.list({ urlKey: '', match: 'prefix', limit: 10_000 }, OPERATOR);
  const paths = captures.map(({ url }) => url.slice(site.url('t.test', '').length));

  assert.ok(report.captures <= BUDGET, `${report.captures} captures`);
  assert.equal(report.message, '3 URLs could not be fetched', JSON.stringify(report));
  const isTrap = (path: string) => TRAPS.some(({ pages }) => pages.test(path));
  const wanted = ['/', '/robots.txt', '/wall', ...Object.keys(HONEST)].sort();
  assert.deepEqual(paths.filter((path) => !isTrap(path)).sort(), wanted);
  for (const { start, pages, most } of TRAPS) {
    const taken = paths.filter((path) => pages.test(path));
    assert.ok(taken.includes(start), start);
    assert.ok(taken.length <= most, `${start}: ${taken.length} of at most ${most}`);
    assert.equal(new Set(taken).size, taken.length, `${start}: none twice`);
  }
  assert.deepEqual(Object.keys(report.errors).sort(), ['http.interrupted', 'http.timeout', 'source.answer']);
  for (const reason of [
    'robots',
    'noarchive',
    'trap: calendar',
    'trap: queries',
    'trap: repeating-path',
    'trap: similar',
    'trap: url-length',
  ])
    assert.ok((report.excluded[reason] ?? 0) > 0, `${reason} in ${JSON.stringify(report.excluded)}`);

  const sizeOf = (path: string) => captures.find(({ url }) => url.endsWith(path))?.contentLength;
  assert.equal(sizeOf('/endless'), 1_000_000);
  assert.equal(sizeOf('/lying/short'), 10);
  assert.equal(sizeOf('/lying/long'), '<a href="/lying/behind">x</a>'.length);
  assert.ok((sizeOf('/trickle') ?? 500) < 500);
  assert.equal(trickles, 1, 'a slow host is not asked again');
  assert.deepEqual(
    captures.filter(({ url }) => url.endsWith('/wall')).map((capture) => capture.status),
    [302, 200],
  );
  assert.equal(captures.find(({ url }) => url.endsWith('/flaky'))?.status, 200);
  assert.equal(captures.find(({ url }) => url.endsWith('/always-500'))?.status, 500);
  const problems = await store.runs.listProblems({ runId: report.runId, limit: 1000 });
  assert.ok(problems.some(({ code }) => code === 'crawl.trap'));
  assert.ok(problems.some(({ where, code }) => where?.endsWith('/bomb') && code === 'archive.unsafe'));
});
