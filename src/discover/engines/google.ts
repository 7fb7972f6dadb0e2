/** Google Programmable Search (Custom Search JSON API): ten at a time, a hundred at most. */
import { nonsense, objectsAt, readJson, textAt, valueAt } from './answer-json.ts';
import type { CreateEngine } from './engine.ts';
import { addressOf, pagedEngine } from './paged.ts';
import { resultOf } from './result.ts';

export const google: CreateEngine = (settings) =>
  pagedEngine({
    pageSize: 10,
    most: 100,
    request: (q, { from, size }) => ({
      url: addressOf(
        settings.url ?? 'https://www.googleapis.com/customsearch/v1',
        { key: settings.key, cx: settings.engineId, q, num: size, start: from + 1 },
        settings,
      ),
    }),
    read: (answer) => {
      const json = readJson(answer);
      // `items` is absent when nothing was found; `searchInformation` never is.
      if (valueAt(json, 'searchInformation') === undefined && valueAt(json, 'items') === undefined)
        throw nonsense(answer.url, JSON.stringify(json));
      return {
        results: objectsAt(json, 'items').flatMap((hit) =>
          resultOf({
            url: textAt(hit, 'link'),
            title: textAt(hit, 'title'),
            snippet: textAt(hit, 'snippet'),
            mediaType: textAt(hit, 'mime'),
          }),
        ),
        ...(valueAt(json, 'queries', 'nextPage') === undefined && { next: false as const }),
      };
    },
  });
