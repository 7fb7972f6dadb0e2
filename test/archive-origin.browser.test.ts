/** Archived pages in a real browser: they look as they did, and reach nothing but the archive. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { serveSite } from '../src/crawl/site.fixture.ts';
import { createArchiveOrigin } from '../src/http/archive-origin.ts';
import { type RunningServer, startServer } from '../src/http/server.ts';
import { writeArchiveAddress } from '../src/replay/index.ts';
import { archivePages } from './archive-pages.ts';
import { follow, launchChromium, PATIENCE_MS, withoutChromium } from './chromium.ts';
import { openTestCollection, type TestCollection } from './portal-collection.ts';

const AT = Date.parse('2020-01-02T03:04:05Z');

describe('the archive origin in a browser', { skip: withoutChromium }, () => {
  let collection: TestCollection;
  let dataFolder: string;
  let archive: RunningServer;
  let browser: Browser;
  /** The live web, which nothing may reach. */
  let outside: Awaited<ReturnType<typeof serveSite>>;
  let pageUrl: string;

  before(async () => {
    collection = await openTestCollection();
    dataFolder = await mkdtemp(join(tmpdir(), 'garner-archive-browser-'));
    outside = await serveSite((_, response) => response.end('live'));
    const live = (path: string) => outside.url('127.0.0.1', path);
    pageUrl = live('/page');
    const at = AT;
    await archivePages(
      { store: collection.store, fields: collection.deps.formats.fieldSpecs(), dataFolder },
      'polar',
      [
        {
          url: pageUrl,
          at,
          type: 'text/html; charset=utf-8',
          body: `<!doctype html><title>as it was</title><base href="${live('/elsewhere/')}">
<link rel=preconnect href="${live('/')}"><meta http-equiv=refresh content="1; url=${live('/refreshed')}">
<link rel=stylesheet href="/s.css"><img id=in src="/in.svg"><img id=out src="/not-archived.png">
<script>document.title = 'a script ran'; fetch('/fetched')</script><script src="/x.js"></script>
<iframe src="/frame"></iframe><form action="/form"><button>send</button></form><a href="/next">next</a>
<p onclick="document.title='clicked'" id=box>text</p><object data="/o.swf"></object><video src="/v.mp4"></video>`,
        },
        { url: live('/s.css'), at, type: 'text/css', body: '#box { color: rgb(1, 2, 3) } @import "/t.css";' },
        {
          url: live('/in.svg'),
          at,
          type: 'image/svg+xml',
          body: '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="5"/>',
        },
        { url: live('/x.js'), at, type: 'text/javascript', body: 'document.title = "a file ran"' },
        { url: live('/next'), at: at + 1000, type: 'text/html', body: '<title>the next page</title>' },
      ],
    );
    archive = await startServer(createArchiveOrigin({ ...collection.deps, dataFolder }), {
      host: '127.0.0.1',
      port: 0,
    });
    browser = await launchChromium();
  });
  after(async () => {
    await browser?.close();
    await archive?.close();
    await outside?.close();
    await collection?.close();
    await rm(dataFolder, { recursive: true, force: true });
  });

  test('a page has its styles and pictures, runs nothing, and no request leaves the archive', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    try {
      await page.goto(archive.url + writeArchiveAddress({ source: 'polar', url: pageUrl, at: AT }));
      await follow(page, page.getByRole('link', { name: /^page-/ }));
      // Long enough for what would go on by itself.
      await page.waitForTimeout(1500);
      assert.equal(await page.title(), 'as it was');
      await page.locator('#box').click();
      assert.equal(await page.title(), 'as it was');
      const look = await page.locator('#box').evaluate((box) => getComputedStyle(box).color);
      assert.equal(look, 'rgb(1, 2, 3)');
      const widths = await page
        .locator('img')
        .evaluateAll((all) =>
          all.map((image) => (image instanceof HTMLImageElement ? image.naturalWidth : -1)),
        );
      assert.deepEqual(widths, [3, 0]);
      assert.equal(await page.evaluate(() => window.origin), 'null');
      await page.getByRole('button', { name: 'send' }).click();
      await follow(page, page.getByRole('link', { name: 'next' }));
      assert.ok(page.url().startsWith(archive.url), page.url());
      assert.match((await page.textContent('h1')) ?? '', /\/next$/);
      assert.deepEqual(outside.hits, []);
    } finally {
      await page.close();
    }
  });
});
