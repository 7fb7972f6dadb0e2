/** From what a page says to an absolute URL (URL Standard, with the page's encoding for queries). */
import { rawOf, type SourceText } from '../markup/source-text.ts';

const SCHEMES = new Set(['http:', 'https:', 'ftp:']);
const MAX_URL = 8192;
/** Their pages send queries in UTF-8, whatever they are written in (Encoding Standard, "get an output encoding"). */
const UNICODE = /^utf-/;
const NON_ASCII = /[^\0-\x7f]/;

export function parseUrl(text: string, base?: string): URL | undefined {
  if (text.length > MAX_URL) return undefined;
  const url = URL.parse(text, base);
  return url !== null && SCHEMES.has(url.protocol) ? url : undefined;
}

/**
 * Undefined when the text is no address of something else: another scheme, a mere fragment, nothing.
 * The fragment is dropped.
 */
export function resolveLink(source: SourceText, from: number, to: number, base: string): string | undefined {
  const written = source.text.slice(from, to).trim();
  if (written === '' || written.startsWith('#')) return undefined;
  if (PLAIN_PATH.test(written) && !written.includes('/.')) {
    const origin = originOf(base);
    if (origin !== undefined) return origin + written;
  }
  const url = parseUrl(withLegacyQuery(source, from, to) ?? written, base);
  if (!url || (url.hostname === '' && url.protocol !== 'ftp:')) return undefined;
  url.hash = '';
  return url.href;
}

/**
 * Most links of most sites. The URL Standard changes nothing in them: no dot segments, nothing to be encoded,
 * no fragment; only the host is missing.
 */
const PLAIN_PATH = /^\/(?!\/)[\w.~!$&()*+,;=:@/-]*(?:\?[\w.~!$&()*+,;=:@/?-]*)?$/;
let last: { readonly base: string; readonly origin: string | undefined } | undefined;

/** Of web addresses without a user's name; a page's links have one base. */
function originOf(base: string): string | undefined {
  if (last?.base !== base) {
    const url = URL.parse(base);
    const isPlain = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
    last = { base, origin: isPlain ? url.origin : undefined };
  }
  return last.origin;
}

/**
 * In a page of an older encoding a browser sends the query's characters in that encoding: exactly the bytes
 * that the page has, unless they were written as entities.
 */
function withLegacyQuery(source: SourceText, from: number, to: number): string | undefined {
  const text = source.text.slice(from, to);
  if (UNICODE.test(source.page.encoding) || !NON_ASCII.test(text)) return undefined;
  const query = text.indexOf('?');
  if (query < 0) return undefined;
  const tail = text.slice(query);
  if (!NON_ASCII.test(tail)) return undefined;
  const raw = rawOf(source, from + query, to);
  if (!raw.startsWith('?') || !NON_ASCII.test(raw)) return undefined;
  const encoded = raw.replace(
    /[^\0-\x7f]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
  return (text.slice(0, query) + encoded).trim();
}
