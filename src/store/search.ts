/** Port: search over everything the viewer may see. Totals and facets are exact and cover all matches. */
import type { Viewer } from '../core/access.ts';
import type { Fields, Instant, ItemRef } from '../core/model.ts';
import type { QueryNode } from '../query/ast.ts';

export interface SortSpec {
  /** A field name, or `relevance` or `updated`. Items without a value come last in both directions. */
  readonly by: string;
  readonly direction: 'asc' | 'desc';
}

export interface FacetRequest {
  /** A facet field, or `source`, `schema`, `set`. Dates count by year. */
  readonly field: string;
  readonly limit: number;
  /** Numbers are counted in steps of this width; the value is where a step begins. */
  readonly width?: number;
}

export interface SearchRequest {
  readonly query: QueryNode;
  readonly sources?: readonly string[];
  readonly view?: string;
  /** Default: relevance when the query has words, else newest first. */
  readonly sort?: SortSpec;
  readonly limit: number;
  readonly offset?: number;
  /** The `next` of the previous page. */
  readonly after?: string;
  readonly facets?: readonly FacetRequest[];
  readonly highlight?: boolean;
  /** Chosen stored fields; default all. */
  readonly fields?: readonly string[];
  /** With the raw bytes of the indexed record. */
  readonly raw?: boolean;
}

/** A piece of a field's text with the ranges that matched. */
export interface Snippet {
  readonly text: string;
  readonly marks: readonly (readonly [start: number, end: number])[];
}

export interface Hit extends ItemRef {
  /** The store's own number of the item. */
  readonly key: number;
  readonly oaiIdentifier: string;
  readonly schema: string;
  readonly updatedAt: Instant;
  readonly score?: number;
  readonly title?: string;
  readonly fields: Fields;
  readonly highlights?: Readonly<Record<string, readonly Snippet[]>>;
  readonly raw?: Uint8Array;
}

export interface FacetCount {
  readonly value: string;
  readonly count: number;
}

export interface SearchAnswer {
  readonly total: number;
  readonly hits: readonly Hit[];
  readonly facets: Readonly<Record<string, readonly FacetCount[]>>;
  /** Cursor for the next page; absent on the last. */
  readonly next?: string;
  /** Things the reader should know: ranking skipped, a wildcard cut short. */
  readonly notes: readonly string[];
}

export interface Suggestion {
  readonly text: string;
  /** The field it is a value of; `title` for titles. */
  readonly field: string;
  readonly count: number;
}

export interface SearchIndex {
  search(request: SearchRequest, viewer: Viewer): Promise<SearchAnswer>;
  /** Values of facet fields and titles that start with the prefix (any word of them), most frequent first. */
  suggest(
    prefix: string,
    options: { field?: string; limit: number },
    viewer: Viewer,
  ): Promise<readonly Suggestion[]>;
  /** Items whose rarest words are like this one's. */
  listSimilar(ref: ItemRef, limit: number, viewer: Viewer): Promise<readonly Hit[]>;
}
