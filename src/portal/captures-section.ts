/** What the archive holds of a URL: one row for each visit. Content is shown on another origin, or downloaded. */
import { html } from 'hono/html';
import { writeArchiveAddress } from '../replay/index.ts';
import type { StoredCapture } from '../store/index.ts';
import { instantText, sizeText } from './field-text.ts';
import type { Html } from './page.ts';

export interface CapturesPart {
  /** Newest first. */
  readonly captures: readonly StoredCapture[];
  /** There are more than these. */
  readonly isCut: boolean;
  /** The path that gives content out; absent: it is not given out. */
  readonly contentPath: string | undefined;
  /** Where archived pages are shown; absent: nowhere. */
  readonly archiveOrigin: string | undefined;
}

export function renderCaptures({ captures, isCut, contentPath, archiveOrigin }: CapturesPart): Html {
  if (captures.length === 0) return html``;
  const [first] = captures;
  const index = `/cdx?${new URLSearchParams({ url: first?.url ?? '', source: first?.source ?? '' })}`;
  return html`<section aria-labelledby="captures"><h2 id="captures">Captures</h2>
<div class="scroll" role="region" aria-labelledby="captures" tabindex="0"><table>
<thead><tr><th scope="col">Captured</th><th scope="col">Answer</th><th scope="col">Size</th><th scope="col">Content</th></tr></thead>
<tbody>${captures.map((capture) => renderRow(capture, contentPath, archiveOrigin))}</tbody></table></div>
<p class="muted">${isCut ? 'The newest ones; ' : ''}<a href="${index}">all as a list for programs (CDX)</a></p></section>`;
}

function renderRow(
  capture: StoredCapture,
  contentPath: string | undefined,
  archiveOrigin: string | undefined,
): Html {
  const { url, source, at, status, mediaType, contentLength, type, file } = capture;
  const when = new Date(at).toISOString().replace(/\D/g, '').slice(0, 14);
  const isThere = contentPath !== undefined && file !== undefined;
  const href = `${contentPath}?${new URLSearchParams({ url, at: when, source })}`;
  const what = type === 'revisit' ? 'unchanged' : (mediaType ?? type);
  return html`<tr><td>${file === undefined || archiveOrigin === undefined ? instantText(at) : html`<a href="${archiveOrigin}${writeArchiveAddress({ source, url, at })}">${instantText(at)}</a>`}</td><td>${status ?? ''} ${what}</td><td class="number">${contentLength === undefined || type === 'revisit' ? '' : sizeText(contentLength)}</td><td>${isThere ? html`<a href="${href}" download>download</a>` : 'not here'}</td></tr>`;
}
