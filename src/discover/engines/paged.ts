/** Engines that give their results in pages, which is all of them. */
import type {
  Ask,
  EngineAnswer,
  EngineRequest,
  EngineResult,
  EngineSettings,
  SearchEngine,
} from './engine.ts';

export interface PageWanted {
  /** Results before this page. */
  readonly from: number;
  /** Results on it, at most `pageSize`; the same for all pages of a search. */
  readonly size: number;
  /** From 0. */
  readonly number: number;
  /** What the page before gave as `next`. */
  readonly cursor?: string;
}

export interface PageRead {
  readonly results: readonly EngineResult[];
  /** Entries on the page, where some of them are no results. */
  readonly entries?: number;
  /** False: there are no more, though the page is full. A text: how to ask for the next one. */
  readonly next?: string | false;
}

export interface PagedEngine {
  readonly pageSize: number;
  /** No engine goes deeper than so many results. */
  readonly most: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Pages may be shorter than asked for; only an empty one is the last. */
  readonly shortPages?: boolean;
  readonly request: (query: string, page: PageWanted) => EngineRequest;
  readonly read: (answer: EngineAnswer) => PageRead;
}

export function pagedEngine({
  pageSize,
  most,
  headers,
  shortPages,
  request,
  read,
}: PagedEngine): SearchEngine {
  async function* search(query: string, count: number, ask: Ask): AsyncGenerator<readonly EngineResult[]> {
    const wanted = Math.min(count, most);
    const size = Math.min(pageSize, wanted);
    let cursor: string | undefined;
    let from = 0;
    for (let number = 0; from < wanted; number++) {
      const page = { from, size, number, ...(cursor !== undefined && { cursor }) };
      const { results, entries = results.length, next } = read(await ask(request(query, page)));
      if (results.length > 0) yield results.slice(0, wanted - from);
      if (entries === 0 || next === false || (!shortPages && next === undefined && entries < size)) return;
      cursor = next;
      from += entries;
    }
  }
  return { search, ...(headers && { headers }) };
}

/** An address with parameters; those of the config come last and win. */
export function addressOf(
  base: string,
  parameters: Readonly<Record<string, string | number | undefined>>,
  { parameters: more = {} }: EngineSettings = {},
): string {
  const url = new URL(base);
  for (const [name, value] of Object.entries({ ...parameters, ...more }))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
}

/** For engines that want all words unless told otherwise; the topic's query means any of them. */
export function anyWord(query: string, prefix = ''): string {
  return wordsOf(query)
    .map((word) => prefix + word)
    .join(' OR ');
}

/** Each once. */
export const wordsOf = (query: string): string[] => [...new Set(query.match(/[\p{L}\p{N}]+/gu) ?? [])];
