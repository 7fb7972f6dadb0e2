/** DataCite DOIs: data sets above all. Words are all wanted unless joined by OR. */
import { objectsAt, readJson, resultsAt, textAt } from './answer-json.ts';
import type { CreateEngine } from './engine.ts';
import { addressOf, anyWord, pagedEngine } from './paged.ts';
import { resultOf } from './result.ts';

export const datacite: CreateEngine = (settings) =>
  pagedEngine({
    pageSize: 500,
    most: 10_000,
    request: (query, { size, number }) => ({
      url: addressOf(
        settings.url ?? 'https://api.datacite.org/dois',
        { query: anyWord(query), 'page[size]': size, 'page[number]': number + 1 },
        settings,
      ),
    }),
    read: (answer) => ({
      results: resultsAt(answer, readJson(answer), 'data').flatMap((entry) =>
        resultOf({
          doi: textAt(entry, 'attributes', 'doi') ?? textAt(entry, 'id'),
          url: textAt(entry, 'attributes', 'url'),
          title: textAt(objectsAt(entry, 'attributes', 'titles')[0], 'title'),
          snippet: textAt(objectsAt(entry, 'attributes', 'descriptions')[0], 'description'),
          type: textAt(entry, 'attributes', 'types', 'resourceTypeGeneral'),
        }),
      ),
    }),
  });
