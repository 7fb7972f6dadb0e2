/** Directories of the archive origin. Plain pages of their own: nothing of the portal is served there. */
import { html, raw } from 'hono/html';
import type { DirectoryFile, PageDirectory } from '../replay/index.ts';
import { ORIGINAL_FILE, writeArchiveAddress } from '../replay/index.ts';
import type { StoredCapture } from '../store/index.ts';
import { instantText, sizeText } from './field-text.ts';
import type { Html } from './page.ts';

const STYLE = raw(`<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { margin: 0 auto; padding: 1rem; max-width: 70rem; overflow-wrap: anywhere }
h1 { font-size: 1.3rem } table { border-collapse: collapse; width: 100% }
th, td { text-align: start; padding: .3rem .8rem .3rem 0; vertical-align: top; border-block-end: 1px solid #8884; overflow-wrap: break-word; min-width: 4.5rem }
.number { text-align: end; white-space: nowrap } .scroll { overflow-x: auto } .when { white-space: nowrap }
</style>`);

function frame(title: string, main: Html, portalUrl: string | undefined): Html {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title>${STYLE}</head>
<body><main>${main}</main><footer><p>Archived content, as it was found on the web.${portalUrl === undefined ? '' : html` <a href="${portalUrl}/">To the collection</a>`}</p></footer></body></html>`;
}

export const renderArchiveRoot = (portalUrl: string | undefined): Html =>
  frame(
    'Web archive',
    html`<h1>Web archive</h1><p>Pages that were archived are shown from here, and nothing else.</p>`,
    portalUrl,
  );

export const renderArchiveProblem = (message: string, portalUrl: string | undefined): Html =>
  frame('Not here', html`<h1>Not here</h1><p>${message}</p>`, portalUrl);

export interface UrlListing {
  readonly source: string;
  /** One of each URL. */
  readonly captures: readonly StoredCapture[];
  readonly nextHref: string | undefined;
}

export const renderUrlListing = (
  { source, captures, nextHref }: UrlListing,
  portalUrl: string | undefined,
): Html =>
  frame(
    source,
    html`<h1>${source}</h1><ul>${captures.map(({ url }) => html`<li><a href="${writeArchiveAddress({ source, url })}">${url}</a></li>`)}</ul>
${nextHref === undefined ? '' : html`<p><a rel="next" href="${nextHref}">more</a></p>`}`,
    portalUrl,
  );

/** All visits of a URL, newest first. */
export function renderTimes(
  url: string,
  captures: readonly StoredCapture[],
  portalUrl: string | undefined,
): Html {
  const source = captures[0]?.source ?? '';
  const rows = captures.map((capture) => {
    const { at, status, type, mediaType, contentLength, digest, file } = capture;
    const when = instantText(at);
    return html`<tr><td class="when">${file === undefined ? when : html`<a href="${writeArchiveAddress(capture)}">${when}</a>`}</td>
<td>${status ?? ''} ${type === 'revisit' ? 'unchanged' : (mediaType ?? type)}</td>
<td class="number">${contentLength === undefined || type === 'revisit' ? '' : sizeText(contentLength)}</td><td><code>${digest ?? ''}</code></td></tr>`;
  });
  return frame(
    url,
    html`<p><a href="${writeArchiveAddress({ source })}">${source}</a></p><h1>${url}</h1>
<div class="scroll" role="region" aria-label="Captures" tabindex="0"><table><thead><tr><th scope="col">Captured</th><th scope="col">Answer</th><th scope="col">Size</th><th scope="col">Digest</th></tr></thead><tbody>${rows}</tbody></table></div>`,
    portalUrl,
  );
}

/** One visit: the page and what it was shown with. */
export function renderDirectory(
  page: StoredCapture,
  { files, missing }: PageDirectory,
  portalUrl: string | undefined,
): Html {
  const { url, source, at, status, redirect } = page;
  const row = ({ name, url: of, capture }: DirectoryFile) =>
    html`<tr><td><a href="${encodeURIComponent(name)}">${name}</a></td><td>${capture.mediaType ?? ''}</td>
<td class="number">${capture.contentLength === undefined || capture.type === 'revisit' ? '' : sizeText(capture.contentLength)}</td><td class="when">${instantText(capture.at)}</td><td>${of}</td></tr>`;
  return frame(
    url,
    html`<p><a href="${writeArchiveAddress({ source })}">${source}</a> / <a href="${writeArchiveAddress({ source, url })}">all captures</a></p>
<h1>${url}</h1><p>Captured ${instantText(at)}, answer ${status ?? 'unknown'}${redirect === undefined ? '' : html`, which leads to <a href="${writeArchiveAddress({ source, url: redirect, at })}">${redirect}</a>`}.
<a href="${ORIGINAL_FILE}">The bytes as they were sent</a>.</p>
<div class="scroll" role="region" aria-label="Files" tabindex="0"><table><thead><tr><th scope="col">File</th><th scope="col">Type</th><th scope="col">Size</th><th scope="col">Captured</th><th scope="col">Address</th></tr></thead><tbody>${files.map(row)}</tbody></table></div>
${missing.length === 0 ? '' : html`<h2>Not in the archive</h2><ul>${missing.map((gone) => html`<li>${gone}</li>`)}</ul>`}`,
    portalUrl,
  );
}
