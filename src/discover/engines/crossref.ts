/** Crossref works; an e-mail address gets the polite pool. */
import { firstText, readJson, resultsAt, textAt, valueAt } from './answer-json.ts';
import type { CreateEngine } from './engine.ts';
import { addressOf, pagedEngine } from './paged.ts';
import { resultOf } from './result.ts';

export const crossref: CreateEngine = (settings) =>
  pagedEngine({
    pageSize: 500,
    most: 10_000,
    request: (query, { from, size }) => ({
      url: addressOf(
        settings.url ?? 'https://api.crossref.org/works',
        { query, rows: size, offset: from, mailto: settings.email },
        settings,
      ),
    }),
    read: (answer) => ({
      results: resultsAt(answer, readJson(answer), 'message', 'items').flatMap((work) =>
        resultOf({
          doi: textAt(work, 'DOI'),
          url: textAt(work, 'URL'),
          title: firstText(valueAt(work, 'title')),
          snippet: textAt(work, 'abstract'),
          type: textAt(work, 'type'),
        }),
      ),
    }),
  });
