/** Elsevier Scopus Search. Needs a key with a subscription behind it. */
import { objectsAt, readJson, resultsAt, textAt } from './answer-json.ts';
import type { CreateEngine } from './engine.ts';
import { addressOf, anyWord, pagedEngine } from './paged.ts';
import { resultOf } from './result.ts';

export const scopus: CreateEngine = (settings) =>
  pagedEngine({
    pageSize: 25,
    most: 5000,
    headers: { 'x-els-apikey': settings.key ?? '', accept: 'application/json' },
    request: (query, { from, size }) => ({
      url: addressOf(
        settings.url ?? 'https://api.elsevier.com/content/search/scopus',
        { query: `TITLE-ABS-KEY(${anyWord(query)})`, start: from, count: size, sort: '-relevancy' },
        settings,
      ),
    }),
    read: (answer) => ({
      // A search without results has one entry that says so.
      results: resultsAt(answer, readJson(answer), 'search-results', 'entry')
        .filter((entry) => entry.error === undefined)
        .flatMap((entry) =>
          resultOf({
            doi: textAt(entry, 'prism:doi'),
            url: textAt(
              objectsAt(entry, 'link').find((link) => link['@ref'] === 'scopus'),
              '@href',
            ),
            title: textAt(entry, 'dc:title'),
            type: textAt(entry, 'subtypeDescription') ?? 'article',
          }),
        ),
    }),
  });
