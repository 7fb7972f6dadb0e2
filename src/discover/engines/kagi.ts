/** Kagi Search API: one page, up to the `limit`. Entries of type 0 are results, others related searches. */
import { readJson, resultsAt, textAt } from './answer-json.ts';
import type { CreateEngine } from './engine.ts';
import { addressOf, pagedEngine } from './paged.ts';
import { resultOf } from './result.ts';

export const kagi: CreateEngine = (settings) =>
  pagedEngine({
    pageSize: 100,
    most: 100,
    headers: { authorization: `Bot ${settings.key ?? ''}` },
    request: (q, { size }) => ({
      url: addressOf(settings.url ?? 'https://kagi.com/api/v0/search', { q, limit: size }, settings),
    }),
    read: (answer) => ({
      results: resultsAt(answer, readJson(answer), 'data')
        .filter((entry) => entry.t === 0)
        .flatMap((hit) =>
          resultOf({ url: textAt(hit, 'url'), title: textAt(hit, 'title'), snippet: textAt(hit, 'snippet') }),
        ),
      next: false,
    }),
  });
