/** Pages about runs and sources in a real browser: up to date without reloading, and without JavaScript too. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { createHttpApp, type RunningServer, startServer } from '../src/http/server.ts';
import { createQualityReports } from '../src/workflow/quality/index.ts';
import { launchChromium, PATIENCE_MS, withoutChromium } from './chromium.ts';
import { openTestCollection, type TestCollection } from './portal-collection.ts';

describe('pages about runs in a browser', { skip: withoutChromium }, () => {
  let collection: TestCollection;
  let folder: string;
  let server: RunningServer;
  let browser: Browser;

  before(async () => {
    collection = await openTestCollection();
    folder = await mkdtemp(join(tmpdir(), 'garner-runs-'));
    const { store, deps } = collection;
    const fields = deps.formats.fieldSpecs();
    const quality = createQualityReports({ store, fields, dataFolder: folder, clock: Date.now });
    server = await startServer(createHttpApp({ ...deps, quality }), { host: '127.0.0.1', port: 0 });
    browser = await launchChromium();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    await collection?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function withPage(
    options: Parameters<Browser['newContext']>[0],
    work: (page: Page) => Promise<void>,
  ) {
    const context = await browser.newContext({ baseURL: server.url, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    try {
      await work(await context.newPage());
    } finally {
      await context.close();
    }
  }

  const record = (identifier: string) => ({
    identifier,
    format: 'oai_dc',
    raw: Buffer.from(`<r>${identifier}</r>`),
    document: { fields: { title: [identifier] }, words: { title: identifier } },
  });

  test('counts and status change under the reader’s eyes', () =>
    withPage({}, async (page) => {
      const { store } = collection;
      await page.goto('/runs');
      const { id } = await store.runs.startRun('clouds', 'harvest');
      const row = page.getByRole('row', { name: `Run ${id}` });
      await row.waitFor();
      await page.evaluate('window.stillHere = true');
      await store.items.commit({
        source: 'clouds',
        runId: id,
        records: ['live-1', 'live-2'].map(record),
        checkpoint: { total: 8 },
      });
      await row.locator('span', { hasText: '2 of 8' }).waitFor();
      await row.getByRole('progressbar').waitFor();

      await row.getByRole('link', { name: `Run ${id}` }).focus();
      await store.runs.finishRun(id, 'incomplete', 'six are missing');
      await row.getByText('incomplete').waitFor();
      assert.equal(await page.evaluate('window.stillHere'), true, 'the page was not loaded again');
      assert.equal(await page.evaluate('document.activeElement.getAttribute("href")'), `/runs/${id}`);
    }));

  test('the page of one run follows it to its end', () =>
    withPage({}, async (page) => {
      const { store } = collection;
      const { id } = await store.runs.startRun('clouds', 'harvest');
      await page.goto(`/runs/${id}`);
      await page.getByText('running').first().waitFor();
      await store.runs.finishRun(id, 'failed', 'the host went to sleep');
      await page.getByText('the host went to sleep').waitFor();
    }));

  test('without JavaScript the page asks for itself again while something runs', () =>
    withPage({ javaScriptEnabled: false }, async (page) => {
      const { store } = collection;
      const { id } = await store.runs.startRun('clouds', 'harvest');
      await page.goto('/runs');
      assert.equal(await page.locator('meta[http-equiv=refresh]').count(), 1);
      await store.runs.finishRun(id, 'complete');
      await page.goto('/runs');
      assert.equal(await page.locator('meta[http-equiv=refresh]').count(), 0);
    }));

  const axe = withoutChromium
    ? ''
    : readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

  for (const colorScheme of ['light', 'dark'] as const)
    test(`nothing serious stands in anybody’s way, not even on a phone (${colorScheme})`, () =>
      withPage({ colorScheme, bypassCSP: true, viewport: { width: 360, height: 740 } }, async (page) => {
        const { store } = collection;
        const { id } = await store.runs.startRun('clouds', 'harvest');
        await store.items.commit({
          source: 'clouds',
          runId: id,
          records: [record('x')],
          checkpoint: { total: 4 },
        });
        for (const path of ['/runs', `/runs/${id}`, '/sources/polar']) {
          await page.goto(path);
          const overflow = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );
          assert.equal(overflow, 0, path);
          await page.evaluate(axe);
          const { violations } = (await page.evaluate('axe.run()')) as {
            violations: { id: string; impact: string; nodes: { html: string }[] }[];
          };
          const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
          assert.deepEqual(
            serious.map(({ id: rule, nodes }) => `${rule}: ${nodes[0]?.html}`),
            [],
            path,
          );
        }
        await store.runs.finishRun(id, 'complete');
      }));
});
