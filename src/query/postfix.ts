/**
 * Queries as the postfix lists that travel in XMLQuery documents: `a = 1 OR b = 2 AND c = 3` is
 * `a 1 EQ b 2 EQ c 3 EQ AND OR`. The literature speaks of prefix; what was ever sent is postfix.
 */
import { GarnerError } from '../core/errors.ts';
import { type CompareOperator, MATCH_ALL, type QueryNode } from './ast.ts';

export const TOKEN_ROLES = ['elemName', 'LITERAL', 'RELOP', 'LOGOP'] as const;

export interface PostfixToken {
  readonly role: (typeof TOKEN_ROLES)[number];
  readonly value: string;
}

const RELATIONS: Readonly<Record<Exclude<CompareOperator, 'EXISTS'>, string>> = {
  '=': 'EQ',
  '!=': 'NE',
  '<': 'LT',
  '<=': 'LE',
  '>': 'GT',
  '>=': 'GE',
  LIKE: 'LIKE',
  NOTLIKE: 'NOTLIKE',
};

/** `IS` and `ISNOT` compare as well, but before NULL they ask whether there is a value. */
const OPERATORS: ReadonlyMap<string, CompareOperator> = new Map<string, CompareOperator>([
  ...Object.entries(RELATIONS).map(([operator, word]) => [word, operator as CompareOperator] as const),
  ['IS', '='],
  ['ISNOT', '!='],
]);

/** Everything is an empty list. Throws `query.unsupported` for what comparisons cannot say: words, boxes, patterns. */
export function toPostfix(query: QueryNode): PostfixToken[] {
  return query.type === 'all' ? [] : writeNode(query);
}

function writeNode(node: QueryNode): PostfixToken[] {
  switch (node.type) {
    case 'and':
    case 'or':
      return writeList(node.type === 'and' ? 'AND' : 'OR', node.of.map(writeNode));
    case 'not':
      return [...writeNode(node.of), { role: 'LOGOP', value: 'NOT' }];
    case 'boost':
      return writeNode(node.of);
    case 'compare':
      return node.operator === 'EXISTS'
        ? comparison(node.field, 'NULL', 'ISNOT')
        : comparison(node.field, node.value, RELATIONS[node.operator]);
    case 'value':
      return comparison(node.field, node.value, 'EQ');
    case 'exists':
      return comparison(node.field, 'NULL', 'ISNOT');
    case 'range': {
      const { field, from, to } = node;
      const sides = [
        ...(from ? [comparison(field, from.value, from.inclusive ? 'GE' : 'GT')] : []),
        ...(to ? [comparison(field, to.value, to.inclusive ? 'LE' : 'LT')] : []),
      ];
      return sides.length === 0 ? comparison(field, 'NULL', 'ISNOT') : writeList('AND', sides);
    }
    default:
      throw new GarnerError('query.unsupported', `comparisons cannot say "${node.type}"`, {
        details: { expected: 'comparisons', found: node.type },
      });
  }
}

function comparison(field: string, value: string, relation: string): PostfixToken[] {
  return [
    { role: 'elemName', value: field },
    { role: 'LITERAL', value },
    { role: 'RELOP', value: relation },
  ];
}

function writeList(operator: 'AND' | 'OR', parts: readonly (readonly PostfixToken[])[]): PostfixToken[] {
  if (parts.length === 0)
    throw new GarnerError('query.unsupported', `${operator} of nothing cannot be said`, {
      details: { expected: 'conditions', found: 'none' },
    });
  return parts.flatMap((part, i) => (i === 0 ? part : [...part, { role: 'LOGOP', value: operator }]));
}

const MAX_DEPTH = 200;

type Operand =
  | { readonly kind: 'elemName' | 'LITERAL'; readonly value: string }
  | { readonly kind: 'condition'; readonly node: QueryNode; readonly depth: number };

/** Throws `query.syntax` that names the token. ANDs of ANDs, and ORs of ORs, become one. */
export function fromPostfix(tokens: readonly PostfixToken[]): QueryNode {
  const stack: Operand[] = [];
  for (const [i, { role, value }] of tokens.entries()) {
    const fail = (expected: string): GarnerError => syntaxError(i, `${role} ${value}`, expected);
    if (role === 'elemName' || role === 'LITERAL') stack.push({ kind: role, value });
    else if (role === 'RELOP') {
      const right = stack.pop();
      const left = stack.pop();
      stack.push({ kind: 'condition', node: compare(value.toUpperCase(), left, right, fail), depth: 1 });
    } else {
      const operator = value.toUpperCase();
      const right = stack.pop();
      if (right?.kind !== 'condition') throw fail('a condition before it');
      if (right.depth >= MAX_DEPTH) throw fail(`at most ${MAX_DEPTH} levels`);
      if (operator === 'NOT') {
        stack.push({ ...right, node: { type: 'not', of: right.node }, depth: right.depth + 1 });
        continue;
      }
      if (operator !== 'AND' && operator !== 'OR') throw fail('AND, OR or NOT');
      const left = stack.pop();
      if (left?.kind !== 'condition') throw fail('two conditions before it');
      const type = operator === 'AND' ? 'and' : 'or';
      const parts = [left.node, right.node].flatMap((node) => (node.type === type ? node.of : [node]));
      // Chains do not grow deeper: `a AND b AND c` is one level.
      const nested = [left, right].map(({ node, depth }) => (node.type === type ? depth : depth + 1));
      stack.push({ kind: 'condition', node: { type, of: parts }, depth: Math.max(...nested) });
    }
  }
  const [only, second] = stack;
  if (!only) return MATCH_ALL;
  if (second || only.kind !== 'condition')
    throw syntaxError(tokens.length, 'the end', second ? 'AND or OR' : 'a relation');
  return only.node;
}

function compare(
  relation: string,
  left: Operand | undefined,
  right: Operand | undefined,
  fail: (expected: string) => GarnerError,
): QueryNode {
  const operator = OPERATORS.get(relation);
  if (!operator) throw fail(`one of ${[...OPERATORS.keys()].join(' ')}`);
  // An old manual has the value first; where that could be read in two ways, it is refused.
  const swapped = left?.kind === 'LITERAL' && (operator === '=' || operator === '!=');
  const [name, literal] = swapped ? [right, left] : [left, right];
  if (name?.kind !== 'elemName' || literal?.kind !== 'LITERAL')
    throw fail('the name of an attribute and a literal before it');
  const field = name.value;
  if (literal.value.toUpperCase() === 'NULL' && (relation === 'IS' || relation === 'ISNOT')) {
    const exists: QueryNode = { type: 'compare', field, operator: 'EXISTS', value: '' };
    return relation === 'ISNOT' ? exists : { type: 'not', of: exists };
  }
  return { type: 'compare', field, operator, value: literal.value };
}

function syntaxError(token: number, found: string, expected: string): GarnerError {
  return new GarnerError(
    'query.syntax',
    `token ${token + 1} of the query: found ${found}, expected ${expected}`,
    {
      details: { token, found, expected },
    },
  );
}
