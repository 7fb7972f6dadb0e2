/** Items whose whole title is what was asked: they come first in a ranking. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { QueryNode } from '../../../query/ast.ts';
import { titleKey } from './title-key.ts';
import { titlesWhere } from './title-rows.ts';

const MAX_FOUND = 1000;

export class ExactTitles {
  readonly #find: StatementSync;

  constructor(db: DatabaseSync) {
    this.#find = db.prepare(`${titlesWhere('folded = ?1')} LIMIT ${MAX_FOUND}`);
  }

  find(query: QueryNode): ReadonlySet<number> {
    const asked = askedText(query);
    const key = asked === undefined ? '' : titleKey(asked);
    return new Set(key ? this.#find.all(key).map((row) => Number(row.item_key)) : []);
  }
}

/** The words of a query that is nothing but words, in their order. */
function askedText(query: QueryNode): string | undefined {
  switch (query.type) {
    case 'term':
    case 'phrase':
      return query.field === undefined || query.field === 'title' ? query.text : undefined;
    case 'boost':
      return askedText(query.of);
    case 'and': {
      const texts = query.of.map(askedText);
      // Filters beside the words (a facet, a date) do not change what title is meant.
      const words = texts.filter((text) => text !== undefined);
      return words.length > 0 && query.of.every((part, i) => texts[i] !== undefined || isFilter(part))
        ? words.join(' ')
        : undefined;
    }
    default:
      return undefined;
  }
}

function isFilter(node: QueryNode): boolean {
  return ['value', 'range', 'box', 'exists', 'all', 'not', 'compare', 'composed'].includes(node.type);
}
