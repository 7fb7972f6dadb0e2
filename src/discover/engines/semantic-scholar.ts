/** Semantic Scholar, Academic Graph: a thousand results of one search at most. Works without a key, slowly. */
import { firstText, nonsense, objectsAt, readJson, textAt, valueAt } from './answer-json.ts';
import type { CreateEngine } from './engine.ts';
import { addressOf, pagedEngine } from './paged.ts';
import { resultOf } from './result.ts';

export const semanticScholar: CreateEngine = (settings) =>
  pagedEngine({
    pageSize: 100,
    most: 1000,
    ...(settings.key !== undefined && { headers: { 'x-api-key': settings.key } }),
    request: (query, { from, size }) => ({
      url: addressOf(
        settings.url ?? 'https://api.semanticscholar.org/graph/v1/paper/search',
        { query, offset: from, limit: size, fields: 'title,url,abstract,externalIds,publicationTypes' },
        settings,
      ),
    }),
    read: (answer) => {
      const json = readJson(answer);
      // `data` is absent when nothing was found; `total` never is.
      if (typeof json.total !== 'number') throw nonsense(answer.url, JSON.stringify(json));
      return {
        results: objectsAt(json, 'data').flatMap((paper) =>
          resultOf({
            doi: textAt(paper, 'externalIds', 'DOI'),
            url: textAt(paper, 'url'),
            title: textAt(paper, 'title'),
            snippet: textAt(paper, 'abstract'),
            type: firstText(valueAt(paper, 'publicationTypes')),
          }),
        ),
        ...(typeof json.next !== 'number' && { next: false as const }),
      };
    },
  });
