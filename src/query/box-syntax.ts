/** `[west,south,east,north]`, with a relation before it or not, in degrees. */

import { readNumber } from '../core/decimal.ts';
import type { BoxValue } from '../core/model.ts';
import type { BoxRelation } from './ast.ts';
import type { BracketToken } from './lexer.ts';
import { queryError } from './query-error.ts';

const RELATIONS: readonly string[] = ['intersects', 'within', 'contains'] satisfies BoxRelation[];

function isRelation(name: string): name is BoxRelation {
  return RELATIONS.includes(name);
}

const EDGES = [
  { name: 'west', limit: 180 },
  { name: 'south', limit: 90 },
  { name: 'east', limit: 180 },
  { name: 'north', limit: 90 },
] as const;

export function readBox(query: string, token: BracketToken): { relation: BoxRelation; box: BoxValue } {
  const { relation = 'intersects' } = token;
  const fault = (message: string, position: number, expected: string, found: string) =>
    queryError('query.syntax', message, query, { position, expected, found });
  if (!isRelation(relation)) {
    throw fault(`there is no relation "${relation}"`, token.start, RELATIONS.join(', '), relation);
  }
  if (!token.openInclusive || !token.closeInclusive) {
    const position = token.openInclusive ? token.innerEnd : token.innerStart - 1;
    throw fault('a box stands in square brackets', position, '[west,south,east,north]', query[position]!);
  }
  const numbers: number[] = [];
  let start = token.innerStart;
  for (const piece of query.slice(token.innerStart, token.innerEnd).split(',')) {
    const text = piece.trim();
    const position = start + Math.max(0, piece.search(/\S/));
    const edge = EDGES[numbers.length];
    if (!edge) throw fault('a box has four numbers', position, ']', text);
    const number = readNumber(text);
    if (number === undefined || Math.abs(number) > edge.limit) {
      const expected = `${edge.name} in degrees, from -${edge.limit} to ${edge.limit}`;
      throw fault(`expected ${expected}, found ${text || 'nothing'}`, position, expected, text);
    }
    // -0 and 0 are one place.
    numbers.push(number + 0);
    start += piece.length + 1;
  }
  const [west, south, east, north] = numbers;
  if (west === undefined || south === undefined || east === undefined || north === undefined) {
    throw fault('a box has four numbers', token.innerEnd, `, ${EDGES[numbers.length]?.name}`, ']');
  }
  if (south > north) {
    throw fault('the box is upside down', token.innerStart, 'south not above north', `${south} > ${north}`);
  }
  return { relation, box: { west, south, east, north } };
}
