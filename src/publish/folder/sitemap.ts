/** The addresses that a site itself lists: sitemaps, indexes of sitemaps (packed or not), and plain lists. */
import { GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import { dateSpan } from '../../core/time.ts';
import { compilePath, parseXml } from '../../xml/engine.ts';
import { splitRecords } from '../../xml/splitter.ts';
import type { SiteClient } from './site-client.ts';

/** sitemaps.org: at most 50 MB unpacked. */
const MAX_SITEMAP_BYTES = 50 * 1024 * 1024;
const MAX_SITEMAPS = 5000;
const MAX_PAGES = 1_000_000;

/** Addresses and when they last changed, where that is said. Those that lead elsewhere are left out. */
export async function listSitemapPages(
  client: SiteClient,
  sitemaps: readonly string[],
  isOurs: (url: string) => boolean,
): Promise<Map<string, Instant | undefined>> {
  const pages = new Map<string, Instant | undefined>();
  const queue = [...sitemaps];
  const seen = new Set(queue);
  for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
    for await (const found of readSitemap(client, url)) {
      if (found.kind === 'sitemap') {
        if (seen.has(found.url) || !isOurs(found.url)) continue;
        if (seen.size >= MAX_SITEMAPS) throw tooMany(url);
        seen.add(found.url);
        queue.push(found.url);
      } else if (isOurs(found.url)) {
        if (pages.size >= MAX_PAGES) throw tooMany(url);
        pages.set(found.url, found.changedAt);
      }
    }
  }
  return pages;
}

const tooMany = (url: string): GarnerError =>
  new GarnerError(
    'source.unreadable',
    `${url}: the site lists more than ${MAX_PAGES} pages or ${MAX_SITEMAPS} sitemaps`,
  );

interface Listed {
  readonly kind: 'page' | 'sitemap';
  readonly url: string;
  readonly changedAt?: Instant;
}

async function* readSitemap(client: SiteClient, url: string): AsyncGenerator<Listed> {
  const { status, bytes } = await client.get(url, { maxBytes: MAX_SITEMAP_BYTES, unpack: true });
  if (status !== 200) throw new GarnerError('source.unreadable', `${url} answers with status ${status}`);
  // Some sites list addresses as plain text, one per line.
  if (
    !/^\s*</.test(
      Buffer.from(bytes.subarray(0, 200))
        .toString('utf8')
        .replace(/^\ufeff/, ''),
    )
  ) {
    for (const page of parseUrlList(Buffer.from(bytes).toString('utf8'))) yield { kind: 'page', url: page };
    return;
  }
  const loc = compilePath("/*/*[local-name()='loc']", {});
  const lastmod = compilePath("/*/*[local-name()='lastmod']", {});
  const isRecord = (_: string, name: string) => name === 'url' || name === 'sitemap';
  try {
    for await (const piece of splitRecords(once(bytes), { isRecord })) {
      if (piece.kind === 'problem')
        throw new GarnerError(piece.code, `${url}, line ${piece.line}: ${piece.message}`);
      if (!isRecord('', piece.name)) continue;
      using document = parseXml(piece.bytes);
      const [address] = document.evaluate(loc);
      const [changed] = document.evaluate(lastmod);
      const plain = address === undefined ? undefined : normaliseUrl(address);
      if (plain === undefined) continue;
      const changedAt = changed === undefined ? undefined : dateSpan(changed)?.startAt;
      const kind = piece.name === 'sitemap' ? 'sitemap' : 'page';
      yield { kind, url: plain, ...(changedAt !== undefined && { changedAt }) };
    }
  } finally {
    loc.dispose();
    lastmod.dispose();
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** One address per line; empty lines and comments are left out. */
export function parseUrlList(text: string): string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map(normaliseUrl)
    .filter((url) => url !== undefined);
}

function normaliseUrl(text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  url.hash = '';
  return url.href;
}
