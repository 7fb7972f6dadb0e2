/** OpenAlex works; an e-mail address gets the faster pool, a key a larger allowance. */
import { readJson, resultsAt, textAt } from './answer-json.ts';
import type { CreateEngine } from './engine.ts';
import { addressOf, pagedEngine } from './paged.ts';
import { resultOf } from './result.ts';

export const openalex: CreateEngine = (settings) =>
  pagedEngine({
    pageSize: 200,
    most: 10_000,
    request: (search, { size, number }) => ({
      url: addressOf(
        settings.url ?? 'https://api.openalex.org/works',
        { search, 'per-page': size, page: number + 1, mailto: settings.email, api_key: settings.key },
        settings,
      ),
    }),
    read: (answer) => ({
      results: resultsAt(answer, readJson(answer), 'results').flatMap((work) =>
        resultOf({
          doi: textAt(work, 'doi'),
          url: textAt(work, 'primary_location', 'landing_page_url') ?? textAt(work, 'id'),
          title: textAt(work, 'title') ?? textAt(work, 'display_name'),
          type: textAt(work, 'type'),
        }),
      ),
    }),
  });
