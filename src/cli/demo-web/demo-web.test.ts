import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { createPdfReader, readContent } from '../../archive/content/index.ts';
import { writeHtml } from './page-html.ts';
import type { Site, WebPage } from './pages.ts';
import { createRankings } from './rankings.ts';
import { serveDemoWeb } from './serve-web.ts';
import { writePdf } from './write-pdf.ts';
import { writeFogPicture } from './write-png.ts';

const SITE: Site = { host: 'a.example', name: 'A & B', colour: '#123456', pages: [] };

const page = (path: string, title: string, text: string, more: Partial<WebPage> = {}): WebPage => ({
  path,
  title,
  text,
  kind: 'html',
  lang: 'en',
  authors: [],
  gone: false,
  site: SITE,
  url: `http://${more.site?.host ?? SITE.host}${path}`,
  links: [],
  ...more,
});

test('a page has its headings, lists, links and pictures, and nothing of its text is markup', async () => {
  const html = writeHtml(
    page('/x', 'Fog & <dew>', 'See [it](/y?a=1&b=2).\n\n## Why\n- one\n- ![two](/two.png)\n\n1 < 2'),
  );
  const { extracted, links, text } = await readContent({
    url: 'http://a.example/x',
    bytes: Buffer.from(html),
    headers: [['content-type', 'text/html']],
  });
  assert.equal(extracted.title, 'Fog & <dew>');
  assert.deepEqual(
    links.map(({ url }) => url),
    ['http://a.example/style.css', 'http://a.example/y?a=1&b=2', 'http://a.example/two.png'],
  );
  assert.match(text, /Why\s+one/);
  assert.match(text, /1 < 2/);
});

test('a paper is a PDF that can be read again, over several pages', async (t) => {
  const pdf = createPdfReader();
  t.after(() => pdf.close());
  const lines = Array.from({ length: 70 }, (_, i) => `Line ${i} of the paper (with brackets) – and a dash.`);
  const bytes = writePdf({ title: 'Fog at dawn', authors: ['A. One', 'B. Two'], text: lines.join('\n') });
  const { extracted, text } = await readContent({ url: 'http://a.example/p.pdf', bytes }, { pdf });
  assert.equal(extracted.title, 'Fog at dawn');
  assert.equal(extracted.pdf?.pages, 2);
  assert.match(text, /Line 0 of the paper \(with brackets\) – and a dash\./);
  assert.match(text, /Line 69 of/);
});

test('a picture has as many bytes as its header promises', () => {
  const png = writeFogPicture();
  assert.equal(png.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
  const data = png.indexOf('IDAT');
  const pixels = inflateSync(png.subarray(data + 4, data + 4 + png.readUInt32BE(data - 4)));
  assert.equal(pixels.length, png.readUInt32BE(20) * (png.readUInt32BE(16) + 1));
});

test('one engine counts words, one looks at titles, one at links from elsewhere', () => {
  const other = { ...SITE, host: 'b.example' };
  const often = page('/often', 'Notes', 'fog fog fog fog sea');
  const titled = page('/titled', 'Sea fog', 'Grey.');
  const linked = page('/linked', 'Harbour', 'Much fog, much sea.');
  const gone = page('/gone', 'Sea fog', 'fog fog fog fog fog sea', { gone: true });
  const closed = page('/closed/x', 'Board', 'fog fog fog fog fog fog sea', {
    site: { ...SITE, robots: 'User-agent: *\nDisallow: /closed/\n' },
  });
  const fans = ['/1', '/2'].map((path) => page(path, 'Fan', 'None.', { site: other, links: [linked.url] }));
  const rankings = createRankings([often, titled, linked, gone, closed, ...fans]);
  const paths = (ranking: keyof typeof rankings) => rankings[ranking]('Sea fog').map(({ path }) => path);
  assert.deepEqual(paths('words'), ['/gone', '/often', '/linked', '/titled']);
  assert.deepEqual(paths('titles'), ['/titled']);
  assert.deepEqual(paths('links'), ['/linked', '/often', '/titled']);
});

test('hosts share a port and are told apart by name; robots.txt and dead pages are theirs', async () => {
  const site: Site = { ...SITE, robots: 'User-agent: *\nDisallow: /closed/\n' };
  const pages = [
    page('/', 'Home', 'Hello.', { site }),
    page('/old', 'Old', 'Old.', { site, redirect: '/' }),
    page('/gone', 'Gone', 'Gone.', { site, gone: true }),
  ];
  await using web = await serveDemoWeb({ sites: [site], pages });
  const { port } = new URL(`http://${web.hosts['a.example'] ?? ''}`);
  const ask = (host: string, path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
  assert.equal(await ask('a.example', '/'), 200);
  assert.equal(await ask('b.example', '/'), 404);
  assert.equal(await ask('a.example', '/old'), 301);
  assert.equal(await ask('a.example', '/gone'), 410);
  assert.equal(await ask('a.example', '/robots.txt'), 200);
  assert.equal(await ask('words.search.example.net', '/search?q=hello&format=json'), 200);
});
