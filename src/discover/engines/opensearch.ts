/** Any engine with an OpenSearch 1.1 description that answers in RSS or Atom; `url` is the description. */
import { GarnerError } from '../../core/errors.ts';
import { parseSmallTree } from '../../xml/small-tree.ts';
import { nonsense } from './answer-json.ts';
import type { Ask, CreateEngine, EngineAnswer, EngineResult } from './engine.ts';
import { readFeedResults } from './feed-results.ts';
import { addressOf, pagedEngine } from './paged.ts';

interface Template {
  readonly text: string;
  /** The number of the first result and of the first page. */
  readonly indexOffset: number;
  readonly pageOffset: number;
}

const FEED_TYPES = ['application/atom+xml', 'application/rss+xml', 'application/rdf+xml'];
/** Asked for where the template has a place for it; else the engine decides. */
const PAGE_SIZE = 50;

export const opensearch: CreateEngine = (settings) => ({
  async *search(query: string, count: number, ask: Ask): AsyncGenerator<readonly EngineResult[]> {
    const template = readDescription(await ask({ url: settings.url ?? '' }));
    const pages = /\{startIndex\??\}|\{startPage\??\}/.test(template.text);
    const engine = pagedEngine({
      pageSize: PAGE_SIZE,
      most: 10_000,
      shortPages: pages,
      request: (terms, page) => ({
        url: addressOf(fillTemplate(template, terms, page), {}, settings),
      }),
      read: (answer) => ({ results: readFeedResults(answer), ...(!pages && { next: false as const }) }),
    });
    yield* engine.search(query, count, ask);
  },
});

function readDescription(answer: EngineAnswer): Template {
  const root = parseSmallTree(answer.bytes);
  if (root?.name !== 'OpenSearchDescription')
    throw nonsense(answer.url, new TextDecoder().decode(answer.bytes));
  const urls = root.children.filter(
    ({ name, attributes }) => name === 'Url' && (attributes.get('rel') ?? 'results') === 'results',
  );
  for (const type of FEED_TYPES) {
    const url = urls.find(({ attributes }) => attributes.get('type')?.split(';', 1)[0]?.trim() === type);
    const text = url?.attributes.get('template');
    if (!url || text === undefined) continue;
    const offset = (name: string) => Number(url.attributes.get(name) ?? 1);
    return {
      text: templateOn(text, answer.url),
      indexOffset: offset('indexOffset'),
      pageOffset: offset('pageOffset'),
    };
  }
  throw new GarnerError('source.answer', `${answer.url} describes no search that answers in Atom or RSS`);
}

/** Templates must be absolute; some are not. Braces would be escaped by a parser. */
const templateOn = (text: string, base: string): string =>
  /^https?:/i.test(text) ? text : new URL(base).origin + (text.startsWith('/') ? text : `/${text}`);

function fillTemplate(
  { text, indexOffset, pageOffset }: Template,
  terms: string,
  { from, size, number }: { readonly from: number; readonly size: number; readonly number: number },
): string {
  const values: Readonly<Record<string, string>> = {
    searchTerms: encodeURIComponent(terms),
    count: String(size),
    startIndex: String(from + indexOffset),
    startPage: String(number + pageOffset),
    language: '*',
    inputEncoding: 'UTF-8',
    outputEncoding: 'UTF-8',
  };
  // What is optional and not known stays empty (OpenSearch 1.1 §4.2).
  return text.replace(/\{([\w:]+)\??\}/g, (_, name: string) => values[name] ?? '');
}
