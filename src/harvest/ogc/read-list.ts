/** One list of features, page by page along its `next` links. */
import { hash } from 'node:crypto';
import { GarnerError } from '../../core/errors.ts';
import { splitJson } from '../../formats/json-split.ts';
import type { HttpClient, HttpRequest } from '../http/index.ts';
import type { RecordPiece } from '../ingest.ts';
import type { HarvestPage } from '../remote/harvest-pages.ts';
import {
  type ApiLink,
  findLink,
  isObject,
  JSON_TYPES,
  type JsonObject,
  parseObject,
  readLinks,
} from './links.ts';

const MAX_PAGE_BYTES = 512 * 1024 * 1024;
const MAX_EMPTY_PAGES = 10;

/** A request that can be kept in a checkpoint. */
export interface ListRequest {
  readonly url: string;
  /** Of a POST. */
  readonly body?: unknown;
}

export interface ListOptions {
  /** What a record is called; see `identify.ts`. */
  readonly identify: (bytes: Uint8Array) => string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function* readList(
  client: HttpClient,
  first: ListRequest,
  options: ListOptions,
): AsyncGenerator<HarvestPage<ListRequest>> {
  const asked = new Set<string>();
  let request = first;
  let lastPage = '';
  let emptyPages = 0;
  for (;;) {
    asked.add(keyOf(request));
    const { bytes, url } = await client.read(writeRequest(request, options.signal), MAX_PAGE_BYTES);
    const document = parseObject(bytes, request.url);
    if (document.type !== 'FeatureCollection' && !Array.isArray(document.features))
      throw new GarnerError('source.answer', `${request.url} is no list of features${reasonOf(document)}`);
    const pieces = cutRecords(bytes, request.url, options.identify);
    const page = hash('sha256', Buffer.concat(pieces.map((piece) => piece.bytes)));
    const link = findLink(readLinks(document, url), 'next');
    const next = link && followLink(link, request);
    const loops =
      (next !== undefined && asked.has(keyOf(next))) ||
      (pieces.length > 0 && page === lastPage && next !== undefined);
    const total = readTotal(document);
    // Filters of some services leave pages empty in the middle; those of others never end. A total decides.
    emptyPages = pieces.length === 0 ? emptyPages + 1 : 0;
    const endless = next !== undefined && emptyPages > MAX_EMPTY_PAGES;
    const cut = loops
      ? `the pages of ${first.url} lead in a circle`
      : endless && total === undefined
        ? `${first.url} goes on with pages without records`
        : undefined;
    const goesOn = next !== undefined && !loops && !endless;
    yield {
      pieces,
      problems: [],
      bytes: bytes.length,
      ...(total !== undefined && { total }),
      ...(goesOn && { next }),
      ...(cut !== undefined && { cut: { code: 'source.answer', message: cut } }),
    };
    if (!goesOn) return;
    request = next;
    lastPage = page;
  }
}

const keyOf = ({ url, body }: ListRequest): string =>
  hash('sha256', JSON.stringify([url, body ?? null]), 'base64url');

function writeRequest({ url, body }: ListRequest, signal: AbortSignal | undefined): HttpRequest {
  const headers = { accept: JSON_TYPES };
  const common = { url, ...(signal && { signal }) };
  if (body === undefined) return { ...common, headers };
  return {
    ...common,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

function followLink(link: ApiLink, before: ListRequest): ListRequest {
  if (link.method === 'GET') return { url: link.href };
  const base = link.merge && isObject(before.body) ? before.body : {};
  return { url: link.href, body: { ...base, ...(isObject(link.body) ? link.body : {}) } };
}

function readTotal(document: JsonObject): number | undefined {
  const { context } = document;
  const candidates = [
    document.numberMatched,
    isObject(context) ? context.matched : undefined,
    document.totalFeatures,
  ];
  return candidates.find((value) => typeof value === 'number' && Number.isInteger(value) && value >= 0) as
    | number
    | undefined;
}

function cutRecords(bytes: Uint8Array, url: string, identify: ListOptions['identify']): RecordPiece[] {
  return splitJson(bytes).map((piece, index): RecordPiece => {
    // Copies: a view would drag the whole page along to the worker thread.
    const record = new Uint8Array(piece.bytes);
    const identifier = identify(record);
    return {
      bytes: record,
      syntax: 'json',
      where: url,
      line: piece.line,
      fallbackIdentifier: `${url}#${index + 1}`,
      ...(identifier !== undefined && { identifier }),
    };
  });
}

function reasonOf({ description, detail, title, message }: JsonObject): string {
  const said = [detail, description, message, title].find((text) => typeof text === 'string');
  return typeof said === 'string' ? `: ${said.slice(0, 200)}` : '';
}
