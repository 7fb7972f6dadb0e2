/**
 * What a reader asked for, as the portal's and the API's URLs carry it. Reading and writing are each
 * other's inverse, so that every link on a page is the same question with one thing changed.
 */

export interface FieldFilter {
  readonly field: string;
  /** A facet value; `1990..1999` for a span of a date or number field. */
  readonly value: string;
}

export interface SearchState {
  readonly q: string;
  readonly view?: string;
  readonly sources: readonly string[];
  readonly filters: readonly FieldFilter[];
  /** `field`, `-field` or `relevance`; absent: the store's own choice. */
  readonly sort?: string;
  /** `west,south,east,north`, as typed. */
  readonly bbox?: string;
  readonly from?: string;
  readonly to?: string;
  /** From 1. */
  readonly page: number;
}

export const EMPTY_STATE: SearchState = { q: '', sources: [], filters: [], page: 1 };

/** Facet filters are parameters named `f.` and the field. */
const FILTER_PREFIX = 'f.';

/** Unknown parameters are ignored: links arrive with tracking parameters stuck to them. */
export function readSearchState(parameters: URLSearchParams): SearchState {
  const text = (name: string) => parameters.get(name)?.trim() || undefined;
  const filters: FieldFilter[] = [];
  for (const [name, value] of parameters) {
    if (!name.startsWith(FILTER_PREFIX) || !value) continue;
    const field = name.slice(FILTER_PREFIX.length);
    if (!filters.some((known) => known.field === field && known.value === value))
      filters.push({ field, value });
  }
  const [view, sort, from, to] = [text('view'), text('sort'), text('from'), text('to')];
  const bbox = text('bbox') ?? readCorners(text);
  const page = Number(text('page') ?? 1);
  return {
    q: parameters.get('q')?.trim() ?? '',
    sources: [...new Set(parameters.getAll('source').filter(Boolean))],
    filters,
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    ...(view !== undefined && { view }),
    ...(sort !== undefined && { sort }),
    ...(bbox !== undefined && { bbox }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

/** The form sends the four sides as fields of their own; an empty side reaches the edge of the world. */
function readCorners(text: (name: string) => string | undefined): string | undefined {
  const sides = ['west', 'south', 'east', 'north'].map(text);
  if (sides.every((side) => side === undefined)) return undefined;
  const edges = ['-180', '-90', '180', '90'];
  return sides.map((side, i) => side ?? edges[i]).join(',');
}

export function writeSearchState(state: SearchState): URLSearchParams {
  const parameters = new URLSearchParams();
  if (state.q) parameters.set('q', state.q);
  if (state.view) parameters.set('view', state.view);
  for (const source of state.sources) parameters.append('source', source);
  for (const { field, value } of state.filters) parameters.append(FILTER_PREFIX + field, value);
  if (state.from) parameters.set('from', state.from);
  if (state.to) parameters.set('to', state.to);
  if (state.bbox) parameters.set('bbox', state.bbox);
  if (state.sort) parameters.set('sort', state.sort);
  if (state.page > 1) parameters.set('page', String(state.page));
  return parameters;
}

export function searchHref(state: SearchState): string {
  const parameters = writeSearchState(state).toString();
  return parameters ? `/search?${parameters}` : '/search';
}

/** What answers it from now on, newest first. */
export function feedHref(state: SearchState): string {
  const { sort: _, ...asked } = state;
  const parameters = writeSearchState({ ...asked, page: 1 }).toString();
  return parameters ? `/feeds/atom?${parameters}` : '/feeds/atom';
}

/** The same question to the JSON API. */
export function apiSearchHref(state: SearchState, pageSize: number): string {
  const parameters = writeSearchState({ ...state, page: 1 });
  parameters.set('limit', String(pageSize));
  if (state.page > 1) parameters.set('offset', String((state.page - 1) * pageSize));
  return `/api/search?${parameters.toString()}`;
}

export function withFilter(state: SearchState, filter: FieldFilter): SearchState {
  const others = state.filters.filter((known) => !sameFilter(known, filter));
  return { ...state, filters: [...others, filter], page: 1 };
}

export function withoutFilter(state: SearchState, filter: FieldFilter): SearchState {
  return { ...state, filters: state.filters.filter((known) => !sameFilter(known, filter)), page: 1 };
}

export function hasFilter(state: SearchState, filter: FieldFilter): boolean {
  return state.filters.some((known) => sameFilter(known, filter));
}

/** True when something other than sorting and paging was asked. */
export function narrows(state: SearchState): boolean {
  return Boolean(
    state.q ||
      state.view ||
      state.sources.length ||
      state.filters.length ||
      state.from ||
      state.to ||
      state.bbox,
  );
}

function sameFilter(a: FieldFilter, b: FieldFilter): boolean {
  return a.field === b.field && a.value === b.value;
}
