/** OAI answers in a real browser: shown with our style, and nothing inside of them runs. Skips without Chromium. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { chromium } from 'playwright-core';
import { dublinCore, openRepository } from './oai-repository.ts';

const CHROMIUM = '/usr/bin/chromium';

test('a browser shows answers styled and sealed, and the page of the repository leads to them', {
  skip: existsSync(CHROMIUM) ? false : 'Chromium is not installed',
}, async () => {
  const repository = await openRepository();
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const script =
      '<script xmlns="http://www.w3.org/1999/xhtml">document.documentElement.setAttribute("ran", "1")</script>';
    await repository.commit('ocean', {
      records: [
        repository.extract(
          dublinCore('urn:a:1', 'Sea ice').replace('</oai_dc:dc>', `${script}</oai_dc:dc>`),
          {
            sets: ['ice:sea'],
          },
        ),
      ],
    });
    repository.wait(10);
    const page = await browser.newPage();
    await page.goto(repository.baseUrl.replace(/\/oai$/, '/repository'));
    const text = await page.locator('main').textContent();
    assert.match(text ?? '', new RegExp(repository.baseUrl));
    assert.match(text ?? '', /ice:sea/);
    await page.locator('a', { hasText: 'verb=ListRecords&metadataPrefix=oai_dc' }).first().click();
    await page.waitForURL(/verb=ListRecords/);
    const title = page.locator('title').first();
    assert.equal(await title.textContent(), 'Sea ice');
    const weight = await title.evaluate((element) => getComputedStyle(element).fontWeight);
    assert.equal(weight, '700', 'the style sheet is applied');
    assert.equal(
      await page.evaluate(() => document.documentElement.getAttribute('ran')),
      null,
      'no script ran',
    );
  } finally {
    await browser.close();
    await repository.close();
  }
});
