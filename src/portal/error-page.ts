/** What went wrong, where, and what to try. */
import { html } from 'hono/html';
import { renderCaret, sentence } from './expression-note.ts';
import { type Html, renderPage, type Site } from './page.ts';

export interface ErrorPageParts {
  readonly site: Site;
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly help: string;
  /** The query, when it is what was not understood. */
  readonly query?: string | undefined;
  /** Offset into the query, in UTF-16 units. */
  readonly position?: number | undefined;
  /** Where all versions of the item are listed. */
  readonly versionsPath?: string | undefined;
  readonly signedInAs?: string | undefined;
}

const HEADINGS: Readonly<Record<number, string>> = {
  400: 'That could not be understood',
  401: 'Please sign in',
  403: 'That is not open to you',
  404: 'There is nothing here',
  410: 'That list has changed',
  503: 'Busy just now',
};

/** Where the status alone would not say it. */
const HEADINGS_OF_CODES: Readonly<Record<string, string>> = {
  'version.thinned': 'That version is no longer kept',
};

export function renderErrorPage(parts: ErrorPageParts): Html {
  const { site, status, code, message, help, query, versionsPath, signedInAs } = parts;
  const heading = HEADINGS_OF_CODES[code] ?? HEADINGS[status] ?? 'Something went wrong';
  const main = html`<div class="wrap narrow-text error-page">
  <h1>${heading}</h1>
  <p class="lead">${sentence(message)}</p>
  ${query === undefined ? '' : renderCaret(query, parts.position)}
  ${query === undefined ? html`<p>${withCode(help)}</p>` : ''}
  ${
    query === undefined
      ? html`<p>${versionsPath === undefined ? '' : html`<a href="${versionsPath}">All versions</a> · `}<a href="/">To the front page</a></p>`
      : html`<form class="search-form" action="/search" role="search" aria-label="Search">
    <div class="search-row"><label class="hidden" for="q">Search for</label>
    <input id="q" name="q" type="search" value="${query}" autocomplete="off" maxlength="2000" data-suggest><button class="primary">Search again</button></div>
  </form>
  <h2 class="after-form">Tips</h2>
  <ul><li>Put a phrase, and anything with signs in it, into "quotes".</li><li>Close every bracket and quote that you open.</li><li><a href="/help">All of the query language on one page</a></li></ul>`
  }
  <p class="muted"><code>${code}</code></p>
</div>`;
  return renderPage({ site, title: heading, main, signedInAs, ...(query === undefined && { query: '' }) });
}

/** What stands between backticks is to be typed. */
const withCode = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
