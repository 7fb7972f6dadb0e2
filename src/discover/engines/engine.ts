/**
 * What an engine is: a way to ask, and a way to read the answer. Everything else that engines have in
 * common (rate limit, quota, retries, keeping of the raw answer) is in `ask.ts`.
 */

/** What a digital library says that a thing is. */
export const WORKS = ['article', 'dataset', 'software', 'slides', 'image', 'news'] as const;
export type Work = (typeof WORKS)[number];

export interface EngineResult {
  readonly url: string;
  readonly title?: string;
  readonly snippet?: string;
  /** Media type, where the engine tells. */
  readonly mediaType?: string;
  readonly work?: Work;
  readonly doi?: string;
}

export interface EngineRequest {
  readonly url: string;
  readonly method?: 'GET' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A status beside 200 that is an answer: “nothing found” of some providers is 404. */
  readonly emptyStatus?: number;
}

export interface EngineAnswer {
  /** After redirects. */
  readonly url: string;
  readonly contentType?: string;
  readonly bytes: Uint8Array;
}

/** Asks once, politely; throws when no usable answer comes. */
export type Ask = (request: EngineRequest) => Promise<EngineAnswer>;

/** What an engine's entry in the config says, for those that need it. */
export interface EngineSettings {
  /** Instead of the provider's own address; the only one for engines that everybody runs for themselves. */
  readonly url?: string;
  readonly key?: string;
  /** Google: the number of the programmable search engine. */
  readonly engineId?: string;
  /** For the polite pools of OpenAlex and Crossref. */
  readonly email?: string;
  /** Common Crawl: the domains to look into, and the index to look into (default: the newest). */
  readonly domains?: readonly string[];
  readonly index?: string;
  /** Further parameters of every request. */
  readonly parameters?: Readonly<Record<string, string>>;
}

export interface SearchEngine {
  /** Results in the engine's order, page by page, until `count` came or there are no more. */
  search(query: string, count: number, ask: Ask): AsyncIterable<readonly EngineResult[]>;
  /** Sent with every request, but never to another host. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type CreateEngine = (settings: EngineSettings) => SearchEngine;
