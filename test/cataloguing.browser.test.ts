/** Describing pages and snapshots, and what can be had of them, in a real browser. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { createPackageApp } from '../src/http/package-app.fixture.ts';
import { type RunningServer, startServer } from '../src/http/server.ts';
import { openTestArchive, SOURCE, type TestArchive } from '../src/packaging/archive.fixture.ts';
import { launchChromium, PATIENCE_MS, withoutChromium } from './chromium.ts';

const CURATOR = { name: 'ada', secret: 'the-secret-of-ada', role: 'curator', groups: [] } as const;
const HOUSE = 'http://www.foyer.example/';
const PAGE = `<title>Untitled Document</title><meta name="keywords" content="Schach, Turnier, Springer, Rochade, Endspiel, Verein, Rangliste">
<h1>Foyer</h1><p>Le foyer municipal accueille les habitants du quartier dans une salle ouverte tous les jours. Nous proposons des cours du soir, un repas pour les personnes seules et une aide pour les familles qui le demandent.</p><img src="salle.png"><a href="cours.html">cours</a>`;

describe('cataloguing in a browser', { skip: withoutChromium }, () => {
  let archive: TestArchive;
  let server: RunningServer;
  let browser: Browser;
  let snapshot: string;

  before(async () => {
    archive = await openTestArchive();
    snapshot = await archive.crawl('2002-05-06T00:00:00Z', [
      { url: HOUSE, body: PAGE },
      { url: `${HOUSE}cours.html`, body: '<title>Cours du soir</title>' },
      { url: `${HOUSE}salle.png`, body: 'picture', type: 'image/png' },
    ]);
    const curation = {
      subject: { authority: 'lcsh', terms: ['Community centers', 'Neighborhoods'] },
      genre: { authority: 'marcgt', terms: ['web site', 'newspaper'], closed: true },
    };
    const app = createPackageApp(archive, { curation, tokens: [CURATOR] });
    server = await startServer(app, { host: '127.0.0.1', port: 0 });
    browser = await launchChromium();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    await archive?.[Symbol.asyncDispose]();
  });

  async function withPage(
    options: Parameters<Browser['newContext']>[0],
    work: (page: Page) => Promise<void>,
  ): Promise<void> {
    const context = await browser.newContext({ baseURL: server.url, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    try {
      const page = await context.newPage();
      await page.goto('/login');
      await page.getByLabel('Token').fill(CURATOR.secret);
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.pathname !== '/login');
      await work(page);
    } finally {
      await context.close();
    }
  }

  test('a curator describes a page without JavaScript, is told what is missing, and sees who said it', () =>
    withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(`/items/${SOURCE}/${HOUSE}`);
      await page.getByText('Untitled Document').first().waitFor();
      await page.getByRole('link', { name: 'Describe this item' }).click();
      await page.getByLabel('Title 1').fill('Community house');
      await page.getByLabel('Topics 1').fill('Community centers');
      await page.getByLabel('Genre 1').selectOption('web site');
      await page.getByLabel('Why').fill('the tags are of a chess site');
      await page.getByLabel('Token of a curator').fill('a guess');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').getByText('This needs the token').waitFor();
      assert.equal(await page.getByLabel('Topics 1').inputValue(), 'Community centers', 'nothing is lost');
      await page.getByLabel('Token of a curator').fill(CURATOR.secret);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { level: 1, name: 'Community house' }).waitFor();
      await page.getByText('the tags are of a chess site').first().waitFor();
    }));

  test('a snapshot offers its packages, and each of them is one click away', () =>
    withPage({}, async (page) => {
      await page.goto(`/items/${SOURCE}/${snapshot}`);
      for (const format of ['oai_didl', 'mets', 'mods', 'bag', 'bag-zip']) {
        const waiting = page.waitForEvent('download');
        await page.locator(`a[href*="?format=${format}"]`).first().click();
        const download = await waiting;
        assert.equal(await download.failure(), null, format);
        assert.match(download.suggestedFilename(), /^ISCCP_20020506T000000Z\./);
      }
    }));

  const axe = withoutChromium
    ? ''
    : readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

  for (const colorScheme of ['light', 'dark'] as const)
    test(`nothing serious stands in anybody’s way, not even on a phone (${colorScheme})`, () =>
      withPage({ colorScheme, bypassCSP: true, viewport: { width: 360, height: 740 } }, async (page) => {
        const ofItems = ['items', 'describe', 'versions'].flatMap((path) =>
          [HOUSE, snapshot].map((identifier) => `/${path}/${SOURCE}/${identifier}`),
        );
        const harvests = [
          '/mets/sites',
          `/mets/sites/${SOURCE}/ISCCP`,
          '/mets/days',
          '/mets/days/2002-05-06',
        ];
        for (const address of [...ofItems, ...harvests]) {
          await page.goto(address);
          assert.equal(await page.locator('h1').count(), 1, address);
          for (const summary of await page.locator('main summary').all()) await summary.click();
          if (address.startsWith('/describe/')) {
            // Refused: the form comes back with its reason.
            await page.getByLabel('Why').fill('to see');
            await page.getByLabel('Token of a curator').fill('a guess');
            await page.getByRole('button', { name: 'Save' }).click();
            await page.getByRole('alert').waitFor();
          }
          const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          assert.ok(Number(overflow) <= 0, `${address} is ${overflow} px too wide`);
          await page.evaluate(axe);
          const { violations } = (await page.evaluate('axe.run()')) as {
            violations: { id: string; impact: string; nodes: { html: string }[] }[];
          };
          const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
          assert.deepEqual(
            serious.map(({ id, nodes }) => [address, id, nodes[0]?.html]),
            [],
          );
        }
      }));
});
