/** Pages that only a browser can read, recorded as it loads them. */
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { OPERATOR } from '../src/core/access.ts';
import { crawlSchema } from '../src/core/crawl-schema.ts';
import { crawlSource } from '../src/crawl/crawl-source.ts';
import { completeSettings } from '../src/crawl/settings.ts';
import { openCrawlStore, sendHtml, serveSite } from '../src/crawl/site.fixture.ts';
import { withoutChromium } from './chromium.ts';

test('a browser records what scripts load, scrolls, follows the links they make, and takes a picture', {
  skip: withoutChromium,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'garner-browser-'));
  const site = await serveSite((request, response) => {
    const url = request.url ?? '';
    if (url === '/robots.txt') response.end('User-agent: *\nDisallow: /secret.json');
    else if (url === '/app.js')
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(`
        fetch('/data.json').then((r) => r.json()).then(({ page }) => {
          const a = document.createElement('a'); a.href = page; a.textContent = 'x'; document.body.append(a);
        });
        fetch('/secret.json').catch(() => {});
        fetch('/send', { method: 'POST' }).catch(() => {});
        new IntersectionObserver(([entry], o) => {
          if (!entry.isIntersecting) return;
          o.disconnect(); const i = new Image(); i.src = '/late.png'; document.body.append(i);
        }).observe(document.querySelector('#end'));`);
    else if (url === '/data.json')
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"page":"/made"}');
    else if (url.endsWith('.png')) response.writeHead(200, { 'content-type': 'image/png' }).end('png');
    else
      sendHtml(
        response,
        `<script src=/app.js defer></script><div style="height:5000px"></div><p id=end>${url}</p>`,
      );
  });
  const store = await openCrawlStore(t, folder, site);
  const settings = completeSettings(
    crawlSchema.parse({ allowPrivate: true, delayMs: 0, depth: 1, browser: true }),
    {
      baseUrl: 'https://garner.example',
      adminEmail: 'a@garner.example',
    },
  );
  const report = await crawlSource(
    { store, folder, resolveHost: site.resolveHost },
    'web',
    [site.url('b.test', '/')],
    settings,
  );
  const captures = await store.captures.list({ urlKey: '', match: 'prefix', limit: 1000 }, OPERATOR);
  const seen = captures.map(({ url }) => url.replace(site.url('b.test', ''), '')).sort();
  assert.equal(report.status, 'complete', JSON.stringify(report));
  assert.deepEqual(
    seen.filter((url) => url !== '/favicon.ico'),
    [
      '/',
      '/app.js',
      '/data.json',
      '/late.png',
      '/made',
      '/robots.txt',
      'urn:fullPage:/',
      'urn:fullPage:/made',
    ],
  );
  assert.ok(site.hits.every((hit) => !/secret|send/.test(hit)));
  const picture = captures.find(({ url }) => url === `urn:fullPage:${site.url('b.test', '/')}`);
  assert.equal(picture?.mediaType, 'image/png');
  assert.ok((picture?.contentLength ?? 0) > 1000);
});
