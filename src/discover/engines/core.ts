/** CORE, the aggregator of open access repositories, API version 3. */
import { objectsAt, readJson, resultsAt, textAt } from './answer-json.ts';
import type { CreateEngine } from './engine.ts';
import { addressOf, anyWord, pagedEngine } from './paged.ts';
import { resultOf } from './result.ts';

export const core: CreateEngine = (settings) =>
  pagedEngine({
    pageSize: 100,
    most: 10_000,
    headers: { authorization: `Bearer ${settings.key ?? ''}` },
    request: (query, { from, size }) => ({
      url: addressOf(
        settings.url ?? 'https://api.core.ac.uk/v3/search/works',
        { q: anyWord(query), limit: size, offset: from },
        settings,
      ),
    }),
    read: (answer) => ({
      results: resultsAt(answer, readJson(answer), 'results').flatMap((work) =>
        resultOf({
          doi: textAt(work, 'doi'),
          url:
            textAt(
              objectsAt(work, 'links').find(({ type }) => type === 'display'),
              'url',
            ) ?? textAt(work, 'downloadUrl'),
          title: textAt(work, 'title'),
          snippet: textAt(work, 'abstract'),
          type: textAt(work, 'documentType') ?? 'article',
        }),
      ),
    }),
  });
