/** The guided search in a real browser: the way of the OODT paper from Galileo to the RED filter, and what stands in nobody's way. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { compileProfileTest } from '../src/federate/profile/match-profile.ts';
import { parseDis } from '../src/query/dis/parse-dis.ts';
import { follow, launchChromium, PATIENCE_MS, withoutChromium } from './chromium.ts';
import { missionOf, openPlanetaryGarner, type PlanetaryGarner, PRODUCTS } from './planetary-garner.ts';

const products = PRODUCTS.slice(0, 1500);
const matching = (dis: string) => products.filter(compileProfileTest(parseDis(dis).query));
const count = (dis: string) => matching(dis).length.toLocaleString('en');

describe('guided search in a browser', { skip: withoutChromium }, () => {
  let alone: PlanetaryGarner;
  let elsewhere: PlanetaryGarner;
  let entry: PlanetaryGarner;
  let browser: Browser;

  before(async () => {
    alone = await openPlanetaryGarner({ products });
    elsewhere = await openPlanetaryGarner({
      name: 'Elsewhere',
      products: products.filter((product) => missionOf(product) === 'GALILEO'),
    });
    entry = await openPlanetaryGarner({
      name: 'Entry',
      products: products.filter((product) => missionOf(product) !== 'GALILEO'),
      peers: { elsewhere: elsewhere.url },
    });
    browser = await launchChromium();
  });
  after(async () => {
    await browser?.close();
    for (const one of [entry, elsewhere, alone]) await one?.close();
  });

  async function withPage(
    options: Parameters<Browser['newContext']>[0],
    work: (page: Page) => Promise<void>,
  ): Promise<void> {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    try {
      await work(await context.newPage());
    } finally {
      await context.close();
    }
  }

  async function walk(page: Page): Promise<void> {
    const expression = page.getByRole('textbox', { name: 'Expression' });
    await page.goto('/guided');
    await page.getByText(`${products.length.toLocaleString('en')} resources`).waitFor();
    const mission = page.getByRole('region', { name: 'MISSION_NAME' });
    await follow(page, mission.getByRole('link', { name: `GALILEO ${count('MISSION_NAME = GALILEO')}` }));

    assert.equal(await expression.inputValue(), 'MISSION_NAME = GALILEO');
    await page.getByText(`${count('MISSION_NAME = GALILEO')} resources`).waitFor();
    const filter = page.getByRole('region', { name: 'FILTER_NAME' });
    const both = 'MISSION_NAME = GALILEO AND FILTER_NAME = RED';
    await follow(page, filter.getByRole('link', { name: `RED ${count(both)}` }));

    assert.equal(await expression.inputValue(), both);
    await follow(page, page.getByRole('link', { name: 'Show the profiles' }));
    const shown = page.getByRole('region', { name: 'Profiles' }).getByRole('listitem');
    const red = matching(both);
    assert.equal(await shown.count(), Math.min(50, red.length));
    const link = page.getByRole('link', { name: 'Data of GO-J/JSA-SSI-2-REDR-V1.0:24I0131' });
    const data = red.find(({ res }) => res.Identifier?.[0] === 'GO-J/JSA-SSI-2-REDR-V1.0:24I0131');
    assert.equal(await link.getAttribute('href'), data?.res.resLocation?.[0]);
  }

  test('from Galileo to what was taken through the RED filter, without JavaScript', () =>
    withPage({ baseURL: alone.url, javaScriptEnabled: false }, walk));

  test('the same way over a federation', () => withPage({ baseURL: entry.url }, walk));

  test('numbers are chosen by bounds and by bars, and every choice can be taken back', () =>
    withPage({ baseURL: alone.url }, async (page) => {
      await page.goto('/guided?q=INSTRUMENT_ID+%3D+SSI');
      const exposure = page.getByRole('region', { name: 'EXPOSURE_DURATION' });
      await exposure.getByLabel('from', { exact: true }).fill('60');
      await exposure.getByLabel('to', { exact: true }).fill('100');
      await exposure.getByRole('button', { name: 'Choose' }).click();
      const dis = 'INSTRUMENT_ID = SSI AND EXPOSURE_DURATION >= 60 AND EXPOSURE_DURATION <= 100';
      await page.getByText(`${count(dis)} resources`).waitFor();
      await follow(page, page.getByRole('link', { name: 'Take back INSTRUMENT_ID = SSI' }));
      assert.equal(
        await page.getByRole('textbox', { name: 'Expression' }).inputValue(),
        'EXPOSURE_DURATION >= 60 AND EXPOSURE_DURATION <= 100',
      );
      const bar = page
        .getByRole('region', { name: 'ORBIT_NUMBER' })
        .getByRole('group')
        .getByRole('link')
        .first();
      const label = (await bar.getAttribute('aria-label')) ?? '';
      await bar.click();
      await page.getByText(`${/: (.*)$/.exec(label)?.[1]} resources`).waitFor();
    }));

  test('the expression can be edited, and stays to be mended when there is a mistake in it', () =>
    withPage({ baseURL: alone.url }, async (page) => {
      await page.goto('/guided');
      const expression = page.getByRole('textbox', { name: 'Expression' });
      await expression.fill('target_name = io and not filter_name = red');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.getByText(`${count('target_name = io and not filter_name = red')} resources`).waitFor();
      await expression.fill('TARGET_NAME = IO AND');
      const [response] = await Promise.all([
        page.waitForResponse((answer) => answer.url().includes('/guided')),
        page.getByRole('button', { name: 'Apply' }).click(),
      ]);
      assert.equal(response.status(), 400);
      await page.getByRole('alert').getByText('(character 21)').waitFor();
      assert.equal(await expression.inputValue(), 'TARGET_NAME = IO AND');
      await expression.fill('TARGET_NAM = IO');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page
        .getByRole('alert')
        .getByText(/did you mean target_name/i)
        .waitFor();
      await expression.fill('TARGET_NAME = IO');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.getByText(`${count('target_name = io')} resources`).waitFor();
    }));

  const axe = withoutChromium
    ? ''
    : readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const pages = [
    '/guided',
    '/guided?q=MISSION_NAME+%3D+GALILEO&show=profiles',
    '/query?q=TARGET_NAME+%3D+IO',
    '/guided?q=TARGET_NAME+%3D',
  ];
  for (const colorScheme of ['light', 'dark'] as const)
    test(`nothing serious stands in anybody’s way, not even on a phone (${colorScheme})`, () =>
      withPage(
        { baseURL: entry.url, colorScheme, bypassCSP: true, viewport: { width: 360, height: 740 } },
        async (page) => {
          for (const path of pages) {
            await page.goto(path);
            for (const summary of await page.locator('main summary').all()) await summary.click();
            const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
            assert.ok(Number(overflow) <= 0, `${path} is ${overflow} px too wide`);
            await page.evaluate(axe);
            const { violations } = (await page.evaluate('axe.run()')) as {
              violations: { id: string; impact: string; nodes: { html: string }[] }[];
            };
            const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
            assert.deepEqual(
              serious.map(({ id, nodes }) => [path, id, nodes[0]?.html]),
              [],
            );
          }
        },
      ));
});
