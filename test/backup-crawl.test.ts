/** A backup that is taken while a crawl goes on, brought back elsewhere: the crawl goes on from there. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { readRecordAt } from '../src/archive/index.ts';
import { archiveFolder, archivePath } from '../src/archive/items/index.ts';
import { OPERATOR } from '../src/core/access.ts';
import { crawlSchema } from '../src/core/crawl-schema.ts';
import { type CrawlOptions, completeSettings, crawlSource, verifyFrontiers } from '../src/crawl/index.ts';
import { findCrawlProgress } from '../src/crawl/progress.ts';
import { anchors, openWebStore, type Site, sendHtml, serveSite } from '../src/crawl/site.fixture.ts';
import type { GarnerStore } from '../src/store/index.ts';
import { outcomeOf, runGarner, startGarner } from './garner-process.ts';

const PAGES = 200;
const LINKS = anchors(...Array.from({ length: PAGES }, (_, i) => `/p${i}`));

async function openBench(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'garner-backup-crawl-'));
  /** After so many answers the site keeps all who ask waiting, until it may give more. */
  const answers = { left: Number.POSITIVE_INFINITY };
  const waiting: (() => void)[] = [];
  const site = await serveSite((request, response) => {
    const answer = () => {
      answers.left--;
      setTimeout(() => sendHtml(response, `<p>${request.url}</p>${LINKS}`), 3);
    };
    if (answers.left > 0) answer();
    else waiting.push(answer);
  });
  const giveAll = () => {
    answers.left = Number.POSITIVE_INFINITY;
    for (const answer of waiting.splice(0)) answer();
  };
  t.after(async () => {
    await site.close();
    rmSync(root, { recursive: true, force: true });
  });
  return { root, site, answers, giveAll };
}

const settings = completeSettings(
  crawlSchema.parse({ allowPrivate: true, delayMs: 0, perHost: 4, robots: 'ignore' }),
  { baseUrl: 'https://garner.example', adminEmail: 'a@garner.example' },
);

const crawl = (store: GarnerStore, folder: string, site: Site, options: CrawlOptions = {}) =>
  crawlSource(
    { store, folder, resolveHost: site.resolveHost },
    'web',
    [site.url('a.test', '/p0')],
    settings,
    options,
  );

async function listPaths(store: GarnerStore, folder: string): Promise<string[]> {
  const captures = await store.captures.list({ urlKey: '', match: 'prefix', limit: 10_000 }, OPERATOR);
  for (const { file, offset, url } of captures) {
    const record = await readRecordAt(archivePath(archiveFolder(folder, 'web'), file ?? ''), offset ?? 0);
    assert.equal(record.targetUri, url, 'the index leads to the record');
    await record.close();
  }
  return captures.map(({ url }) => new URL(url).pathname).sort();
}

const EXPECTED = Array.from({ length: PAGES }, (_, i) => `/p${i}`).sort();

test('a backup in the middle of a crawl holds what the crawl has still to do', async (t) => {
  const { root, site, answers, giveAll } = await openBench(t);
  const [first, second, backup] = ['a', 'b', 'c'].map((name) => join(root, name)) as [string, string, string];
  mkdirSync(first);
  mkdirSync(second);
  const args = [
    'crawl',
    site.url('127.0.0.1', '/p0'),
    '--allow-private',
    '--ignore-robots',
    '--archive-only',
    '--delay=0',
    '--per-host=2',
  ];
  answers.left = PAGES / 2;
  const crawling = startGarner(first, args);
  const ended = outcomeOf(crawling);
  while (answers.left > 0) await delay(5);
  const committed = () => findCrawlProgress(join(first, 'garner-data'), 'web', 1)?.captures ?? 0;
  while (committed() === 0) await delay(20);
  const copied = await runGarner(first, 'backup', backup);
  assert.equal(copied.code, 0, copied.stderr);
  crawling.kill('SIGKILL');
  await ended;
  giveAll();

  // What is in place is later than the backup, and must not mix with it.
  const whole = await runGarner(second, ...args);
  assert.equal(whole.code, 0, whole.stderr);
  const back = await runGarner(second, 'restore', backup);
  assert.equal(back.code, 0, back.stderr);

  const hits = site.hits.length;
  const resumed = await runGarner(second, ...args, '--json');
  assert.equal(resumed.code, 0, resumed.stdout + resumed.stderr);
  assert.match(resumed.stdout, /"resumed":true/);
  assert.ok(site.hits.length - hits < PAGES, 'what was fetched before the backup is not fetched again');
  const verified = await runGarner(second, 'verify');
  assert.equal(verified.code, 0, verified.stdout);
  const store = await openWebStore(join(second, 'garner-data'));
  try {
    assert.deepEqual(await listPaths(store, join(second, 'garner-data')), EXPECTED);
  } finally {
    await store.close();
  }
});

test('captures that a store from a backup has lost are found again in the archive files', async (t) => {
  const { root: folder, site, answers, giveAll } = await openBench(t);
  const store = await openWebStore(folder);
  try {
    answers.left = PAGES / 2;
    const stop = new AbortController();
    await crawl(store, folder, site, {
      signal: stop.signal,
      onProgress: ({ captures }) => {
        if (captures > PAGES / 4) stop.abort();
      },
    });
    giveAll();
    const before = await listPaths(store, folder);
    for (const { file } of await store.captures.listFiles('web'))
      await store.captures.removeFile('web', file);
    await crawl(store, folder, site);
    const after = await listPaths(store, folder);
    assert.ok(before.length > 0 && before.length < PAGES);
    assert.deepEqual(after, EXPECTED);
  } finally {
    await store.close();
  }
});

test('what was dropped does not come back with the next crawl', async (t) => {
  const { root, site } = await openBench(t);
  const crawlOf = (path: string) => [
    'crawl',
    site.url('127.0.0.1', path),
    '--allow-private',
    '--ignore-robots',
    '--scope=page',
  ];
  assert.equal((await runGarner(root, ...crawlOf('/p1'))).code, 0);
  assert.equal((await runGarner(root, 'drop', 'web', '--yes')).code, 0);
  assert.equal((await runGarner(root, ...crawlOf('/p2'))).code, 0);
  const store = await openWebStore(join(root, 'garner-data'));
  try {
    assert.deepEqual(await listPaths(store, join(root, 'garner-data')), ['/p2']);
  } finally {
    await store.close();
  }
});

test('an archive file that is shorter than the crawl knows it, or gone, is a finding', async (t) => {
  const { root: folder, site } = await openBench(t);
  const store = await openWebStore(folder);
  await crawl(store, folder, site);
  const [file] = await store.captures.listFiles('web');
  await store.close();
  assert.deepEqual(verifyFrontiers(folder), []);
  const path = archivePath(archiveFolder(folder, 'web'), file?.file ?? '');
  truncateSync(path, 100);
  assert.match(verifyFrontiers(folder)[0]?.what ?? '', /ends at 100, before its last capture/);
  rmSync(path);
  assert.deepEqual(
    verifyFrontiers(folder).map(({ what }) => what),
    ['the archive file is gone'],
  );
});
