/** The search page: question, narrowing, answers. Works with plain links and forms. */
import { html, raw } from 'hono/html';
import type { SearchAnswer } from '../store/index.ts';
import { type FacetPanel, renderFacets } from './facets.ts';
import { countText } from './field-text.ts';
import { type Html, renderPage, type Site } from './page.ts';
import { renderHits, titleOf } from './result-list.ts';
import {
  apiSearchHref,
  feedHref,
  narrows,
  type SearchState,
  searchHref,
  withoutFilter,
} from './search-state.ts';
import { WORLD_SYMBOL } from './world-map.ts';

export interface SortChoice {
  readonly value: string;
  readonly label: string;
}

export interface SearchPageParts {
  readonly site: Site;
  readonly state: SearchState;
  readonly answer: SearchAnswer;
  readonly panels: readonly FacetPanel[];
  readonly sorts: readonly SortChoice[];
  readonly pageSize: number;
  /** How a filter's field and value are shown. */
  readonly filterText: (field: string, value: string) => string;
  /** Things to try when nothing was found. */
  readonly examples: readonly string[];
  readonly signedInAs?: string | undefined;
}

export function renderSearchPage(parts: SearchPageParts): Html {
  const { site, state, answer, panels, pageSize } = parts;
  const first = (state.page - 1) * pageSize + 1;
  const title = state.q ? `${state.q} – search` : 'Search';
  const shown = answer.hits.length;
  const main = html`${WORLD_SYMBOL}
<div class="wrap search-page">
  <h1 class="hidden">${state.q ? `Results for ${state.q}` : 'Browse the collection'}</h1>
  ${renderForm(parts)}
  ${renderActive(parts)}
  <div class="columns">
    <section class="results" aria-labelledby="results-heading">
      <div class="results-head">
        <h2 id="results-heading">${answer.total === 0 ? 'Nothing found' : html`${countText(answer.total)} ${answer.total === 1 ? 'item' : 'items'}`}
        ${shown > 0 && answer.total > shown ? html`<small>${countText(first)}–${countText(first + shown - 1)}</small>` : ''}</h2>
        <p class="same">${panels.length ? html`<a class="to-narrow" href="#narrow">Narrow ↓</a>` : ''}<a href="${apiSearchHref(state, pageSize)}" rel="nofollow">JSON</a></p>
      </div>
      ${answer.notes.map((note) => html`<p class="note">${note}</p>`)}
      ${answer.total === 0 ? renderEmpty(parts) : renderHits(answer.hits, site, first)}
      ${renderPaging(parts)}
    </section>
    ${
      panels.some((panel) => panel.counts.length > 0)
        ? html`<aside class="narrow" id="narrow" aria-label="Narrow the results">
      <details class="narrow-fold" open><summary><h2>Narrow the results</h2></summary>
      ${renderFacets(panels, state)}</details>
    </aside>`
        : ''
    }
  </div>
</div>`;
  const head = html`<link rel="alternate" type="application/atom+xml" title="${title}" href="${feedHref(state)}">`;
  return renderPage({ site, title, main, place: 'search', signedInAs: parts.signedInAs, head });
}

function renderForm({ site, state, sorts }: SearchPageParts): Html {
  const moreOpen = Boolean(state.from || state.to || state.bbox);
  const [west, south, east, north] = (state.bbox ?? '').split(',').map((side) => side.trim());
  const option = (value: string, label: string, chosen: boolean) =>
    html`<option value="${value}" ${chosen ? raw('selected') : ''}>${label}</option>`;
  const number = (
    name: string,
    label: string,
    value: string | undefined,
    reach: number,
  ) => html`<div class="field">
          <label for="${name}">${label}</label>
          <input id="${name}" name="${name}" type="number" step="any" min="-${reach}" max="${reach}" value="${value ?? ''}" inputmode="decimal">
        </div>`;
  return html`<form class="search-form" action="/search" role="search" aria-label="Search">
    <div class="search-row">
      <label class="hidden" for="q">Search for</label>
      <input id="q" name="q" type="search" value="${state.q}" placeholder="Words, “a phrase”, title:cloud*" autocomplete="off" maxlength="2000" data-suggest>
      <button class="primary">Search</button>
    </div>
    ${state.filters.map(({ field, value }) => html`<input type="hidden" name="f.${field}" value="${value}">`)}
    ${state.sources.map((source) => html`<input type="hidden" name="source" value="${source}">`)}
    <div class="options-row">
      ${
        site.views.length
          ? html`<div class="field inline"><label for="view">In</label>
      <select id="view" name="view">${option('', 'everything', !state.view)}${site.views.map((view) => option(view.name, view.title, view.name === state.view))}</select></div>`
          : ''
      }
      <div class="field inline"><label for="sort">Sort by</label>
      <select id="sort" name="sort">${option('', 'best first', !state.sort)}${sorts.map((sort) => option(sort.value, sort.label, sort.value === state.sort))}</select></div>
      <details class="more" ${moreOpen ? raw('open') : ''}>
        <summary>Date and place</summary>
        <div class="more-fields">
          <fieldset><legend>Date</legend>
            <div class="field"><label for="from">From</label><input id="from" name="from" value="${state.from ?? ''}" placeholder="1990 or 1990-05" maxlength="30"></div>
            <div class="field"><label for="to">To</label><input id="to" name="to" value="${state.to ?? ''}" placeholder="2006" maxlength="30"></div>
          </fieldset>
          <fieldset><legend>Place, in degrees</legend>
            ${number('west', 'West', west, 180)}${number('south', 'South', south, 90)}${number('east', 'East', east, 180)}${number('north', 'North', north, 90)}
          </fieldset>
          <button>Apply</button>
        </div>
      </details>
    </div>
  </form>`;
}

function renderActive({ site, state, filterText }: SearchPageParts): Html {
  const chips: { text: string; without: SearchState }[] = state.filters.map((filter) => ({
    text: filterText(filter.field, filter.value),
    without: withoutFilter(state, filter),
  }));
  for (const source of state.sources)
    chips.push({
      text: `Source: ${titleOf(source, site.sources)}`,
      without: { ...state, sources: state.sources.filter((name) => name !== source), page: 1 },
    });
  const { from, to, bbox, view, ...rest } = state;
  if (from || to)
    chips.push({
      text: `Date: ${from ?? '…'} – ${to ?? '…'}`,
      without: { ...rest, ...(bbox && { bbox }), ...(view && { view }), page: 1 },
    });
  if (bbox)
    chips.push({
      text: `Place: ${bbox}`,
      without: { ...rest, ...(from && { from }), ...(to && { to }), ...(view && { view }), page: 1 },
    });
  if (chips.length === 0) return html``;
  return html`<div class="active-filters"><h2 class="hidden">Active filters</h2><ul>
    ${chips.map(({ text, without }) => html`<li><a class="chip" href="${searchHref(without)}"><span class="hidden">Remove filter: </span>${text}<span class="cross" aria-hidden="true">×</span></a></li>`)}
    ${chips.length > 1 ? html`<li><a class="plain" href="${searchHref({ q: state.q, sources: [], filters: [], page: 1 })}">Remove all</a></li>` : ''}
  </ul></div>`;
}

function renderEmpty({ state, examples }: SearchPageParts): Html {
  const narrowed =
    state.filters.length > 0 || state.from || state.to || state.bbox || state.view || state.sources.length;
  return html`<div class="empty">
    ${
      narrows(state)
        ? html`<p>No item fits all of this. What often helps:</p>
    <ul>
      ${narrowed ? html`<li><a href="${searchHref({ q: state.q, sources: [], filters: [], page: 1 })}">Take away all filters</a></li>` : ''}
      ${
        state.q
          ? html`<li>Use fewer words, or an ending star: <code>${firstWord(state.q)}*</code></li>
      <li>Allow for other spellings with a tilde: <code>${firstWord(state.q)}~</code></li>`
          : ''
      }
    </ul>`
        : html`<p>There is nothing here yet. Once records are imported they can be searched at once.</p>`
    }
    ${examples.length ? html`<p>Or look at ${examples.map((example, i) => html`${i ? ', ' : ''}<a href="${searchHref({ q: example, sources: [], filters: [], page: 1 })}">${example}</a>`)}.</p>` : ''}
  </div>`;
}

function firstWord(query: string): string {
  return /[\p{L}\p{N}]+/u.exec(query)?.[0] ?? 'word';
}

function renderPaging({ state, answer, pageSize }: SearchPageParts): Html {
  const pages = Math.ceil(answer.total / pageSize);
  if (pages <= 1) return html``;
  const page = state.page;
  const to = (target: number) => searchHref({ ...state, page: target });
  return html`<nav class="paging" aria-label="Pages">
    ${page > 1 ? html`<a rel="prev" href="${to(page - 1)}">← Previous</a>` : html`<span></span>`}
    <span>Page ${countText(page)} of ${countText(pages)}</span>
    ${page < pages ? html`<a rel="next" href="${to(page + 1)}">Next →</a>` : html`<span></span>`}
  </nav>`;
}
