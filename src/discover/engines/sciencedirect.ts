/** Elsevier ScienceDirect Search, version 2: the question is sent by PUT. `show` is one of a few numbers. */
import { readJson, resultsAt, textAt } from './answer-json.ts';
import type { CreateEngine } from './engine.ts';
import { addressOf, anyWord, pagedEngine } from './paged.ts';
import { resultOf } from './result.ts';

const SHOWN = [10, 25, 50, 100] as const;

export const scienceDirect: CreateEngine = (settings) =>
  pagedEngine({
    pageSize: 100,
    most: 6000,
    headers: { 'x-els-apikey': settings.key ?? '', accept: 'application/json' },
    request: (query, { from, size }) => ({
      url: addressOf(settings.url ?? 'https://api.elsevier.com/content/search/sciencedirect', {}, settings),
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        qs: anyWord(query),
        display: { offset: from, show: SHOWN.find((shown) => shown >= size) ?? 100, sortBy: 'relevance' },
      }),
    }),
    read: (answer) => ({
      results: resultsAt(answer, readJson(answer), 'results').flatMap((hit) =>
        resultOf({
          doi: textAt(hit, 'doi'),
          url: textAt(hit, 'uri'),
          title: textAt(hit, 'title'),
          type: 'article',
        }),
      ),
    }),
  });
