/**
 * The request target as the client wrote it. URL classes resolve `..` and `%2e`, so item routes are
 * decided from the raw text (see `core/identifiers.ts`).
 */
import type { IncomingMessage } from 'node:http';

/** What @hono/node-server hands in; absent when a test calls the app directly. */
export interface NodeBindings {
  readonly incoming?: IncomingMessage;
}

export function rawTarget(request: Request, bindings: NodeBindings | undefined): string {
  const target = bindings?.incoming?.url ?? request.url;
  // The absolute form (RFC 9112 §3.2.2) that proxies send, and that Request objects hold.
  return target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
}

/** Prefixes that are followed by a source and an identifier. */
export const ITEM_PREFIXES = {
  page: '/items/',
  versions: '/versions/',
  apiItem: '/api/items/',
  apiVersions: '/api/versions/',
  apiSimilar: '/api/similar/',
  push: '/api/push/',
  package: '/packages/',
  describe: '/describe/',
  apiSiteModel: '/api/site-models/',
} as const;

/** The path that routes are matched on: an identifier is one segment there, whatever slashes it holds. */
export function routePath(target: string): string {
  const path = target.replace(/[?#].*$/s, '');
  for (const prefix of Object.values(ITEM_PREFIXES)) {
    if (!path.startsWith(prefix)) continue;
    const slash = path.indexOf('/', prefix.length);
    if (slash < 0) return path;
    return path.slice(0, slash + 1) + path.slice(slash + 1).replaceAll('/', '%2F');
  }
  return path;
}
