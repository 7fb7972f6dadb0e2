/** The frame of every page: head, skip link, banner with search box, footer. Everything inserted is escaped. */
import { html, raw } from 'hono/html';

/** A piece of escaped HTML. */
export type Html = ReturnType<typeof html>;

export interface NamedThing {
  readonly name: string;
  readonly title: string;
}

/** What every page knows of the site. */
export interface Site {
  readonly name: string;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly adminEmail: string;
  readonly version: string;
  /** Paths with the content's digest in the name, so that they may be cached for ever. */
  readonly styleHref: string;
  readonly scriptHref: string;
  /** Labels of fields by name. */
  readonly fieldLabels: Readonly<Record<string, string>>;
  readonly views: readonly NamedThing[];
  readonly sources: readonly NamedThing[];
  /** Whether the navigation has a place for topics. */
  readonly topics?: boolean;
  /** Whether there are pages of data elements. */
  readonly elements?: boolean;
  /** Whether there is a guided search. */
  readonly guided?: boolean;
}

export interface PageParts {
  readonly site: Site;
  readonly title: string;
  readonly main: Html;
  /** Marks the place in the navigation. */
  readonly place?: 'search' | 'topics' | 'runs' | 'help' | 'dictionary' | 'guided';
  /** In the banner's search box; absent: the page brings its own box. */
  readonly query?: string;
  /** The name of the token of a reader who signed in. */
  readonly signedInAs?: string | undefined;
  readonly head?: Html;
}

/** An ear of wheat. */
const EAR: readonly (readonly [x: number, y: number, turn: number])[] = [
  [16, 5, 0],
  ...[9, 14.5, 20].flatMap((y) => [[11.6, y, -32] as const, [20.4, y, 32] as const]),
];

const MARK = raw(
  '<svg class="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false">' +
    '<path class="stem" d="M16 31V10"/>' +
    EAR.map(
      ([x, y, turn]) =>
        `<ellipse cx="${x}" cy="${y}" rx="2.3" ry="4.2" transform="rotate(${turn} ${x} ${y})"/>`,
    ).join('') +
    '</svg>',
);

export function renderPage({ site, title, main, place, query, signedInAs, head }: PageParts): Html {
  const link = (name: string, href: string, text: string) =>
    html`<li><a href="${href}" ${place === name ? raw('aria-current="page"') : ''}>${text}</a></li>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === site.name ? title : `${title} · ${site.name}`}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${site.styleHref}">
<link rel="search" type="application/opensearchdescription+xml" title="${site.name}" href="/opensearch.xml">
<script type="module" src="${site.scriptHref}"></script>
${head ?? ''}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="banner">
  <div class="wrap banner-row">
    <a class="wordmark" href="/">${MARK}<span>Garner</span></a>
    ${query === undefined ? '' : renderBannerSearch(query)}
    <nav class="site-nav" aria-label="Site">
      <ul>
        ${link('search', '/search', 'Browse')}
        ${site.guided === true ? link('guided', '/guided', 'Guided') : ''}
        ${site.topics === true ? link('topics', '/topics', 'Topics') : ''}
        ${link('runs', '/runs', 'Runs')}
        ${link('help', '/help', 'Help')}
        ${signedInAs === undefined ? '' : html`<li><a href="/login" title="Signed in">${signedInAs}</a></li>`}
      </ul>
    </nav>
  </div>
</header>
<main id="main" tabindex="-1">
${main}
</main>
<footer class="foot">
  <div class="wrap">
    <p><strong>${site.name}</strong></p>
    <ul>
      <li><a href="/help">How to search</a></li>
      <li><a href="/api/openapi.json">API</a></li>
      <li><a href="/repository">Harvest</a></li>
      ${site.elements === true ? html`<li><a href="/dictionary" ${place === 'dictionary' ? raw('aria-current="page"') : ''}>Data elements</a></li>` : ''}
      ${signedInAs === undefined ? html`<li><a href="/login">Sign in</a></li>` : ''}
      ${site.adminEmail ? html`<li><a href="mailto:${site.adminEmail}">Contact</a></li>` : ''}
      <li class="muted">Garner ${site.version}</li>
    </ul>
  </div>
</footer>
</body>
</html>`;
}

function renderBannerSearch(query: string): Html {
  return html`<form class="banner-search" action="/search" role="search" aria-label="Quick search">
      <label class="hidden" for="banner-q">Search</label>
      <input id="banner-q" name="q" type="search" value="${query}" placeholder="Search the collection" autocomplete="off" maxlength="2000" data-suggest>
      <button>Search</button>
    </form>`;
}
