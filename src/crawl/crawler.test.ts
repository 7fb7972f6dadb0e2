import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openWarcThread } from '../archive/index.ts';
import { crawlSchema } from '../core/crawl-schema.ts';
import type { CaptureEntry } from '../store/index.ts';
import { Crawler } from './crawler.ts';
import { createFetcher } from './fetch/fetcher.ts';
import { openFrontier } from './frontier/frontier.ts';
import { completeSettings } from './settings.ts';
import { anchors, openWebStore, sendHtml, serveSite } from './site.fixture.ts';

const PAGES = 120;

test('a crawl goes on to its end, however many answers come while the archive is being synced', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'garner-crawler-'));
  // Every page leads to the next and to a dead end, which is answered at the same time.
  const site = await serveSite((request, response) => {
    const n = Number(/^\/(\d+)$/.exec(request.url ?? '')?.[1] ?? Number.NaN);
    if (Number.isNaN(n) || n >= PAGES) return void response.writeHead(404).end();
    sendHtml(response, anchors(`/dead-${n}-a`, `/dead-${n}-b`, `/${n + 1}`));
  });
  const store = await openWebStore(folder);
  const settings = completeSettings(
    crawlSchema.parse({ allowPrivate: true, delayMs: 0, perHost: 8, depth: 1000, robots: 'ignore' }),
    { baseUrl: 'https://garner.example', adminEmail: 'a@garner.example' },
  );
  const thread = await openWarcThread({ folder, prefix: 'x', info: [] });
  const fetcher = createFetcher({ ...settings, clock: Date.now, folder, resolveHost: site.resolveHost });
  const frontier = openFrontier({
    path: join(folder, 'f.sqlite'),
    source: 'web',
    runId: 1,
    seeds: [],
    now: Date.now(),
  });
  t.after(async () => {
    fetcher.close();
    frontier.close();
    await thread.close();
    await store.close();
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const recorded: CaptureEntry[] = [];
  const crawler = new Crawler({
    source: 'web',
    settings,
    frontier,
    fetcher,
    // The disk of a busy machine.
    writer: { ...thread, sync: () => delay(150).then(() => thread.sync()) },
    folder,
    captures: store.captures,
    record: async (captures) => {
      recorded.push(...captures);
    },
    clock: Date.now,
    reader: { linksOnly: true },
    browser: undefined,
    signal: new AbortController().signal,
    onProblem: () => {},
    onCommit: () => {},
  });
  const { progress } = await crawler.run([site.url('a.test', '/0')]);
  assert.equal(progress.captures, 3 * PAGES + 1);
  assert.deepEqual([progress.queued, progress.active], [0, 0]);
  assert.equal(new Set(recorded.map(({ url }) => url)).size, recorded.length);
  assert.equal(recorded.length, 3 * PAGES + 1);
});
