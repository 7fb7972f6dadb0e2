/** The portal in a real browser over a real store. Skipped where there is no Chromium. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openVocabulary } from '../src/app/vocabulary.ts';
import { PUBLIC } from '../src/core/access.ts';
import { loadConfig } from '../src/core/config.ts';
import { createHttpApp, type RunningServer, startServer } from '../src/http/server.ts';
import { follow, launchChromium, PATIENCE_MS, withoutChromium } from './chromium.ts';
import { openTestCollection, type TestCollection } from './portal-collection.ts';

const PAGES = [
  '/',
  '/search?q=sea+ice',
  '/search?q=ice&f.type=Dataset&from=1970&bbox=-180,60,180,90',
  '/search?q=zebra',
  '/search?q=ice+AND+(',
  '/items/polar/ice-1979',
  '/items/polar/hostile',
  '/versions/polar/ice-1979',
  '/runs',
  '/runs/1',
  '/help',
  '/dictionary',
  '/dictionary/exposure_duration',
  '/login',
];

describe('the portal in a browser', { skip: withoutChromium }, () => {
  let collection: TestCollection;
  let server: RunningServer;
  let browser: Browser;

  before(async () => {
    collection = await openTestCollection();
    const demo = fileURLToPath(new URL('../demo/garner.yaml', import.meta.url));
    const elements = { vocabulary: await openVocabulary(loadConfig(demo)), access: PUBLIC };
    server = await startServer(createHttpApp({ ...collection.deps, elements }), {
      host: '127.0.0.1',
      port: 0,
    });
    browser = await launchChromium();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    await collection?.close();
  });

  async function withPage(
    options: BrowserContextOptions,
    work: (page: Page, complaints: string[]) => Promise<void>,
  ) {
    const context = await browser.newContext({ baseURL: server.url, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    try {
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        // Chromium reports every answer of 4xx as an error of the console.
        if (message.type() === 'error' && !message.text().includes('status of 4'))
          complaints.push(message.text());
      });
      await work(page, complaints);
    } finally {
      await context.close();
    }
  }

  async function resultsHeading(page: Page): Promise<string> {
    return (await page.locator('#results-heading').textContent())?.trim() ?? '';
  }

  /** Search, narrow, open an item, look at its history, come back. */
  async function walk(page: Page): Promise<void> {
    await page.goto('/');
    await page.getByRole('searchbox').or(page.getByRole('combobox')).first().fill('sea ice');
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/\/search\?q=sea\+ice/);
    assert.match(await resultsHeading(page), /^2 items/);

    await page
      .getByRole('complementary')
      .getByRole('link', { name: /Cryosphere/ })
      .click();
    await page.waitForURL(/f\.subject=Cryosphere/);
    assert.match(await resultsHeading(page), /^1 item\b/);

    await page.getByRole('link', { name: /Sea ice extent/ }).click();
    await page.waitForURL(/\/items\/polar\/ice-1979$/);
    assert.equal(
      await page.getByRole('heading', { level: 1 }).textContent(),
      'Sea ice extent of the Arctic Ocean, monthly means',
    );

    await page.getByRole('link', { name: 'All versions' }).click();
    await page.waitForURL(/\/versions\/polar\/ice-1979$/);
    assert.equal(await page.getByRole('row').count(), 2);

    await page.goBack();
    await page.goBack();
    await follow(page, page.getByRole('link', { name: /Remove filter: Subject: Cryosphere/ }));
    assert.match(await resultsHeading(page), /^2 items/);
  }

  test('a reader searches, narrows and opens an item', () =>
    withPage({}, async (page, complaints) => {
      await walk(page);
      assert.deepEqual(complaints, []);
    }));

  test('all of it works without JavaScript', () => withPage({ javaScriptEnabled: false }, walk));

  test('the form keeps filters, and date and place narrow further', () =>
    withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto('/search?f.type=Dataset');
      await page.getByText('Date and place').click();
      await page.getByLabel('From').fill('1999');
      await page.getByLabel('West').fill('-25');
      await page.getByLabel('East').fill('20');
      await page.getByLabel('South').fill('75');
      await follow(page, page.getByRole('button', { name: 'Apply' }));
      assert.match(page.url(), /f\.type=Dataset/);
      assert.match(await resultsHeading(page), /^1 item\b/);
      await page.getByRole('link', { name: /Drift of sea ice/ }).waitFor();
    }));

  test('suggestions are offered, chosen with the keyboard and read out', () =>
    withPage({}, async (page, complaints) => {
      await page.goto('/');
      const box = page.getByRole('combobox', { name: 'Search for' });
      await box.pressSequentially('cirr');
      const options = page.getByRole('option');
      await options.first().waitFor();
      assert.equal(await box.getAttribute('aria-expanded'), 'true');
      await box.press('ArrowDown');
      const active = await box.getAttribute('aria-activedescendant');
      assert.equal(await page.locator(`[id="${active}"]`).getAttribute('aria-selected'), 'true');
      await box.press('Escape');
      assert.equal(await box.inputValue(), 'cirr');
      assert.equal(await box.getAttribute('aria-expanded'), 'false');
      await box.press('r');
      await box.press('Backspace');
      await options.first().waitFor();
      await options.first().click();
      await page.waitForURL(/\/search\?q=/);
      assert.doesNotMatch(await resultsHeading(page), /Nothing/);
      assert.deepEqual(complaints, []);
    }));

  test('a hostile record runs nothing', () =>
    withPage({}, async (page) => {
      const dialogs: string[] = [];
      page.on('dialog', (dialog) => {
        dialogs.push(dialog.message());
        void dialog.dismiss();
      });
      for (const path of [
        '/search?q=quotes',
        '/items/polar/hostile',
        '/items/polar/hostile?format=raw',
        '/search?f.type=Text',
      ])
        await page.goto(path);
      assert.deepEqual(dialogs, []);
    }));

  test('no page is wider than a phone', () =>
    withPage({ viewport: { width: 360, height: 740 } }, async (page) => {
      for (const path of PAGES) {
        await page.goto(path);
        const overflow = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        assert.equal(overflow, 0, path);
      }
    }));

  test('the keyboard reaches the content first by the skip link', () =>
    withPage({}, async (page) => {
      await page.goto('/search?q=ice');
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content');
      await page.keyboard.press('Enter');
      assert.equal(await page.evaluate('document.activeElement.id'), 'main');
    }));

  const axe = withoutChromium
    ? ''
    : readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

  for (const colorScheme of ['light', 'dark'] as const)
    test(`nothing serious stands in anybody’s way (${colorScheme})`, () =>
      // The checker is a script of ours, not of the page, so the page's policy must not stop it.
      withPage({ colorScheme, bypassCSP: true }, async (page) => {
        for (const path of PAGES) {
          await page.goto(path);
          await page.evaluate(axe);
          const { violations } = (await page.evaluate('axe.run()')) as {
            violations: { id: string; impact: string; nodes: { html: string }[] }[];
          };
          const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
          assert.deepEqual(
            serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
            [],
            path,
          );
        }
      }));
});
