/**
 * A real browser for pages that need JavaScript. It never touches the network itself: every request is
 * answered by `serve`, which fetches, guards and archives like the crawler does elsewhere.
 */
import { existsSync } from 'node:fs';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { GarnerError } from '../../core/errors.ts';

/** Undefined: refused. The body without codings. */
export type Serve = (
  url: string,
) => Promise<{ status: number; headers: Record<string, string>; body: Buffer } | undefined>;

export interface BrowsedPage {
  /** Addresses that a reader could follow, as the page has them after its scripts ran. */
  readonly links: readonly string[];
  /** The whole page as a PNG. */
  readonly screenshot?: Buffer;
}

export interface PageBrowser {
  open(url: string, serve: Serve): Promise<BrowsedPage>;
  close(): Promise<void>;
}

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const LOAD_MS = 30_000;
const QUIET_MS = 10_000;
const MAX_SCREENS = 30;
const SCREEN_PAUSE_MS = 150;

export async function openBrowser(options: {
  userAgent: string;
  path?: string | undefined;
}): Promise<PageBrowser> {
  const { chromium } = await import('playwright-core').catch((cause: unknown) => {
    throw new GarnerError('crawl.browser', 'the package playwright-core is not installed', { cause });
  });
  const executablePath = options.path ?? PLACES.find((path) => existsSync(path));
  let browser: Browser;
  try {
    browser = await chromium.launch({
      ...(executablePath !== undefined && { executablePath }),
      args: ['--no-sandbox', '--disable-background-networking'],
    });
  } catch (cause) {
    throw new GarnerError('crawl.browser', 'Chromium cannot be started', { cause });
  }
  return {
    async open(url, serve) {
      const context = await browser.newContext({
        userAgent: options.userAgent,
        serviceWorkers: 'block',
        ignoreHTTPSErrors: true,
      });
      try {
        return await visit(context, url, serve);
      } catch (cause) {
        throw new GarnerError('http.timeout', `the browser did not get through with ${url}`, { cause });
      } finally {
        await context.close();
      }
    },
    close: () => browser.close(),
  };
}

async function visit(context: BrowserContext, url: string, serve: Serve): Promise<BrowsedPage> {
  await context.route('**/*', (route) => answer(route, serve));
  // A socket would pass by the route.
  await context.routeWebSocket(/.*/, (socket) => void socket.close());
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'load', timeout: LOAD_MS });
  await rest(page);
  await scroll(page);
  await rest(page);
  const links = await page.evaluate(() =>
    [...document.querySelectorAll('a[href], area[href]')].map((link) => (link as HTMLAnchorElement).href),
  );
  const screenshot = await page.screenshot({ fullPage: true, timeout: LOAD_MS });
  return { links, screenshot };
}

async function answer(route: Route, serve: Serve): Promise<void> {
  const request = route.request();
  // Only what can be asked for again can be archived and shown again.
  if (request.method() !== 'GET' || !/^https?:/.test(request.url())) return route.abort('blockedbyclient');
  const served = await serve(request.url());
  return served ? route.fulfill(served) : route.abort('blockedbyclient');
}

/** Pages that never fall silent are taken as they are. */
async function rest(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: QUIET_MS }).catch((error: unknown) => {
    if (!(error instanceof Error && error.name === 'TimeoutError')) throw error;
  });
}

/** Down to the end, so that pictures that wait to be seen are loaded. */
async function scroll(page: Page): Promise<void> {
  for (let screen = 0; screen < MAX_SCREENS; screen++) {
    const more = await page.evaluate(() => {
      const before = window.scrollY;
      window.scrollBy(0, window.innerHeight);
      return window.scrollY > before;
    });
    if (!more) return;
    await page.waitForTimeout(SCREEN_PAUSE_MS);
  }
}
