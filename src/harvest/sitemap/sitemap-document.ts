/**
 * Documents in the site map format (sitemaps.org), with what ResourceSync (NISO Z39.99) adds to them. Read
 * as a stream: a list may have 50,000 entries and an index as many lists.
 */
import { asGarnerError, type ErrorCode, GarnerError } from '../../core/errors.ts';
import type { Instant } from '../../core/model.ts';
import { dateSpan } from '../../core/time.ts';
import { childText, parseSmallTree, type SmallElement } from '../../xml/small-tree.ts';
import { splitRecords } from '../../xml/splitter.ts';
import type { HttpClient } from '../http/index.ts';

export interface SitemapEntry {
  readonly kind: 'url' | 'sitemap';
  /** Absolute. */
  readonly url: string;
  readonly modifiedAt: Instant | undefined;
  /** Attributes of `rs:md`. */
  readonly about: ReadonlyMap<string, string>;
  /** Whether another resource is said to describe it (`rs:ln`). */
  readonly described: boolean;
}

export type SitemapPart =
  | SitemapEntry
  /** `rs:md` of the document itself; comes first. */
  | { readonly kind: 'about'; readonly about: ReadonlyMap<string, string> }
  | { readonly kind: 'link'; readonly rel: string; readonly url: string }
  | { readonly kind: 'problem'; readonly code: ErrorCode; readonly message: string; readonly line: number };

const PARTS: ReadonlySet<string> = new Set(['url', 'sitemap', 'md', 'ln']);
const ROOT_TAG = /<(?:[\w.-]+:)?(?:urlset|sitemapindex)\b/;

/** Throws `source.answer` when there is no such document at the address. */
export async function* readSitemap(
  client: HttpClient,
  url: string,
  signal?: AbortSignal,
): AsyncGenerator<SitemapPart> {
  const response = await client.request({ url, ...(signal && { signal }) });
  yield* readSitemapParts(response.body, url, response.url);
}

/** `base`: what addresses in it are relative to. */
export async function* readSitemapParts(
  chunks: AsyncIterable<Uint8Array>,
  place: string,
  base: string,
): AsyncGenerator<SitemapPart> {
  for await (const cut of splitRecords(checkRoot(chunks, place), {
    isRecord: (_, name) => PARTS.has(name),
    maxRecordBytes: 1 << 20,
  })) {
    if (cut.kind === 'problem') {
      yield cut;
      continue;
    }
    const element = PARTS.has(cut.name) ? parseSmallTree(cut.bytes) : undefined;
    const part = element && readPart(element, base);
    if (part) yield part;
  }
}

async function* checkRoot(chunks: AsyncIterable<Uint8Array>, url: string): AsyncGenerator<Uint8Array> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < 4096) continue;
    demandRoot(head, url);
    yield head;
    head = undefined;
  }
  if (head === undefined) return;
  demandRoot(head, url);
  yield head;
}

function demandRoot(head: Buffer, url: string): void {
  const text = head.subarray(0, 64 * 1024).toString();
  if (ROOT_TAG.test(text)) return;
  const beginning = text.replace(/\s+/g, ' ').trim().slice(0, 80);
  throw new GarnerError('source.answer', `no site map at ${url}: ${beginning || 'nothing'}`, {
    details: { url },
  });
}

function readPart(element: SmallElement, base: string): SitemapPart | undefined {
  const { name, attributes } = element;
  if (name === 'md') return { kind: 'about', about: attributes };
  if (name === 'ln') {
    const url = absolute(attributes.get('href'), base);
    return url === undefined ? undefined : { kind: 'link', rel: attributes.get('rel') ?? '', url };
  }
  const url = absolute(childText(element, 'loc'), base);
  if (url === undefined) return undefined;
  const about =
    element.children.find((child) => child.name === 'md')?.attributes ?? new Map<string, string>();
  const lastmod = about.get('datetime') ?? childText(element, 'lastmod');
  return {
    kind: name === 'sitemap' ? 'sitemap' : 'url',
    url,
    modifiedAt: lastmod === undefined ? undefined : readInstant(lastmod),
    about,
    described: element.children.some(
      (child) => child.name === 'ln' && child.attributes.get('rel') === 'describedby',
    ),
  };
}

export function readInstant(text: string): Instant | undefined {
  return dateSpan(text.trim())?.startAt;
}

function absolute(text: string | undefined, base: string): string | undefined {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '' || !URL.canParse(trimmed, base)) return undefined;
  const url = new URL(trimmed, base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

/** All entries of a list, or of the lists that an index names; none is read twice. */
export async function* readAllEntries(
  client: HttpClient,
  url: string,
  signal?: AbortSignal,
  met: Set<string> = new Set(),
  depth = 0,
): AsyncGenerator<SitemapEntry | (Extract<SitemapPart, { kind: 'problem' }> & { readonly url: string })> {
  met.add(url);
  const nested: string[] = [];
  for await (const part of readSitemap(client, url, signal)) {
    if (part.kind === 'problem') yield { ...part, url };
    else if (part.kind === 'url') yield part;
    else if (part.kind === 'sitemap' && !met.has(part.url)) {
      met.add(part.url);
      nested.push(part.url);
    }
  }
  for (const inner of nested) {
    try {
      if (depth >= MAX_DEPTH)
        throw new GarnerError('source.answer', `site maps nested deeper than ${MAX_DEPTH}`);
      yield* readAllEntries(client, inner, signal, met, depth + 1);
    } catch (thrown) {
      signal?.throwIfAborted();
      const { code, message } = asGarnerError(thrown);
      if (code === 'internal.bug') throw thrown;
      yield { kind: 'problem', code, message, line: 1, url: inner };
    }
  }
}

const MAX_DEPTH = 5;
