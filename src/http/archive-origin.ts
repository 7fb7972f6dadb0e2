/**
 * The archive origin: a server of its own that shows archived bytes and their directories, and nothing else.
 * What others wrote runs there without scripts, without a network and without an origin.
 */
import { Readable } from 'node:stream';
import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ANONYMOUS } from '../core/access.ts';
import { asGarnerError, GarnerError } from '../core/errors.ts';
import {
  renderArchiveProblem,
  renderArchiveRoot,
  renderDirectory,
  renderTimes,
  renderUrlListing,
} from '../portal/archive-listing.ts';
import {
  type ArchiveAddress,
  DirectoryShelf,
  getCaptureAt,
  listArchivedUrls,
  listTimes,
  type OpenedFile,
  ORIGINAL_FILE,
  openOriginal,
  openWithLinks,
  parseArchiveAddress,
  writeArchiveAddress,
} from '../replay/index.ts';
import type { StoredCapture } from '../store/index.ts';
import type { HttpEnv } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { describeProblem } from './problem.ts';
import { rawTarget } from './raw-target.ts';
import { findViewer } from './viewer.ts';

export interface ArchiveOriginDeps
  extends Pick<HttpDeps, 'store' | 'tokens' | 'groupsOf' | 'trustedProxies' | 'clock' | 'log'> {
  readonly dataFolder: string;
  /** Where the collection is; absent: nobody knows. */
  readonly portalUrl?: string;
}

/**
 * `sandbox`: no scripts, forms or plug-ins, an origin that equals no other. Only what lies in the archive is
 * loaded. Frames stay empty: a page in the sandbox has no origin that it could be permitted by.
 */
const ARCHIVED_POLICY =
  "sandbox; default-src 'none'; img-src 'self' data:; media-src 'self' data:; font-src 'self' data:; style-src 'self' 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
const LISTING_POLICY =
  "sandbox allow-downloads; default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
/** What a browser shows by itself; a viewer of PDF does not work in the sandbox. */
const SHOWN = /^(?:text\/|image\/|audio\/|video\/|font\/|application\/(?:xhtml\+xml|xml|json)\b)/;

export function createArchiveOrigin(deps: ArchiveOriginDeps): Hono<HttpEnv> {
  const { store, clock, log, portalUrl, dataFolder } = deps;
  const access = { captures: store.captures, dataFolder };
  const shelf = new DirectoryShelf(access, clock);
  const app = new Hono<HttpEnv>({ getPath: (request, options) => pathOf(rawTarget(request, options?.env)) });

  app.use(async (c, next) => {
    await next();
    const { headers } = c.res;
    if (!headers.has('content-security-policy')) headers.set('content-security-policy', LISTING_POLICY);
    headers.set('x-content-type-options', 'nosniff');
    headers.set('referrer-policy', 'no-referrer');
    headers.set('x-dns-prefetch-control', 'off');
    headers.set('cross-origin-opener-policy', 'same-origin');
    // Asked for by pages that have no origin; what they may not see, they are not given.
    headers.set('cross-origin-resource-policy', 'cross-origin');
    headers.set('cache-control', 'private, no-cache');
    headers.append('vary', 'Authorization, Cookie');
  });
  app.use(async (c, next) => {
    c.set('viewer', ANONYMOUS);
    const request = {
      method: c.req.method,
      headers: c.req.raw.headers,
      remoteAddress: c.env?.incoming?.socket.remoteAddress,
    };
    const { tokens, groupsOf, trustedProxies = 0 } = deps;
    const origins = [new URL(c.req.url).origin];
    const rules = { tokens, trustedProxies, origins, ...(groupsOf && { groupsOf }) };
    c.set('viewer', await findViewer(request, rules, clock()));
    await next();
  });

  app.get('/', (c) => c.html(renderArchiveRoot(portalUrl)));
  app.get('/robots.txt', (c) => c.text('User-agent: *\nDisallow: /\n'));
  app.get('/*', async (c) => {
    const address = parseArchiveAddress(c.req.path);
    if (!address) throw new GarnerError('request.unknown', 'there is nothing at this address');
    const viewer = c.get('viewer');
    const { source, url } = address;
    if (url === undefined) {
      const after = readAfter(c.req.query('after'));
      const { captures, next } = await listArchivedUrls(store.captures, source, after, viewer);
      const nextHref = next && `?after=${writeAfter(next)}`;
      return c.html(renderUrlListing({ source, captures, nextHref }, portalUrl));
    }
    if (address.at === undefined)
      return c.html(renderTimes(url, await listTimes(store.captures, source, url, viewer), portalUrl));
    const capture = await getCaptureAt(store.captures, address, viewer);
    if (Math.floor(capture.at / 1000) !== address.at / 1000 || !c.req.path.endsWith(canonicalEnd(address)))
      return c.redirect(
        writeArchiveAddress({ ...capture, ...(address.name !== undefined && { name: address.name }) }),
      );
    if (address.name === ORIGINAL_FILE) return send(await openOriginal(access, capture, viewer), capture);
    const directory = await shelf.get(capture, viewer);
    if (address.name === undefined) return c.html(renderDirectory(capture, directory, portalUrl));
    const file = directory.files.find(({ name }) => name === address.name);
    if (!file) throw new GarnerError('request.unknown', 'there is no such file beside this page');
    return send(await openWithLinks(access, file, directory.files, viewer), file.capture);
  });
  app.notFound((c) => c.html(renderArchiveProblem('there is nothing at this address', portalUrl), 404));
  app.onError((thrown, c) => {
    const error = asGarnerError(thrown);
    const problem = describeProblem(error);
    if (problem.status >= 500) log('http.failed', { method: c.req.method, path: c.req.path, error });
    return c.html(renderArchiveProblem(problem.detail, portalUrl), problem.status as ContentfulStatusCode);
  });
  return app;
}

const pathOf = (target: string): string => target.replace(/[?#].*$/s, '');

/** Names in a page are relative: a directory without its slash would lead astray. */
const canonicalEnd = ({ name }: ArchiveAddress): string => (name === undefined ? '/' : '');

function send({ mediaType, bytes }: OpenedFile, { at }: StoredCapture): Response {
  const body = Readable.toWeb(Readable.from(bytes)) as ReadableStream<Uint8Array>;
  return new Response(body, {
    headers: {
      'content-type': mediaType,
      'content-security-policy': ARCHIVED_POLICY,
      'memento-datetime': new Date(at).toUTCString(),
      // Fonts are asked for by rules of their own; without a cookie, anybody may read what is public.
      'access-control-allow-origin': '*',
      ...(!SHOWN.test(mediaType) && { 'content-disposition': 'attachment' }),
    },
  });
}

/** The place in the list behind which it goes on. */
const writeAfter = ({ urlKey, at, key }: StoredCapture): string =>
  Buffer.from(JSON.stringify([urlKey, at, key])).toString('base64url');

function readAfter(text: string | undefined): { urlKey: string; at: number; key: number } | undefined {
  if (text === undefined) return undefined;
  try {
    const [urlKey, at, key]: unknown[] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (typeof urlKey === 'string' && typeof at === 'number' && typeof key === 'number')
      return { urlKey, at, key };
  } catch {
    // As below.
  }
  throw new GarnerError('request.invalid', 'after: as the list before gave it');
}
