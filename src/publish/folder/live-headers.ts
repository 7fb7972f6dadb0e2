/** The headers of a file: those of the live site when it answers, else computed, and marked as such. */
import type { Clock } from '../../core/time.ts';
import { HEADER_ORIGIN, type HttpHeader } from '../../formats/http-header.ts';
import type { WebFile } from '../../formats/web-file.ts';
import type { SiteClient } from './site-client.ts';

const FRESH_MS = 5 * 60_000;
const REMEMBERED = 5000;
/** After a question that got no answer at all, the site is left in peace for so long. */
const SILENT_MS = 60_000;

export type HeadersOf = (file: WebFile) => Promise<readonly HttpHeader[]>;

export function createHeaders(client: SiteClient | undefined, clock: Clock): HeadersOf {
  const known = new Map<
    string,
    { readonly at: number; readonly headers: readonly HttpHeader[] | undefined }
  >();
  let silentUntil = 0;

  const ask = async (url: string): Promise<readonly HttpHeader[] | undefined> => {
    if (!client || clock() < silentUntil) return undefined;
    try {
      const { status, headers, url: answered } = await client.head(url);
      // Headers of an error, or of another address, are not those of this file.
      return status === 200 && answered === url ? headers : undefined;
    } catch {
      // Not reachable from here: said by the mark.
      silentUntil = clock() + SILENT_MS;
      return undefined;
    }
  };

  return async (file) => {
    // A file that changed has other headers than before.
    const key = `${file.url} ${file.sha256} ${file.lastModified ?? ''}`;
    let entry = known.get(key);
    if (!entry || clock() - entry.at > FRESH_MS) {
      const headers = await ask(file.url);
      entry = { at: clock(), headers };
      if (known.size >= REMEMBERED) known.clear();
      if (headers) known.set(key, entry);
    }
    return entry.headers ? [...entry.headers, [HEADER_ORIGIN, 'live']] : computeHeaders(file);
  };
}

/** What any web server would say of the file; no ETag, which is each server's own. */
export function computeHeaders(file: WebFile): readonly HttpHeader[] {
  return [
    ...(file.lastModified === undefined
      ? []
      : ([['Last-Modified', new Date(file.lastModified).toUTCString()]] as const)),
    ['Content-Length', String(file.size)],
    ['Content-Type', file.contentType],
    ...(file.language === undefined ? [] : ([['Content-Language', file.language]] as const)),
    ['Repr-Digest', `sha-256=:${Buffer.from(file.sha256, 'hex').toString('base64')}:`],
    [HEADER_ORIGIN, 'computed'],
  ];
}
