/** Response headers that hold for everything, and those of single kinds of answers. */
import { createHash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from './context.ts';

const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** For bytes that others wrote: no script, no request, an origin of its own. Browsers' XML viewers need the style. */
export const FOREIGN_BYTES_POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

export const secureHeaders: MiddlewareHandler<HttpEnv> = async (c, next) => {
  await next();
  const { headers } = c.res;
  const set = (name: string, value: string) => {
    if (!headers.has(name)) headers.set(name, value);
  };
  set('content-security-policy', PAGE_POLICY);
  set('x-content-type-options', 'nosniff');
  set('referrer-policy', 'same-origin');
  set('x-frame-options', 'DENY');
  set('cross-origin-opener-policy', 'same-origin');
  set('permissions-policy', 'camera=(), geolocation=(), microphone=()');
  // Who may see what changes; the answer to one reader is not for the next.
  set('cache-control', 'private, no-cache');
  headers.append('vary', 'Accept, Authorization, Cookie, Origin');
};

/** Anyone's page may read what is public; see `viewer.ts` for why that is safe. */
export const openToReaders: MiddlewareHandler<HttpEnv> = async (c, next) => {
  await next();
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return;
  c.res.headers.set('access-control-allow-origin', '*');
  c.res.headers.set('access-control-expose-headers', 'ETag, Link');
  c.res.headers.set('cross-origin-resource-policy', 'cross-origin');
};

/** A whole answer with a strong ETag of its content, or 304 when the client has it. */
export function taggedResponse(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
  ifNoneMatch: string | undefined,
): Response {
  const etag = `"${createHash('sha256').update(body).digest('hex')}"`;
  if (ifNoneMatch !== undefined && matchesTag(ifNoneMatch, etag))
    return new Response(null, { status: 304, headers: { etag } });
  return new Response(body, { headers: { ...headers, etag } });
}

export function matchesTag(header: string, etag: string): boolean {
  return header
    .split(',')
    .some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag.replace(/^W\//, ''));
}
