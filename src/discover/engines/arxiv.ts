/** arXiv: Atom. It asks for three seconds between two requests. */
import type { CreateEngine } from './engine.ts';
import { readFeedResults } from './feed-results.ts';
import { addressOf, anyWord, pagedEngine } from './paged.ts';

export const arxiv: CreateEngine = (settings) =>
  pagedEngine({
    pageSize: 100,
    most: 10_000,
    request: (query, { from, size }) => ({
      url: addressOf(
        settings.url ?? 'https://export.arxiv.org/api/query',
        { search_query: anyWord(query, 'all:'), start: from, max_results: size, sortBy: 'relevance' },
        settings,
      ),
    }),
    read: (answer) => ({ results: readFeedResults(answer, 'preprint') }),
  });
