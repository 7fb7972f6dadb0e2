/** Mojeek Search API: `s` is the number of the first result, `t` how many. Errors come with status 200. */
import { nonsense, readJson, resultsAt, textAt } from './answer-json.ts';
import type { CreateEngine } from './engine.ts';
import { addressOf, pagedEngine } from './paged.ts';
import { resultOf } from './result.ts';

export const mojeek: CreateEngine = (settings) =>
  pagedEngine({
    pageSize: 50,
    most: 1000,
    request: (q, { from, size }) => ({
      url: addressOf(
        settings.url ?? 'https://www.mojeek.com/search',
        { api_key: settings.key, q, fmt: 'json', s: from + 1, t: size },
        settings,
      ),
    }),
    read: (answer) => {
      const json = readJson(answer);
      const status = textAt(json, 'response', 'status') ?? '';
      if (status !== 'OK') throw nonsense(answer.url, status || JSON.stringify(json));
      return {
        results: resultsAt(answer, json, 'response', 'results').flatMap((hit) =>
          resultOf({ url: textAt(hit, 'url'), title: textAt(hit, 'title'), snippet: textAt(hit, 'desc') }),
        ),
      };
    },
  });
