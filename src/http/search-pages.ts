/** / and /search. */

import type { Hono } from 'hono';
import { attributeSpec } from '../core/attributes.ts';
import type { FieldSpec } from '../core/model.ts';
import type { PortalAssets } from '../portal/assets.ts';
import { type FacetPanel, yearsText } from '../portal/facets.ts';
import { renderHomePage } from '../portal/home-page.ts';
import { titleOf } from '../portal/result-list.ts';
import { renderSearchPage, type SortChoice } from '../portal/search-page.ts';
import { narrows, readSearchState } from '../portal/search-state.ts';
import { MATCH_ALL } from '../query/ast.ts';
import type { FacetCount, FacetRequest, Hit, SearchAnswer } from '../store/index.ts';
import { type HttpContext, type HttpEnv, signedInAs } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { readQuestion } from './search-request.ts';
import { siteFor } from './site.ts';

const PAGE_SIZE = 20;
const NEWEST = 5;
/** Of so many the newest are chosen. */
const NEWEST_SEEN = 50;
const FACET_VALUES = 24;
const MOST_YEARS = 1000;
const MOST_PANELS = 10;
/** Shown first, in this order; other facet fields follow. */
const FIRST_PANELS = ['date', 'type', 'subject'];
const SORTS: readonly SortChoice[] = [
  { value: '-date', label: 'newest date' },
  { value: 'date', label: 'oldest date' },
  { value: 'title', label: 'title' },
  { value: '-updated', label: 'last changed' },
];

export function addSearchPages(app: Hono<HttpEnv>, deps: HttpDeps, assets: PortalAssets): void {
  const { store, catalogue, formats } = deps;
  const facetFields = orderFacets(formats.fieldSpecs());
  const sorts = SORTS.filter(({ value }) => catalogue.find(value.replace('-', '')) !== undefined);

  const searchPage = async (c: HttpContext) => {
    const site = siteFor(c, deps, assets);
    const state = readSearchState(new URL(c.req.url).searchParams);
    const answer = await store.search.search(
      {
        ...readQuestion(state, catalogue),
        limit: PAGE_SIZE,
        offset: (state.page - 1) * PAGE_SIZE,
        highlight: state.q !== '',
        facets: [
          ...facetFields.map(
            (field): FacetRequest => ({
              field: field.name,
              limit: field.type === 'date' ? MOST_YEARS : FACET_VALUES,
            }),
          ),
          { field: 'source', limit: FACET_VALUES },
          { field: 'schema', limit: FACET_VALUES },
        ],
      },
      c.get('viewer'),
    );
    const panelOf = (field: FieldSpec): FacetPanel => ({
      field: field.name,
      label: field.label,
      counts: answer.facets[field.name] ?? [],
      years: field.type === 'date',
    });
    const sourceTitle = (name: string) => titleOf(name, site.sources);
    const formatTitle = (name: string) =>
      formats.list().find((format) => format.name === name)?.label ?? name;
    const named: FacetPanel[] = facetFields.map(panelOf);
    const source: FacetPanel = {
      field: 'source',
      label: 'Source',
      counts: answer.facets.source ?? [],
      years: false,
      textOf: sourceTitle,
    };
    const schema: FacetPanel = {
      field: 'schema',
      label: 'Format',
      counts: answer.facets.schema ?? [],
      years: false,
      textOf: formatTitle,
    };
    const panels = [
      ...named.slice(0, FIRST_PANELS.length),
      source,
      ...named.slice(FIRST_PANELS.length),
      schema,
    ];
    const filterText = (field: string, value: string) => {
      const panel = panels.find((known) => known.field === field);
      const [from = value, to = from] = panel?.years ? value.split('..') : [value];
      return `${panel?.label ?? attributeSpec(field)?.label ?? field}: ${panel?.textOf?.(value) ?? yearsText({ from, to })}`;
    };
    const examples = answer.total === 0 && narrows(state) ? await suggestExamples(c) : [];
    return c.html(
      renderSearchPage({
        site,
        state,
        answer,
        panels: panels.filter(worthShowing),
        sorts,
        pageSize: PAGE_SIZE,
        filterText,
        examples,
        signedInAs: signedInAs(c),
      }),
    );

    /** A panel with one value that everything has helps nobody, unless it is a filter to be taken away. */
    function worthShowing({ field, counts }: FacetPanel): boolean {
      return (
        counts.length > 1 ||
        (counts[0]?.count ?? answer.total) < answer.total ||
        state.filters.some((filter) => filter.field === field)
      );
    }
  };

  const topicField = ['subject', 'variable', 'type'].find((name) =>
    facetFields.some((field) => field.name === name),
  );

  async function overview(c: HttpContext, limit: number): Promise<SearchAnswer> {
    const facets: FacetRequest[] = [{ field: 'source', limit: 100 }];
    if (topicField !== undefined) facets.push({ field: topicField, limit: 16 });
    return store.search.search(
      { query: MATCH_ALL, limit, sort: { by: 'updated', direction: 'desc' }, facets },
      c.get('viewer'),
    );
  }

  async function suggestExamples(c: HttpContext): Promise<string[]> {
    return exampleQueries((await overview(c, 0)).facets[topicField ?? ''] ?? []);
  }

  app.get('/', async (c) => {
    if (narrows(readSearchState(new URL(c.req.url).searchParams))) return searchPage(c);
    const overall = await overview(c, NEWEST_SEEN);
    const answer = { ...overall, hits: chooseNewest(overall.hits) };
    const counts = answer.facets[topicField ?? ''] ?? [];
    const label = facetFields.find((field) => field.name === topicField)?.label ?? '';
    const topics =
      topicField === undefined
        ? undefined
        : { field: topicField, label: `By ${label.toLowerCase()}`, counts };
    return c.html(
      renderHomePage({
        site: siteFor(c, deps, assets),
        answer,
        examples: exampleQueries(counts),
        topics,
        signedInAs: signedInAs(c),
      }),
    );
  });
  app.get('/search', searchPage);
}

function orderFacets(fields: readonly FieldSpec[]): FieldSpec[] {
  const rank = ({ name }: FieldSpec) => {
    const place = FIRST_PANELS.indexOf(name);
    return place < 0 ? FIRST_PANELS.length : place;
  };
  return fields
    .filter((field) => field.facet)
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MOST_PANELS);
}

/** What has no name but its address (robots.txt, a picture) says little; it is shown where there is nothing else. */
function chooseNewest(hits: readonly Hit[]): Hit[] {
  const named = hits.filter(({ title, identifier }) => title !== undefined && title !== identifier);
  return (named.length > 0 ? named : hits).slice(0, NEWEST);
}

/** Queries that find something, from the most frequent values. */
function exampleQueries(counts: readonly FacetCount[]): string[] {
  const examples: string[] = [];
  for (const { value } of counts) {
    // The last step of a keyword path says most.
    const text = (value.split(/\s*>\s*/).at(-1) ?? value).trim();
    if (text.length < 3 || text.length > 30 || /["\\]/.test(text)) continue;
    const example = /^[\p{L}\p{N}]+$/u.test(text) ? text : `"${text}"`;
    if (!examples.includes(example)) examples.push(example);
    if (examples.length === 4) break;
  }
  return examples;
}
