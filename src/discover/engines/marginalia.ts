/** Marginalia Search: up to a hundred on a page, pages from 1. The key `public` works, but is crowded. */
import { readJson, resultsAt, textAt } from './answer-json.ts';
import type { CreateEngine } from './engine.ts';
import { addressOf, pagedEngine } from './paged.ts';
import { resultOf } from './result.ts';

export const marginalia: CreateEngine = (settings) =>
  pagedEngine({
    pageSize: 100,
    most: 1000,
    headers: { 'api-key': settings.key ?? 'public' },
    request: (query, { size, number }) => ({
      url: addressOf(
        settings.url ?? 'https://api2.marginalia-search.com/search',
        { query, count: size, page: number + 1 },
        settings,
      ),
    }),
    read: (answer) => ({
      results: resultsAt(answer, readJson(answer), 'results').flatMap((hit) =>
        resultOf({
          url: textAt(hit, 'url'),
          title: textAt(hit, 'title'),
          snippet: textAt(hit, 'description'),
        }),
      ),
    }),
  });
