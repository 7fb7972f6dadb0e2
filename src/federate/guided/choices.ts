/** A question as the choices that a reader made one after the other: the parts of its outermost AND. */
import { readNumber } from '../../core/decimal.ts';
import { type CompareOperator, MATCH_ALL, type QueryNode } from '../../query/ast.ts';
import { parseDis } from '../../query/dis/parse-dis.ts';
import { writeDis } from '../../query/dis/write-dis.ts';
import type { GuidedAttribute } from './form.ts';

/** Throws `query.syntax`, with the position. A blank expression asks for everything. */
export function readChoices(expression: string): QueryNode[] {
  if (expression.trim() === '') return [];
  const { query } = parseDis(expression);
  if (query.type === 'all') return [];
  return query.type === 'and' ? [...query.of] : [query];
}

export function queryOf(choices: readonly QueryNode[]): QueryNode {
  const [only] = choices;
  if (!only) return MATCH_ALL;
  return choices.length === 1 ? only : { type: 'and', of: choices };
}

export function writeChoices(choices: readonly QueryNode[]): string {
  return choices.length === 0 ? '' : writeDis(queryOf(choices));
}

export const choose = (field: string, operator: CompareOperator, value: string): QueryNode => ({
  type: 'compare',
  field,
  operator,
  value,
});

/** The same choice again changes nothing. */
export function withChoices(choices: readonly QueryNode[], added: readonly QueryNode[]): QueryNode[] {
  const written = new Set(choices.map((choice) => writeDis(choice)));
  return [...choices, ...added.filter((choice) => !written.has(writeDis(choice)))];
}

/** Forms know how far numbers reach only by their steps: nothing lies beyond the bounds that were chosen. */
export function withinChoices(attribute: GuidedAttribute, choices: readonly QueryNode[]): GuidedAttribute {
  if (!attribute.numbers) return attribute;
  let { min, max } = attribute.numbers;
  for (const choice of choices) {
    const bound = choice.type === 'compare' ? readNumber(choice.value) : undefined;
    if (choice.type !== 'compare' || choice.field.toUpperCase() !== attribute.name || bound === undefined)
      continue;
    if (choice.operator.startsWith('>')) min = Math.max(min, bound);
    if (choice.operator.startsWith('<')) max = Math.min(max, bound);
  }
  return { ...attribute, numbers: { ...attribute.numbers, min, max } };
}

/** Attributes of which one value is chosen: they are of no more use. */
export function settledNames(choices: readonly QueryNode[]): ReadonlySet<string> {
  return new Set(
    choices.flatMap((choice) =>
      choice.type === 'compare' && choice.operator === '=' ? choice.field.toUpperCase() : [],
    ),
  );
}
