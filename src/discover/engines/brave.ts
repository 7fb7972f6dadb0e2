/** Brave Search API: `count` up to 20, `offset` counts pages and ends at 9. */
import { readJson, resultsAt, textAt, valueAt } from './answer-json.ts';
import type { CreateEngine } from './engine.ts';
import { addressOf, pagedEngine } from './paged.ts';
import { resultOf } from './result.ts';

export const brave: CreateEngine = (settings) =>
  pagedEngine({
    pageSize: 20,
    most: 200,
    shortPages: true,
    headers: { 'x-subscription-token': settings.key ?? '', accept: 'application/json' },
    request: (q, { size, number }) => ({
      url: addressOf(
        settings.url ?? 'https://api.search.brave.com/res/v1/web/search',
        { q, count: size, offset: number },
        settings,
      ),
    }),
    read: (answer) => {
      const json = readJson(answer);
      // An answer without any page has no `web` at all.
      const found =
        valueAt(json, 'web') === undefined && valueAt(json, 'query') !== undefined
          ? []
          : resultsAt(answer, json, 'web', 'results');
      return {
        results: found.flatMap((hit) =>
          resultOf({
            url: textAt(hit, 'url'),
            title: textAt(hit, 'title'),
            snippet: textAt(hit, 'description'),
          }),
        ),
        ...(valueAt(json, 'query', 'more_results_available') === false && { next: false as const }),
      };
    },
  });
