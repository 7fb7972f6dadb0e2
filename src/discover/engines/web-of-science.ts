/** Clarivate, Web of Science Starter API: fifty on a page. Needs a key. */
import { firstText, readJson, resultsAt, textAt, valueAt } from './answer-json.ts';
import type { CreateEngine } from './engine.ts';
import { addressOf, anyWord, pagedEngine } from './paged.ts';
import { resultOf } from './result.ts';

export const webOfScience: CreateEngine = (settings) =>
  pagedEngine({
    pageSize: 50,
    most: 5000,
    headers: { 'x-apikey': settings.key ?? '' },
    request: (query, { size, number }) => ({
      url: addressOf(
        settings.url ?? 'https://api.clarivate.com/apis/wos-starter/v1/documents',
        { db: 'WOS', q: `TS=(${anyWord(query)})`, limit: size, page: number + 1, sortField: 'RS+D' },
        settings,
      ),
    }),
    read: (answer) => ({
      results: resultsAt(answer, readJson(answer), 'hits').flatMap((hit) =>
        resultOf({
          doi: textAt(hit, 'identifiers', 'doi'),
          url: textAt(hit, 'links', 'record'),
          title: textAt(hit, 'title'),
          type: firstText(valueAt(hit, 'types')) ?? 'article',
        }),
      ),
    }),
  });
