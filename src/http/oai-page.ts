/** Answers of OAI-PMH for people: whoever opens one in a browser gets a page instead of XML. */
import type { PortalAssets } from '../portal/assets.ts';
import { renderOaiPage } from '../portal/oai-page.ts';
import { readAnswer } from '../publish/index.ts';
import { likingOf } from './accept.ts';
import { type HttpContext, signedInAs } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { siteFor } from './site.ts';

/** What people look through at once. Tokens are good for pages of any size. */
export const PAGE_SIZES = { pageSize: 20, headersPageSize: 100, pageBytes: 2 ** 20 };

/** A single record may be larger than a page is. */
const MAX_SHOWN_BYTES = 8 * 2 ** 20;

/**
 * Harvesters must never get it. Java's own client prefers `text/html` to all others without being asked, and
 * so does more than one framework for crawlers; `Upgrade-Insecure-Requests` is sent by browsers alone, when
 * a person opens an address.
 */
export function wantsPage(c: HttpContext): boolean {
  const accept = c.req.header('accept');
  if (accept === undefined || !['GET', 'HEAD'].includes(c.req.method)) return false;
  const page = likingOf(accept, 'text/html');
  const answer = Math.max(likingOf(accept, 'text/xml'), likingOf(accept, 'application/xml'));
  if (page <= answer) return false;
  return answer === 0 || c.req.header('upgrade-insecure-requests') === '1';
}

/** Undefined when the answer is none that a page can show; it then goes out as it is. */
export async function oaiPage(
  c: HttpContext,
  deps: HttpDeps,
  assets: PortalAssets,
  provide: (request: Request) => Promise<Response>,
): Promise<Response | undefined> {
  const { url } = c.req.raw;
  const response = await provide(new Request(url));
  const bytes = response.ok ? await readUpTo(response.body, MAX_SHOWN_BYTES) : undefined;
  if (!bytes) return undefined;
  return c.html(
    renderOaiPage({
      site: siteFor(c, deps, assets),
      answer: readAnswer(bytes),
      path: c.req.path,
      asked: [...new URL(url).searchParams],
      signedInAs: signedInAs(c),
    }),
  );
}

/** Undefined for more, which is not read. */
async function readUpTo(
  body: ReadableStream<Uint8Array> | null,
  most: number,
): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.length;
    if (length > most) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces, length);
}
