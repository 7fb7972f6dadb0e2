/** The demo's engines as they answer: one like SearXNG, one with an OpenSearch description, one like Marginalia. */
import { escapeHtml } from './page-html.ts';
import { plainText, type WebPage } from './pages.ts';
import type { Ranking, Rankings } from './rankings.ts';

export interface EngineReply {
  readonly type: string;
  readonly body: string;
}

type Engine = (url: URL, rank: Ranking) => EngineReply | undefined;

const SNIPPET = 160;
const SEARXNG_PAGE = 10;

const ENGINES: Readonly<Record<string, readonly [ranking: keyof Rankings, answer: Engine]>> = {
  'words.search.example.net': ['words', answerSearxng],
  'titles.search.example.net': ['titles', answerOpensearch],
  'links.search.example.net': ['links', answerMarginalia],
};

export const ENGINE_HOSTS: readonly string[] = Object.keys(ENGINES);

/** Undefined: no engine is asked, or it knows no such address. */
export function answerEngine(url: URL, rankings: Rankings): EngineReply | undefined {
  const [ranking, answer] = ENGINES[url.hostname] ?? [];
  return ranking && answer?.(url, rankings[ranking]);
}

function answerSearxng({ pathname, searchParams }: URL, rank: Ranking): EngineReply | undefined {
  if (pathname !== '/search') return undefined;
  const query = searchParams.get('q') ?? '';
  const from = (numberOf(searchParams, 'pageno', 1) - 1) * SEARXNG_PAGE;
  const results = rank(query)
    .slice(from, from + SEARXNG_PAGE)
    .map((page) => ({ url: page.url, title: page.title, content: snippetOf(page), engine: 'words' }));
  return { type: 'application/json', body: JSON.stringify({ query, results }) };
}

function answerMarginalia({ pathname, searchParams }: URL, rank: Ranking): EngineReply | undefined {
  if (pathname !== '/search') return undefined;
  const query = searchParams.get('query') ?? '';
  const count = numberOf(searchParams, 'count', 20);
  const from = (numberOf(searchParams, 'page', 1) - 1) * count;
  const results = rank(query)
    .slice(from, from + count)
    .map((page) => ({ url: page.url, title: page.title, description: snippetOf(page) }));
  return { type: 'application/json', body: JSON.stringify({ license: 'CC0', query, results }) };
}

function answerOpensearch({ pathname, searchParams, origin }: URL, rank: Ranking): EngineReply | undefined {
  if (pathname === '/opensearch.xml')
    return {
      type: 'application/opensearchdescription+xml',
      body: `<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>Titles</ShortName><Description>Titles first</Description><Url type="application/rss+xml" indexOffset="0" template="${origin}/rss?q={searchTerms}&amp;count={count?}&amp;from={startIndex?}"/></OpenSearchDescription>`,
    };
  if (pathname !== '/rss') return undefined;
  const from = numberOf(searchParams, 'from', 0);
  const items = rank(searchParams.get('q') ?? '')
    .slice(from, from + numberOf(searchParams, 'count', 20))
    .map(
      (page) =>
        `<item><title>${escapeHtml(page.title)}</title><link>${escapeHtml(page.url)}</link><description>${escapeHtml(snippetOf(page))}</description></item>`,
    );
  return {
    type: 'application/rss+xml',
    body: `<rss version="2.0"><channel><title>Titles first</title>${items.join('')}</channel></rss>`,
  };
}

const numberOf = (parameters: URLSearchParams, name: string, usual: number): number =>
  Number(parameters.get(name) || usual);

/** Whole words. */
function snippetOf({ text }: WebPage): string {
  const plain = plainText(text).replace(/\s+/g, ' ').trim();
  return plain.length <= SNIPPET ? plain : `${plain.slice(0, SNIPPET).replace(/\s\S*$/, '')} …`;
}
