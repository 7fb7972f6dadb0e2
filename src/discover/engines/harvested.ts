/**
 * Libraries that cannot be asked by words but can be harvested (CiteSeerX by OAI-PMH, catalogues, published
 * folders): what this Garner has of them, by its own search. Nobody is asked over the network.
 */
import { ANONYMOUS } from '../../core/access.ts';
import type { Fields } from '../../core/model.ts';
import type { QueryNode } from '../../query/ast.ts';
import type { SearchIndex } from '../../store/index.ts';
import type { EngineResult, SearchEngine } from './engine.ts';
import { wordsOf } from './paged.ts';
import { resultOf } from './result.ts';

const PAGE = 100;
const MOST = 10_000;

export function harvestedEngine(
  index: Pick<SearchIndex, 'search'>,
  sources: readonly string[],
): SearchEngine {
  return {
    async *search(text, count) {
      const query: QueryNode = {
        type: 'or',
        of: wordsOf(text).map((word) => ({ type: 'term', text: word })),
      };
      const wanted = Math.min(count, MOST);
      for (let offset = 0; offset < wanted && query.of.length > 0; offset += PAGE) {
        const limit = Math.min(PAGE, wanted - offset);
        // A list is shown to all who may see topics, so only what everybody may read counts.
        const { hits } = await index.search({ query, sources, limit, offset }, ANONYMOUS);
        const results = hits.flatMap(({ fields, title }) => readHit(fields, title));
        if (results.length > 0) yield results;
        if (hits.length < limit) return;
      }
    },
  };
}

/** Records without an address of the web are no candidates. */
function readHit(fields: Fields, title: string | undefined): EngineResult[] {
  const texts = (name: string): string[] => (fields[name] ?? []).filter((value) => typeof value === 'string');
  const named = [...texts('link'), ...texts('identifier'), ...texts('doi')];
  return resultOf({
    url: named.find((value) => /^https?:\/\//i.test(value)),
    doi: named.find((value) => /^(?:doi:\s*|https?:\/\/(?:dx\.)?doi\.org\/)?10\.\d{4,9}\/\S+$/i.test(value)),
    title: title ?? texts('title')[0],
    snippet: texts('description')[0],
    type: texts('type')[0],
  });
}
