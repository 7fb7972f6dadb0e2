/** From what a URL asks to what the store is asked. */
import { GarnerError } from '../core/errors.ts';
import type { BoxValue, FieldType } from '../core/model.ts';
import { dateSpan } from '../core/time.ts';
import type { FieldFilter, SearchState } from '../portal/search-state.ts';
import { type Bound, MATCH_ALL, type QueryNode } from '../query/ast.ts';
import { type FieldCatalogue, getField } from '../query/catalogue.ts';
import { parseQuery } from '../query/parse.ts';
import type { FacetRequest, SearchRequest, SortSpec } from '../store/index.ts';

export { EMPTY_STATE } from '../portal/search-state.ts';

type Question = Pick<SearchRequest, 'query' | 'sources' | 'view' | 'sort'>;

export function readQuestion(state: SearchState, catalogue: FieldCatalogue): Question {
  const clauses: QueryNode[] = [];
  if (state.q) clauses.push(parseQuery(state.q, catalogue));
  for (const filter of state.filters) clauses.push(filterNode(filter, catalogue));
  if (state.from !== undefined || state.to !== undefined) clauses.push(dateNode(state, catalogue));
  if (state.bbox !== undefined) clauses.push(boxNode(state.bbox, catalogue));
  const [only] = clauses;
  const query: QueryNode =
    only === undefined ? MATCH_ALL : clauses.length === 1 ? only : { type: 'and', of: clauses };
  const sort = state.sort === undefined ? undefined : readSort(state.sort);
  return {
    query,
    ...(state.sources.length > 0 && { sources: state.sources }),
    ...(state.view !== undefined && { view: state.view }),
    ...(sort && { sort }),
  };
}

/** `title`, `-date`, `relevance`. */
export function readSort(text: string): SortSpec {
  const descending = text.startsWith('-');
  const by = descending ? text.slice(1) : text;
  if (!by) throw new GarnerError('request.invalid', 'sort: name a field, or relevance');
  return { by, direction: descending || by === 'relevance' ? 'desc' : 'asc' };
}

const SPANNED: ReadonlySet<FieldType> = new Set(['number', 'date', 'interval']);

function filterNode({ field: name, value }: FieldFilter, catalogue: FieldCatalogue): QueryNode {
  const field = getField(catalogue, name);
  if (!SPANNED.has(field.type)) return { type: 'value', field: name, value };
  const [from = '', to = from] = value.split('..');
  return rangeNode(name, from.trim(), to.trim());
}

function rangeNode(field: string, from: string | undefined, to: string | undefined): QueryNode {
  const bound = (value: string): Bound => ({ value, inclusive: true });
  return { type: 'range', field, ...(from && { from: bound(from) }), ...(to && { to: bound(to) }) };
}

/** From and to: what is dated so, or covers a period that touches it. */
function dateNode({ from, to }: SearchState, catalogue: FieldCatalogue): QueryNode {
  for (const [name, value] of Object.entries({ from, to }))
    if (value !== undefined && !dateSpan(value))
      throw new GarnerError(
        'request.invalid',
        `${name}: "${value}" is no date; write 2004, 2004-05 or 2004-05-31`,
      );
  const names = catalogue.names.filter(
    (name) => name === 'date' || catalogue.find(name)?.type === 'interval',
  );
  return anyOf(names, 'from', (name) => rangeNode(name, from, to));
}

function boxNode(text: string, catalogue: FieldCatalogue): QueryNode {
  const box = readBox(text);
  const names = catalogue.names.filter((name) => catalogue.find(name)?.type === 'bbox');
  return anyOf(names, 'bbox', (field) => ({ type: 'box', field, relation: 'intersects', box }));
}

function anyOf(names: readonly string[], parameter: string, make: (name: string) => QueryNode): QueryNode {
  const [first] = names;
  if (first === undefined)
    throw new GarnerError('request.invalid', `${parameter}: no configured format has such a field`);
  return names.length === 1 ? make(first) : { type: 'or', of: names.map(make) };
}

/** `west,south,east,north`; west above east crosses the antimeridian. */
export function readBox(text: string): BoxValue {
  const sides = text.split(',').map((side) => (side.trim() === '' ? Number.NaN : Number(side)));
  const [west, south, east, north] = sides;
  const fits =
    sides.length === 4 &&
    west !== undefined &&
    south !== undefined &&
    east !== undefined &&
    north !== undefined &&
    Math.abs(west) <= 180 &&
    Math.abs(east) <= 180 &&
    south >= -90 &&
    north <= 90 &&
    south <= north;
  if (!fits)
    throw new GarnerError(
      'request.invalid',
      `bbox: "${text}" is no box; write west,south,east,north in degrees, such as -5,47,20,55`,
    );
  return { west, south, east, north };
}

const MOST_FACETS = 20;

/** `subject` or `subject:20`. */
export function readFacet(text: string, index: number): FacetRequest {
  if (index >= MOST_FACETS)
    throw new GarnerError('request.invalid', `facet: at most ${MOST_FACETS} fields at once`);
  const [, field, limit] = /^(\w+)(?::(\d{1,4}))?$/.exec(text.trim()) ?? [];
  if (field === undefined)
    throw new GarnerError('request.invalid', `facet: "${text}" is not of the form field or field:20`);
  return { field, limit: Math.min(Number(limit ?? 10), 1000) };
}
