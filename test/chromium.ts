/** Debian's Chromium for tests that need a browser; where there is none they skip, and say so. */
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

export const withoutChromium = existsSync(CHROMIUM) ? false : 'Chromium is not installed';

/** Only what never happens takes so long, also on a machine that has much else to do. */
export const PATIENCE_MS = 180_000;

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--headless=new', '--disable-gpu', '--disable-dev-shm-usage'],
    timeout: PATIENCE_MS,
  });

/** Clicks, and waits until the page that it leads to is there as a whole. */
export async function follow(page: Page, link: Locator): Promise<void> {
  const loaded = page.waitForEvent('load');
  await link.click();
  await loaded;
}
