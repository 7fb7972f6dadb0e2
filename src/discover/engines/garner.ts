/** A Garner, this one or another: what it has harvested. The link of a record counts, else its page. */
import { firstText, readJson, resultsAt, textAt, valueAt } from './answer-json.ts';
import type { CreateEngine } from './engine.ts';
import { addressOf, anyWord, pagedEngine } from './paged.ts';
import { resultOf } from './result.ts';

const linkOf = (links: unknown): string | undefined =>
  firstText((Array.isArray(links) ? links : [links]).filter((link) => /^https?:/.test(String(link))));

export const garner: CreateEngine = (settings) =>
  pagedEngine({
    pageSize: 100,
    most: 10_000,
    request: (q, { from, size }) => ({
      url: addressOf(
        `${(settings.url ?? '').replace(/\/$/, '')}/api/search`,
        { q: anyWord(q), limit: size, offset: from },
        settings,
      ),
    }),
    read: (answer) => {
      const hits = resultsAt(answer, readJson(answer), 'hits');
      return {
        entries: hits.length,
        results: hits.flatMap((hit) =>
          resultOf({
            url: linkOf(valueAt(hit, 'fields', 'link')) ?? textAt(hit, 'url'),
            title: firstText(valueAt(hit, 'fields', 'title')),
            snippet: firstText(valueAt(hit, 'fields', 'description')),
            type: firstText(valueAt(hit, 'fields', 'type')),
          }),
        ),
      };
    },
  });
