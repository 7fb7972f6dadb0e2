/** DOAJ, the directory of open access journals: articles. The query is a part of the path. */
import { objectsAt, readJson, resultsAt, textAt } from './answer-json.ts';
import type { CreateEngine } from './engine.ts';
import { addressOf, anyWord, pagedEngine } from './paged.ts';
import { resultOf } from './result.ts';

const pageOf = (id: string | undefined): string | undefined => id && `https://doaj.org/article/${id}`;

export const doaj: CreateEngine = (settings) =>
  pagedEngine({
    pageSize: 100,
    most: 1000,
    request: (query, { size, number }) => ({
      url: addressOf(
        `${settings.url ?? 'https://doaj.org/api/search/articles'}/${encodeURIComponent(anyWord(query))}`,
        { page: number + 1, pageSize: size },
        settings,
      ),
    }),
    read: (answer) => ({
      results: resultsAt(answer, readJson(answer), 'results').flatMap((article) =>
        resultOf({
          doi: textAt(
            objectsAt(article, 'bibjson', 'identifier').find(
              ({ type }) => String(type).toLowerCase() === 'doi',
            ),
            'id',
          ),
          url: textAt(objectsAt(article, 'bibjson', 'link')[0], 'url') ?? pageOf(textAt(article, 'id')),
          title: textAt(article, 'bibjson', 'title'),
          snippet: textAt(article, 'bibjson', 'abstract'),
          type: 'article',
        }),
      ),
    }),
  });
