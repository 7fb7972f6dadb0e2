/** NASA Astrophysics Data System. Words are all wanted unless joined by OR. */
import { firstText, readJson, resultsAt, textAt, valueAt } from './answer-json.ts';
import type { CreateEngine } from './engine.ts';
import { addressOf, anyWord, pagedEngine } from './paged.ts';
import { resultOf } from './result.ts';

const pageOf = (bibcode: string | undefined): string | undefined =>
  bibcode && `https://ui.adsabs.harvard.edu/abs/${encodeURIComponent(bibcode)}/abstract`;

export const ads: CreateEngine = (settings) =>
  pagedEngine({
    pageSize: 200,
    most: 2000,
    headers: { authorization: `Bearer ${settings.key ?? ''}` },
    request: (query, { from, size }) => ({
      url: addressOf(
        settings.url ?? 'https://api.adsabs.harvard.edu/v1/search/query',
        { q: anyWord(query), fl: 'bibcode,title,doi,doctype,abstract', rows: size, start: from },
        settings,
      ),
    }),
    read: (answer) => ({
      results: resultsAt(answer, readJson(answer), 'response', 'docs').flatMap((doc) =>
        resultOf({
          doi: firstText(valueAt(doc, 'doi')),
          url: pageOf(textAt(doc, 'bibcode')),
          title: firstText(valueAt(doc, 'title')),
          snippet: textAt(doc, 'abstract'),
          type: textAt(doc, 'doctype'),
        }),
      ),
    }),
  });
