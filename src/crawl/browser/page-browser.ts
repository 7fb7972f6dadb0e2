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
/** So long nothing is asked for, or the page is taken as it is after the longest wait. */
const QUIET_MS = 500;
const LONGEST_WAIT_MS = 10_000;
const LOOK_MS = 50;
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
  const traffic: Traffic = { pending: 0, lastAt: 0 };
  await context.route('**/*', async (route) => {
    traffic.pending++;
    try {
      await answer(route, serve);
    } finally {
      traffic.pending--;
      traffic.lastAt = performance.now();
    }
  });
  // A socket would pass by the route.
  await context.routeWebSocket(/.*/, (socket) => void socket.close());
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'load', timeout: LOAD_MS });
  await rest(page, traffic);
  await scroll(page);
  await rest(page, traffic);
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

interface Traffic {
  pending: number;
  lastAt: number;
}

/** The browser's own `networkidle` comes once in the life of a page: after scrolling it says nothing. */
async function rest(page: Page, traffic: Traffic): Promise<void> {
  // What waits to be seen hears of it when the next frame is drawn.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  const since = performance.now();
  const isQuiet = () =>
    traffic.pending === 0 && performance.now() - Math.max(since, traffic.lastAt) >= QUIET_MS;
  while (!isQuiet() && performance.now() - since < LONGEST_WAIT_MS) await page.waitForTimeout(LOOK_MS);
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
