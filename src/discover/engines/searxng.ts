/** SearXNG: somebody's own instance, with `json` among its `search.formats`. It chooses the page size. */
import { readJson, resultsAt, textAt } from './answer-json.ts';
import type { CreateEngine } from './engine.ts';
import { addressOf, pagedEngine } from './paged.ts';
import { resultOf } from './result.ts';

export const searxng: CreateEngine = (settings) =>
  pagedEngine({
    pageSize: 10,
    most: 1000,
    shortPages: true,
    request: (q, { number }) => ({
      url: addressOf(
        `${(settings.url ?? '').replace(/\/$/, '')}/search`,
        { q, format: 'json', pageno: number + 1 },
        settings,
      ),
    }),
    read: (answer) => ({
      results: resultsAt(answer, readJson(answer), 'results').flatMap((hit) =>
        resultOf({ url: textAt(hit, 'url'), title: textAt(hit, 'title'), snippet: textAt(hit, 'content') }),
      ),
    }),
  });
