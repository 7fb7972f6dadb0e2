/** Guided narrowing: counts as links. A click adds a filter; an active one is taken away again. */
import { html } from 'hono/html';
import type { FacetCount } from '../store/index.ts';
import { countText } from './field-text.ts';
import type { Html } from './page.ts';
import {
  type FieldFilter,
  hasFilter,
  type SearchState,
  searchHref,
  withFilter,
  withoutFilter,
} from './search-state.ts';
import { shorten } from './snippet.ts';
import { binYears, type YearBin } from './year-bins.ts';

export interface FacetPanel {
  readonly field: string;
  readonly label: string;
  readonly counts: readonly FacetCount[];
  /** Bars over time instead of a list. */
  readonly years: boolean;
  readonly textOf?: (value: string) => string;
}

const SHOWN_AT_ONCE = 6;
const MOST_BARS = 11;

/** Further panels are folded until somebody opens them, or filters by them. */
const OPEN_PANELS = 4;

export function renderFacets(panels: readonly FacetPanel[], state: SearchState): Html {
  const shown = panels.filter((panel) => panel.counts.length > 0);
  return html`${shown.map((panel, i) => {
    if (panel.years) return renderYears(panel, state);
    const folded = i >= OPEN_PANELS && !state.filters.some(({ field }) => field === panel.field);
    return renderPanel(panel, folded, renderValues(panel, state));
  })}`;
}

function renderPanel({ field, label }: FacetPanel, folded: boolean, values: Html): Html {
  const heading = html`<h3 id="facet-${field}">${label}</h3>`;
  return html`<section class="facet" aria-labelledby="facet-${field}">
  ${folded ? html`<details class="fold"><summary>${heading}</summary>${values}</details>` : html`${heading}${values}`}
</section>`;
}

function renderValues({ field, label, counts, textOf }: FacetPanel, state: SearchState): Html {
  const row = ({ value, count }: FacetCount) => {
    const filter: FieldFilter = { field, value };
    const active = hasFilter(state, filter);
    const target = active ? withoutFilter(state, filter) : withFilter(state, filter);
    return html`<li><a class="${active ? 'value active' : 'value'}" href="${searchHref(target)}" rel="nofollow">
<span class="name">${active ? html`<span class="hidden">Remove filter: </span>` : ''}${shorten(textOf?.(value) ?? value, 80)}</span><span class="count">${countText(count)}<span class="hidden"> items</span></span></a></li>`;
  };
  const rest = counts.slice(SHOWN_AT_ONCE);
  return html`<ul>${counts.slice(0, SHOWN_AT_ONCE).map(row)}</ul>
  ${rest.length ? html`<details><summary>${rest.length} more<span class="hidden"> of ${label}</span></summary><ul>${rest.map(row)}</ul></details>` : ''}`;
}

/** In units of the picture, which are pixels at its usual size. */
const CHART = { width: 304, height: 60, widestBar: 36, labels: 18 } as const;

function renderYears({ field, label, counts }: FacetPanel, state: SearchState): Html {
  const bins = binYears(counts, MOST_BARS);
  const highest = Math.max(...bins.map((bin) => bin.count), 1);
  const first = bins[0];
  const last = bins.at(-1);
  if (!first || !last) return html``;
  const step = Math.min(CHART.width / bins.length, CHART.widestBar);
  const bar = (bin: YearBin, index: number) => {
    if (bin.count === 0) return '';
    const height = Math.max((bin.count / highest) * (CHART.height - 4), 3);
    const value = bin.from === bin.to ? String(bin.from) : `${bin.from}..${bin.to}`;
    const text = `${yearsText(bin)}: ${countText(bin.count)} ${bin.count === 1 ? 'item' : 'items'}`;
    const filter = { field, value };
    const active = hasFilter(state, filter);
    const target = active ? withoutFilter(state, filter) : withFilter(state, filter);
    const x = index * step;
    return html`<a href="${searchHref(target)}" class="${active ? 'active' : ''}" aria-label="${active ? `Remove filter: ${text}` : text}"><title>${text}</title><rect class="reach" x="${x}" y="0" width="${step}" height="${CHART.height}"/><rect class="bar" x="${x + 1.5}" y="${CHART.height - height}" width="${step - 3}" height="${height}" rx="2"/></a>`;
  };
  const end = bins.length * step;
  const { height, labels, width } = CHART;
  return html`<section class="facet years" aria-labelledby="facet-${field}">
  <h3 id="facet-${field}">${label}</h3>
  <svg viewBox="0 0 ${width} ${height + labels}">${bins.map(bar)}
    <path class="base" d="M0 ${height}.5H${end}"/>
    <g aria-hidden="true"><text x="0" y="${height + labels - 3}">${first.from}</text>
    ${first.from === last.to ? '' : html`<text x="${Math.max(end, 64)}" y="${height + labels - 3}" text-anchor="end">${last.to}</text>`}</g>
  </svg>
</section>`;
}

export function yearsText({ from, to }: { from: number | string; to: number | string }): string {
  return from === to ? String(from) : `${from}–${to}`;
}
