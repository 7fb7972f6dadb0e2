/** A query back as a DIS expression. Reading what was written gives the same query. */
import { GarnerError } from '../../core/errors.ts';
import type { CompareNode, QueryNode } from '../ast.ts';

export interface DisWishes {
  readonly select?: readonly string[];
  readonly from?: readonly string[];
}

/** Throws `query.unsupported` for what DIS cannot say: words, boxes, boosts. */
export function writeDis(query: QueryNode, { select = [], from = [] }: DisWishes = {}): string {
  const wishes = [
    ...select.map((name) => `RETURN = ${writeWord(name)}`),
    ...from.map((name) => `FROM = ${writeWord(name)}`),
  ];
  if (query.type === 'all' && wishes.length > 0) return wishes.join(' AND ');
  const written = writeNode(query);
  if (wishes.length === 0) return written;
  return [query.type === 'or' ? `(${written})` : written, ...wishes].join(' AND ');
}

function writeNode(node: QueryNode): string {
  switch (node.type) {
    case 'and':
      return node.of
        .map((child) => writeOperand(child, child.type === 'and' || child.type === 'or'))
        .join(' AND ');
    case 'or':
      return node.of.map((child) => writeOperand(child, child.type === 'or')).join(' OR ');
    case 'not':
      return `NOT ${writeOperand(node.of, node.of.type === 'and' || node.of.type === 'or')}`;
    case 'compare':
      return writeComparison(node);
    default:
      throw new GarnerError('query.unsupported', `a DIS expression cannot say "${node.type}"`, {
        details: { expected: 'comparisons', found: node.type },
      });
  }
}

function writeOperand(node: QueryNode, loose: boolean): string {
  const text = writeNode(node);
  return loose ? `(${text})` : text;
}

export function writeComparison({ field, operator, value }: CompareNode): string {
  const name = /^(?:RETURN|FROM)$/i.test(field) ? quote(field) : writeWord(field);
  return operator === 'EXISTS' ? `${name} ISNOT NULL` : `${name} ${operator} ${writeWord(value)}`;
}

const BARE = /^[\p{L}\p{M}\p{N}_.\-:#/[\]%+]+$/u;
const RESERVED = /^(?:AND|OR|NOT)$/i;

function writeWord(text: string): string {
  return BARE.test(text) && !RESERVED.test(text) ? text : quote(text);
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
