/** For tests: reads ResourceSync documents as a stranger would, by what stands in them and nothing else. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { fromBufferPromise } from 'yauzl';
import { parseXml } from '../src/xml/engine.ts';

export interface SyncEntry {
  readonly loc: string;
  readonly lastmod: string | undefined;
  readonly md: Readonly<Record<string, string>>;
  /** `rel href` of each link. */
  readonly links: readonly string[];
}

export interface SyncDocument {
  readonly root: string;
  readonly md: Readonly<Record<string, string>>;
  readonly links: readonly string[];
  readonly entries: readonly SyncEntry[];
}

export type Fetch = (url: string) => Promise<Response>;

const unescapeXml = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) =>
    name === 'amp' ? '&' : name === 'lt' ? '<' : name === 'gt' ? '>' : name === 'quot' ? '"' : "'",
  );

function attributesOf(element: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, name = '', value = ''] of element.matchAll(/([\w:]+)="([^"]*)"/g))
    found[name] = unescapeXml(value);
  return found;
}

const mdOf = (text: string): Record<string, string> => attributesOf(/<rs:md\b[^>]*>/.exec(text)?.[0] ?? '');

const linksOf = (text: string): string[] =>
  [...text.matchAll(/<rs:ln\b[^>]*>/g)].map(([element]) => {
    const { rel, href } = attributesOf(element);
    return `${rel} ${href}`;
  });

export function readSyncDocument(text: string): SyncDocument {
  // Throws when it is not well-formed.
  parseXml(Buffer.from(text))[Symbol.dispose]();
  const root = /<(urlset|sitemapindex)\b/.exec(text)?.[1] ?? '';
  const [head = '', ...bodies] = text.split(/<(?:url|sitemap)>/);
  return {
    root,
    md: mdOf(head),
    links: linksOf(head),
    entries: bodies.map((body) => ({
      loc: unescapeXml(/<loc>([^<]*)<\/loc>/.exec(body)?.[1] ?? ''),
      lastmod: /<lastmod>([^<]*)<\/lastmod>/.exec(body)?.[1],
      md: mdOf(body),
      links: linksOf(body),
    })),
  };
}

export async function fetchSync(get: Fetch, url: string): Promise<SyncDocument> {
  const response = await get(url);
  assert.equal(response.status, 200, url);
  assert.match(response.headers.get('content-type') ?? '', /^application\/xml/);
  return readSyncDocument(await response.text());
}

/** A list and, where it is an index, all of its parts. */
export async function fetchParts(get: Fetch, url: string): Promise<SyncDocument[]> {
  const document = await fetchSync(get, url);
  if (document.root === 'urlset') return [document];
  const parts: SyncDocument[] = [];
  for (const { loc } of document.entries) parts.push(...(await fetchParts(get, loc)));
  return parts;
}

export async function fetchEntries(get: Fetch, url: string): Promise<SyncEntry[]> {
  return (await fetchParts(get, url)).flatMap(({ entries }) => entries);
}

export const sha256 = (bytes: Uint8Array): string =>
  `sha-256:${createHash('sha256').update(bytes).digest('hex')}`;

/** Unpacks with an independent reader. */
export async function unzip(bytes: Uint8Array): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = [];
    for await (const piece of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>)
      pieces.push(piece);
    files.set(entry.fileName, Buffer.concat(pieces));
  }
  return files;
}

/** A mirror: address to digest. Takes the whole list, then every change since it was made. */
export class Mirror {
  readonly #get: Fetch;
  readonly #folder: string;
  readonly resources = new Map<string, string>();
  at = '';

  /** `folder`: where the lists lie, without a slash at the end. */
  constructor(get: Fetch, folder: string) {
    this.#get = get;
    this.#folder = folder;
  }

  async baseline(): Promise<void> {
    const first = await fetchSync(this.#get, `${this.#folder}/resourcelist.xml`);
    this.at = first.md.at ?? '';
    for (const { loc, md } of await fetchEntries(this.#get, `${this.#folder}/resourcelist.xml`))
      this.resources.set(loc, md.hash ?? '');
  }

  async incremental(): Promise<void> {
    let newest = this.at;
    const index = await fetchSync(this.#get, `${this.#folder}/changelist.xml`);
    const wanted = index.root === 'urlset' ? [index] : [];
    if (index.root === 'sitemapindex')
      for (const { loc, md } of index.entries)
        if (md.until === undefined || md.until >= this.at) wanted.push(await fetchSync(this.#get, loc));
    for (const { loc, md } of wanted.flatMap(({ entries }) => entries)) {
      const { change, datetime = '', hash = '' } = md;
      if (datetime < this.at) continue;
      if (datetime > newest) newest = datetime;
      if (change === 'deleted') this.resources.delete(loc);
      else this.resources.set(loc, hash);
    }
    this.at = newest;
  }
}
