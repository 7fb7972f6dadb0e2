/** OAI answers in a real browser: pages with links, and nothing that records hold runs. Skips without Chromium. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { follow, launchChromium, PATIENCE_MS, withoutChromium } from './chromium.ts';
import { dublinCore, openRepository } from './oai-repository.ts';

test('a person goes from the repository’s page to records, from page to page, and to the XML', {
  skip: withoutChromium,
}, async () => {
  const repository = await openRepository();
  const browser = await launchChromium();
  try {
    const script =
      '<script xmlns="http://www.w3.org/1999/xhtml">document.documentElement.setAttribute("ran", "1")</script>';
    await repository.commit('ocean', {
      records: [
        repository.extract(
          dublinCore('urn:a:1', 'Sea ice &lt;b&gt;').replace('</oai_dc:dc>', `${script}</oai_dc:dc>`),
          { sets: ['ice:sea'] },
        ),
        ...Array.from({ length: 24 }, (_, i) => repository.extract(dublinCore(`urn:b:${i}`, `Wave ${i}`))),
      ],
    });
    repository.wait(10);
    for (const [colorScheme, width] of [
      ['light', 1200],
      ['dark', 360],
    ] as const) {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } });
      page.setDefaultTimeout(PATIENCE_MS);
      const assertFits = async (what: string) => {
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${what} is ${wide} pixels wide`);
        assert.equal(await page.evaluate(() => document.documentElement.getAttribute('ran')), null, what);
      };
      await page.goto(repository.baseUrl.replace(/\/oai$/, '/repository'));
      const text = await page.locator('main').textContent();
      assert.match(text ?? '', new RegExp(repository.baseUrl));
      assert.match(text ?? '', /ice:sea/);
      for (const verb of ['Identify', 'ListMetadataFormats', 'ListSets', 'ListIdentifiers']) {
        await page.goto(`${repository.baseUrl}?verb=Identify`);
        await page.getByRole('navigation', { name: 'Verbs' }).getByRole('link', { name: verb }).click();
        await page.getByRole('heading', { name: verb, level: 1 }).waitFor();
        await assertFits(verb);
      }
      await page.goto(repository.baseUrl.replace(/\/oai$/, '/repository'));
      await follow(page, page.locator('a', { hasText: 'verb=ListRecords&metadataPrefix=oai_dc' }).first());
      await page.getByRole('heading', { name: 'ListRecords', level: 1 }).waitFor();
      await assertFits('ListRecords');
      assert.equal(await page.getByText('Sea ice <b>', { exact: true }).count(), 1, 'texts are escaped');
      assert.equal(await page.locator('article').count(), 20);
      await page.getByRole('link', { name: 'Next page' }).click();
      await page.getByText('21–25 of 25').waitFor();
      await page.getByText('End of the list').waitFor();
      await page.getByRole('link', { name: 'urn:b:20', exact: true }).click();
      await page.getByRole('heading', { name: 'GetRecord', level: 1 }).waitFor();
      await page.getByRole('button', { name: 'as XML' }).click();
      await page.waitForURL(/\/oai$/);
      assert.equal(await page.evaluate(() => document.contentType), 'text/xml');
      assert.match((await page.content()) ?? '', /urn:b:20/);
      await page.close();
    }
  } finally {
    await browser.close();
    await repository.close();
  }
});
