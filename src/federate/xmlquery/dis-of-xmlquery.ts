/** Between XMLQuery documents and queries: what a document asks, and a document that asks it. */
import { XMLQUERY_DEFAULTS, type XmlQuery } from '../../formats/xmlquery/xmlquery.ts';
import { MATCH_ALL, type QueryNode } from '../../query/ast.ts';
import { parseDis } from '../../query/dis/parse-dis.ts';
import { writeDis } from '../../query/dis/write-dis.ts';
import { fromPostfix, type PostfixToken, toPostfix } from '../../query/postfix.ts';

export interface AskedQuery {
  readonly query: QueryNode;
  /** Attributes that are wanted of each match; empty: all. */
  readonly select: readonly string[];
  /** Servers or handlers that are meant; empty: any. */
  readonly from: readonly string[];
}

/**
 * The parsed form counts; the expression is read only where a document has nothing else. An old manual shows
 * conditions in the select set: they are taken as conditions. Throws `query.syntax`.
 */
export function queryOfXmlQuery({ expression, select, from, where }: XmlQuery): AskedQuery {
  const isNames = select.every(({ role }) => role === 'elemName');
  if (where.length === 0 && select.length === 0 && from.length === 0)
    return expression.trim() === '' ? { query: MATCH_ALL, select: [], from: [] } : pick(parseDis(expression));
  return {
    query: fromPostfix(where.length === 0 && !isNames ? select : where),
    select: isNames ? select.map(({ value }) => value) : [],
    from: from.filter(({ role }) => role === 'elemName').map(({ value }) => value),
  };
}

const pick = ({ query, select, from }: AskedQuery): AskedQuery => ({ query, select, from });

/** Throws `query.unsupported` for what comparisons cannot say. */
export function xmlQueryOf({ query, select, from }: AskedQuery, options: Partial<XmlQuery> = {}): XmlQuery {
  const names = (list: readonly string[]) => list.map((value): PostfixToken => ({ role: 'elemName', value }));
  const where = toPostfix(query);
  return {
    ...XMLQUERY_DEFAULTS,
    // Of ranges and values the postfix form has comparisons, which DIS can write.
    expression:
      where.length + select.length + from.length === 0 ? '' : writeDis(fromPostfix(where), { select, from }),
    ...options,
    select: names(select),
    from: names(from),
    where,
  };
}
