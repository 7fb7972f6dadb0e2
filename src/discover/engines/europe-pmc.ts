/** Europe PMC: pages follow each other by a cursor. Words are all wanted unless joined by OR. */
import { readJson, resultsAt, textAt } from './answer-json.ts';
import type { CreateEngine } from './engine.ts';
import { addressOf, anyWord, pagedEngine } from './paged.ts';
import { resultOf } from './result.ts';

const pageOf = (source: string | undefined, id: string | undefined): string | undefined =>
  source === undefined || id === undefined ? undefined : `https://europepmc.org/article/${source}/${id}`;

export const europePmc: CreateEngine = (settings) =>
  pagedEngine({
    pageSize: 100,
    most: 10_000,
    request: (query, { size, cursor }) => ({
      url: addressOf(
        settings.url ?? 'https://www.ebi.ac.uk/europepmc/webservices/rest/search',
        {
          query: anyWord(query),
          format: 'json',
          resultType: 'lite',
          pageSize: size,
          cursorMark: cursor ?? '*',
        },
        settings,
      ),
    }),
    read: (answer) => {
      const json = readJson(answer);
      return {
        results: resultsAt(answer, json, 'resultList', 'result').flatMap((hit) =>
          resultOf({
            doi: textAt(hit, 'doi'),
            url: pageOf(textAt(hit, 'source'), textAt(hit, 'id')),
            title: textAt(hit, 'title'),
            type: textAt(hit, 'pubType') ?? 'article',
          }),
        ),
        next: textAt(json, 'nextCursorMark') ?? false,
      };
    },
  });
