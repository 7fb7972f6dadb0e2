/** Links of web APIs that speak JSON: OGC APIs and STAC. */
import { GarnerError } from '../../core/errors.ts';
import type { HttpClient } from '../http/index.ts';

export interface ApiLink {
  readonly rel: string;
  /** Absolute. */
  readonly href: string;
  readonly type: string;
  readonly method: 'GET' | 'POST';
  /** What a POST to there takes. */
  readonly body?: unknown;
  /** The body is to be laid over that of the request before (STAC API). */
  readonly merge: boolean;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function readLinks(document: JsonObject, base: string): ApiLink[] {
  if (!Array.isArray(document.links)) return [];
  return document.links.filter(isObject).flatMap((link): ApiLink[] => {
    const { rel, href, type, method, body, merge } = link;
    if (typeof rel !== 'string' || typeof href !== 'string' || !URL.canParse(href, base)) return [];
    return [
      {
        rel,
        href: new URL(href, base).href,
        type: typeof type === 'string' ? type : '',
        method: typeof method === 'string' && method.toUpperCase() === 'POST' ? 'POST' : 'GET',
        merge: merge === true,
        ...(body !== undefined && { body }),
      },
    ];
  });
}

/** By relation, written as a name or as the address of its definition; JSON before other types. */
export function findLink(links: readonly ApiLink[], ...rels: readonly string[]): ApiLink | undefined {
  for (const rel of rels) {
    const named = links.filter((link) => link.rel === rel || link.rel.endsWith(`/${rel}`));
    const found = named.find(({ type }) => type.includes('json')) ?? named.find(({ type }) => type === '');
    if (found) return found;
  }
  return undefined;
}

const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

export async function readObject(
  client: HttpClient,
  url: string,
  signal?: AbortSignal,
): Promise<{ document: JsonObject; bytes: Uint8Array; url: string }> {
  const { bytes, url: finalUrl } = await client.read(
    { url, headers: { accept: JSON_TYPES }, ...(signal && { signal }) },
    MAX_DOCUMENT_BYTES,
  );
  return { document: parseObject(bytes, url), bytes, url: finalUrl };
}

export const JSON_TYPES = 'application/geo+json, application/json;q=0.9, */*;q=0.1';

export function parseObject(bytes: Uint8Array, url: string): JsonObject {
  const text = new TextDecoder().decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const beginning = text.replace(/\s+/g, ' ').trim().slice(0, 80);
    throw new GarnerError('source.answer', `no JSON at ${url}: ${beginning || 'nothing'}`, { cause });
  }
  if (!isObject(value)) throw new GarnerError('source.answer', `no JSON object at ${url}`);
  return value;
}
