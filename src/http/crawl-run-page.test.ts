/** The page of a crawl's run: how it went, host by host. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { CURATOR, openTestCollection } from '../../test/portal-collection.ts';
import { parseCrawl } from '../core/crawl-schema.ts';
import { type CrawlProgress, completeSettings, crawlSource } from '../crawl/index.ts';
import { anchors, sendHtml, serveSite } from '../crawl/site.fixture.ts';
import { createHttpApp } from './server.ts';

const SAME = `<p>${'the same words '.repeat(100)}`;

test('a crawl tells its queue, rate, bytes, what it saved, its errors by kind and its hosts, while it runs and after', async (t) => {
  const looked = Promise.withResolvers<void>();
  const collection = await openTestCollection();
  const dataFolder = await mkdtemp(join(tmpdir(), 'garner-crawl-page-'));
  const site = await serveSite((request, response) => {
    if (request.url === '/robots.txt') return void response.end('User-agent: *\nDisallow: /private');
    if (request.url === '/') return sendHtml(response, anchors('/a', '/b', '/private', '/c', '/broken'));
    if (request.url === '/broken') return void request.socket.destroy();
    // The page is looked at while the last URLs wait.
    if (request.url === '/c') void looked.promise.then(() => sendHtml(response, SAME));
    else sendHtml(response, SAME);
  });
  t.after(async () => {
    await site.close();
    await collection.close();
    await rm(dataFolder, { recursive: true, force: true });
  });
  const app = createHttpApp({ ...collection.deps, dataFolder });
  /** From the crawl's own part on. */
  const page = async (id: number) =>
    (
      await (
        await app.request(`/runs/${id}`, { headers: { authorization: `Bearer ${CURATOR.secret}` } })
      ).text()
    ).replace(/^.*?id="crawl"/s, '');
  const tile = (text: string, label: string) =>
    new RegExp(`<dt>${label}</dt><dd>([^<]*)</dd>`).exec(text)?.[1] ?? assert.fail(`no ${label}`);
  let during: Promise<string> | undefined;
  const states: CrawlProgress[] = [];
  const report = await crawlSource(
    { store: collection.store, folder: dataFolder, resolveHost: site.resolveHost },
    'polar',
    [site.url('a.test', '/')],
    completeSettings(
      parseCrawl({ allowPrivate: true, delayMs: 10, delayFactor: 0, attempts: 2, backoffMs: 10 }),
      {
        baseUrl: 'https://garner.example',
        adminEmail: 'a@garner.example',
      },
    ),
    {
      onProgress: (progress) => {
        states.push(progress);
        if (progress.queued > 0)
          during ??= collection.store.runs
            .listRuns({ source: 'polar', limit: 1 })
            .then(([run]) => page(run?.id ?? 0))
            .finally(looked.resolve);
      },
    },
  );
  const live = (await during) ?? assert.fail('nothing was told while URLs waited');
  assert.ok(Number(tile(live, 'To go')) > 0, 'the queue');
  assert.ok(states.some(({ hosts }) => hosts.some(({ state }) => state === 'waiting' || state === 'busy')));

  const text = await page(report.runId);
  assert.equal(tile(text, 'Captures'), String(report.captures));
  assert.equal(tile(text, 'To go'), '0');
  assert.match(tile(text, 'Per second'), /^\d+\.\d$/);
  assert.match(tile(text, 'Received'), /[kM]?B$/);
  assert.equal(tile(text, 'Unchanged'), '2', 'b and c have the content of a');
  assert.match(tile(text, 'Saved'), /^3\.\d kB$/);
  assert.equal(tile(text, 'Failed'), '1');
  assert.match(text, /<td>http\.interrupted<\/td><td class="number">1<\/td>/);
  assert.match(text, /<td>robots<\/td><td class="number">1<\/td>/);
  assert.match(text, /<td>a\.test:\d+<\/td><td>(?:idle|failing)<\/td><td class="number">\d+<\/td>/);
});
