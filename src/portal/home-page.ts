/** The front page: one box, a few ways in, what is new. */
import { html } from 'hono/html';
import type { FacetCount, SearchAnswer } from '../store/index.ts';
import { countText } from './field-text.ts';
import { type Html, renderPage, type Site } from './page.ts';
import { renderHits, titleOf } from './result-list.ts';
import { EMPTY_STATE, searchHref, withFilter } from './search-state.ts';
import { shorten } from './snippet.ts';
import { WORLD_SYMBOL } from './world-map.ts';

export interface HomePageParts {
  readonly site: Site;
  /** Everything, newest first, with a few hits. */
  readonly answer: SearchAnswer;
  readonly examples: readonly string[];
  readonly topics:
    | { readonly field: string; readonly label: string; readonly counts: readonly FacetCount[] }
    | undefined;
  readonly signedInAs?: string | undefined;
}

export function renderHomePage({ site, answer, examples, topics, signedInAs }: HomePageParts): Html {
  const sources = answer.facets.source ?? [];
  const main = html`${WORLD_SYMBOL}
<div class="hero">
  <div class="wrap">
    <h1>${site.name}</h1>
    <p class="lead">${lead(answer.total, sources.length)}</p>
    <form class="search-form" action="/search" role="search" aria-label="Search">
      <div class="search-row">
        <label class="hidden" for="q">Search for</label>
        <input id="q" name="q" type="search" placeholder="What are you looking for?" autocomplete="off" maxlength="2000" data-suggest>
        <button class="primary">Search</button>
      </div>
    </form>
    ${examples.length ? html`<p class="examples">Try ${examples.map((example) => html`<a href="${searchHref({ ...EMPTY_STATE, q: example })}"><code>${example}</code></a> `)}</p>` : ''}
  </div>
</div>
<div class="wrap home-columns">
  ${
    answer.hits.length
      ? html`<section aria-labelledby="newest">
    <h2 id="newest">Newest</h2>
    ${renderHits(answer.hits, site, 1)}
    <p><a href="/search">Browse everything →</a></p>
  </section>`
      : html`<section><h2>Nothing here yet</h2><p>Import records, and they can be searched at once.</p></section>`
  }
  <div class="home-side">
    ${
      topics?.counts.length
        ? html`<section aria-labelledby="topics"><h2 id="topics">${topics.label}</h2>
      <ul class="cloud">${topics.counts.map(({ value, count }) => html`<li><a class="chip" href="${searchHref(withFilter(EMPTY_STATE, { field: topics.field, value }))}">${shorten(value, 40)} <span class="count">${countText(count)}<span class="hidden"> items</span></span></a></li>`)}</ul></section>`
        : ''
    }
    ${
      site.views.length
        ? html`<section aria-labelledby="views"><h2 id="views">Views</h2>
      <ul class="plain-list">${site.views.map((view) => html`<li><a href="${searchHref({ ...EMPTY_STATE, view: view.name })}">${view.title}</a></li>`)}</ul></section>`
        : ''
    }
    ${
      sources.length
        ? html`<section aria-labelledby="sources"><h2 id="sources">Sources</h2>
      <ul class="plain-list">${sources.map(({ value, count }) => html`<li><a href="${searchHref({ ...EMPTY_STATE, sources: [value] })}">${titleOf(value, site.sources)}</a> <span class="muted">${countText(count)}<span class="hidden"> items</span></span></li>`)}</ul></section>`
        : ''
    }
  </div>
</div>`;
  // ResourceSync §6.3.3: how a machine that sees this page finds what it can synchronise.
  const head = html`<link rel="resourcesync" href="${site.baseUrl}/resourcesync/capabilitylist.xml">
<link rel="alternate" type="application/atom+xml" title="Newest" href="/feeds/atom">`;
  return renderPage({ site, title: site.name, main, signedInAs, head });
}

function lead(total: number, sources: number): string {
  if (total === 0) return 'A collection waiting for its first record.';
  const items = `${countText(total)} ${total === 1 ? 'record' : 'records'}`;
  return sources > 1
    ? `${items} from ${countText(sources)} sources, searchable in one place.`
    : `${items}, searchable in one place.`;
}
