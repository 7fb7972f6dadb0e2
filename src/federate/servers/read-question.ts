/** What a request to a profile, product or query server asks: an XMLQuery document (`xmlq`, it wins) or a DIS expression (`q`). */
import { asGarnerError, GarnerError } from '../../core/errors.ts';
import { readXmlQuery } from '../../formats/xmlquery/read-xmlquery.ts';
import type { XmlQuery } from '../../formats/xmlquery/xmlquery.ts';
import type { QueryNode } from '../../query/ast.ts';
import { type DisName, parseDis } from '../../query/dis/parse-dis.ts';
import { type AskedQuery, queryOfXmlQuery } from '../xmlquery/dis-of-xmlquery.ts';

export interface ServerQuestion extends AskedQuery {
  /** Media types that are wanted, the best first; empty: any. */
  readonly accept: readonly string[];
  /** The most results; absent: all. */
  readonly limit?: number;
  /** Attributes by name and place in the expression; an XMLQuery has no places. */
  readonly names: readonly DisName[];
  /** As it was sent, for messages. */
  readonly expression: string;
}

export function readQuestion(parameters: URLSearchParams): ServerQuestion {
  const xmlq = parameters.get('xmlq') ?? '';
  const q = parameters.get('q') ?? '';
  const accept = parameters.getAll('mime').flatMap((list) => list.split(',').map((type) => type.trim()));
  if (xmlq.trim() !== '') {
    const document = readDocument(xmlq);
    const asked = queryOfXmlQuery(document);
    return {
      ...asked,
      accept: accept.length > 0 ? accept : document.mimeAccept,
      ...(document.maxResults > 0 && { limit: document.maxResults }),
      names: [...comparedNames(asked.query)].map((name) => ({ name, position: 0 })),
      expression: document.expression,
    };
  }
  if (q.trim() === '')
    throw new GarnerError('request.invalid', 'ask with q (a DIS expression) or xmlq (an XMLQuery document)');
  const { query, select, from, names } = parseDis(q);
  const limit = readLimit(parameters);
  return { query, select, from, accept, names, expression: q, ...(limit !== undefined && { limit }) };
}

/** A parameter of ours; others say it in an XMLQuery. */
function readLimit(parameters: URLSearchParams): number | undefined {
  const written = parameters.get('limit');
  if (written === null) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(written))
    throw new GarnerError('request.invalid', `limit is a whole number from 1, not "${written}"`);
  return Number(written);
}

function* comparedNames(node: QueryNode): Generator<string> {
  if (node.type === 'compare') yield node.field;
  else if (node.type === 'and' || node.type === 'or') for (const part of node.of) yield* comparedNames(part);
  else if (node.type === 'not') yield* comparedNames(node.of);
}

/** In a request a bad document is a bad request. */
function readDocument(xmlq: string): XmlQuery {
  try {
    return readXmlQuery(Buffer.from(xmlq));
  } catch (thrown) {
    const { code, message } = asGarnerError(thrown);
    if (!code.startsWith('xml.')) throw thrown;
    throw new GarnerError('request.invalid', `xmlq: ${message}`, { cause: thrown });
  }
}
