/**
 * Can any product below match? Every part of a query is answered twice: `some`, that a product may match, and
 * `all`, that every product surely does. NOT turns one into the other, so that nothing is left out wrongly.
 */
import { GarnerError } from '../../core/errors.ts';
import type { CompareNode, CompareOperator, QueryNode } from '../../query/ast.ts';
import { type Comparison, compileComparison } from '../../query/compare.ts';
import { type Literal, readLiteral } from '../../query/literal.ts';
import type { TimeSpan } from '../../query/range.ts';
import type { Aggregate } from './aggregate.ts';
import type { AttributeSummary, NumberBounds } from './summary.ts';

export interface Extent {
  readonly some: boolean;
  readonly all: boolean;
}

/** False: no product that the aggregate tells of matches. Only for queries of comparisons (DIS). */
export function possiblyMatches(aggregate: Aggregate, query: QueryNode): boolean {
  return aggregate.products > 0 && extentOf(aggregate, query).some;
}

/** What of a group matches, as far as its aggregate can tell. */
export function extentOf(aggregate: Aggregate, query: QueryNode): Extent {
  switch (query.type) {
    case 'all':
      return { some: true, all: true };
    case 'not': {
      const { some, all } = extentOf(aggregate, query.of);
      return { some: !all, all: !some };
    }
    case 'and': {
      const parts = query.of.map((part) => extentOf(aggregate, part));
      return { some: parts.every(({ some }) => some), all: parts.every(({ all }) => all) };
    }
    case 'or': {
      const parts = query.of.map((part) => extentOf(aggregate, part));
      return { some: parts.some(({ some }) => some), all: parts.some(({ all }) => all) };
    }
    case 'compare':
      return extentOfComparison(aggregate, query);
    default:
      throw new GarnerError(
        'query.unsupported',
        `profiles are asked by comparisons, not by "${query.type}"`,
        {
          details: { expected: 'comparisons', found: query.type },
        },
      );
  }
}

function extentOfComparison(aggregate: Aggregate, { field, operator, value }: CompareNode): Extent {
  const summary = aggregate.attributes.get(field.trim().toLowerCase());
  if (!summary) return { some: false, all: false };
  const comparison = compileComparison(operator, value);
  const some = summary.any || mayByWords(summary, operator) || someValue(summary, comparison);
  const all =
    some && aggregate.isEverywhere(summary) && everyValue(summary, operator, comparison, readLiteral(value));
  return { some, all };
}

/** Values that are compared by their words may match where their whole does not. */
function mayByWords({ words, unlisted }: AttributeSummary, operator: CompareOperator): boolean {
  return unlisted || (words && (operator === 'LIKE' || operator === 'NOTLIKE'));
}

function someValue(summary: AttributeSummary, { value, range, textBetween }: Comparison): boolean {
  const { numbers, dates, texts, filter, textBounds } = summary;
  if (numbers && range({ min: numberValue(numbers.min), max: numberValue(numbers.max) })) return true;
  if (dates && range({ min: dateValue(dates.first), max: dateValue(dates.last) })) return true;
  if (texts) {
    for (const written of texts.values()) if (value({ kind: 'text', text: written })) return true;
    return false;
  }
  if (!filter || !textBounds) return false;
  return textBetween(textBounds.low, textBounds.high, (folded) => filter.mayHave(folded));
}

const numberValue = (number: number) => ({ kind: 'number', text: '', number }) as const;
const dateValue = (date: string) => ({ kind: 'date', text: '', date }) as const;

/** Whether the comparison holds for each value that may occur, and so for every product that has one. */
function everyValue(
  summary: AttributeSummary,
  operator: CompareOperator,
  { value }: Comparison,
  literal: Literal,
): boolean {
  if (summary.words || summary.unlisted) return false;
  if (operator === 'EXISTS') return true;
  const { numbers, dates, texts } = summary;
  if (!texts) return false;
  return (
    texts.values().every((text) => value({ kind: 'text', text })) &&
    (!numbers || everyNumber(operator, numbers, literal.number)) &&
    (!dates || everyDate(operator, dates, literal.span))
  );
}

function everyNumber(
  operator: CompareOperator,
  { min, max }: NumberBounds,
  wanted: number | undefined,
): boolean {
  if (wanted === undefined) return operator === '!=';
  switch (operator) {
    case '=':
      return min === wanted && max === wanted;
    case '!=':
      return max < wanted || min > wanted;
    case '<':
      return max < wanted;
    case '<=':
      return max <= wanted;
    case '>':
      return min > wanted;
    case '>=':
      return min >= wanted;
    default:
      return false;
  }
}

/** Every date lies within the span, however precise it is. */
function everyDate(operator: CompareOperator, span: TimeSpan, wanted: TimeSpan | undefined): boolean {
  if (!wanted) return operator === '!=';
  switch (operator) {
    case '=':
      return span.startAt >= wanted.startAt && span.endAt <= wanted.endAt;
    case '!=':
      return span.endAt <= wanted.startAt || span.startAt >= wanted.endAt;
    case '<':
      return span.endAt <= wanted.startAt;
    case '<=':
      return span.endAt <= wanted.endAt;
    case '>':
      return span.startAt >= wanted.endAt;
    case '>=':
      return span.startAt >= wanted.startAt;
    default:
      return false;
  }
}
