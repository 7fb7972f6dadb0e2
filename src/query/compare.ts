/**
 * What a comparison with an attribute means, in one place; `lower-compare.ts` says the same to the index.
 *
 * - It holds when it holds for any one value (`planet != Mercury` holds for Mercury and Mars together).
 *   Without a value it never holds, so that NOT of it does.
 * - A value that is a number is compared with numbers, a date with dates: each as far as it is precise, so
 *   that `2004` may be before or after `2004-06`. With anything else they are unequal and have no order.
 * - A text is compared, folded, with whatever is written; but it has no order with a number or a date.
 * - LIKE and NOTLIKE ask texts only.
 * - Of a range, some value in it must do. Of an attribute about whose values nothing is said, any might.
 */
import type { Attribute, AttributeRange, AttributeValue } from '../core/attributes.ts';
import { dateSpan } from '../core/time.ts';
import type { CompareOperator } from './ast.ts';
import { type Literal, likePattern, readLiteral } from './literal.ts';
import { compareStrings, type TimeSpan } from './range.ts';
import { compilePattern, parsePattern } from './wildcard.ts';
import { foldPiece, foldValue } from './words.ts';

export interface Comparison {
  readonly value: (value: AttributeValue) => boolean;
  readonly range: (range: AttributeRange) => boolean;
  /** Between two folded texts, both included, may lie one that does; `mayHave` knows of single ones. */
  readonly textBetween: (low: string, high: string, mayHave: (folded: string) => boolean) => boolean;
}

export function compileComparison(operator: CompareOperator, written: string): Comparison {
  const literal = readLiteral(written);
  const text = compileText(operator, literal, written);
  const numbers = (min: number, max: number) => compareNumbers(operator, min, max, literal.number);
  const spans = (span: TimeSpan | undefined) =>
    span !== undefined && compareSpans(operator, span, literal.span);
  return {
    value: (value) =>
      value.kind === 'text'
        ? text(foldValue(value.text))
        : value.kind === 'number'
          ? numbers(value.number, value.number)
          : spans(dateSpan(value.date)),
    range: ({ min, max }) =>
      min.kind === 'number' && max.kind === 'number'
        ? numbers(min.number, max.number)
        : min.kind === 'date' && max.kind === 'date' && spans(joinSpans(min.date, max.date)),
    textBetween: (low, high, mayHave) =>
      textBetween(operator, literal, low, high) && (operator !== '=' || mayHave(literal.folded)),
  };
}

export function matchesAttribute({ value, range }: Comparison, attribute: Attribute): boolean {
  if (attribute.values.some(value)) return true;
  if (attribute.range) return range(attribute.range);
  return attribute.values.length === 0;
}

function compileText(
  operator: CompareOperator,
  literal: Literal,
  pattern: string,
): (folded: string) => boolean {
  if (operator === 'LIKE' || operator === 'NOTLIKE') {
    const matches = compilePattern(parsePattern(likePattern(pattern), foldPiece));
    return operator === 'LIKE' ? matches : (folded) => !matches(folded);
  }
  if (operator === 'EXISTS') return () => true;
  if (operator === '=') return (folded) => folded === literal.folded;
  if (operator === '!=') return (folded) => folded !== literal.folded;
  if (!isPlainText(literal)) return () => false;
  return (folded) => hasOrder(operator, compareStrings(folded, literal.folded));
}

export function isPlainText(literal: Literal): boolean {
  return literal.number === undefined && literal.span === undefined;
}

function hasOrder(operator: '<' | '<=' | '>' | '>=', order: number): boolean {
  switch (operator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

function compareNumbers(
  operator: CompareOperator,
  min: number,
  max: number,
  wanted: number | undefined,
): boolean {
  if (operator === 'EXISTS') return true;
  if (operator === 'LIKE' || operator === 'NOTLIKE') return false;
  if (wanted === undefined) return operator === '!=';
  if (operator === '=') return min <= wanted && wanted <= max;
  if (operator === '!=') return min !== wanted || max !== wanted;
  return hasOrder(operator, (operator === '<' || operator === '<=' ? min : max) - wanted);
}

function compareSpans(operator: CompareOperator, span: TimeSpan, wanted: TimeSpan | undefined): boolean {
  if (operator === 'EXISTS') return true;
  if (operator === 'LIKE' || operator === 'NOTLIKE') return false;
  if (!wanted) return operator === '!=';
  const before = span.startAt < wanted.startAt;
  const after = span.endAt > wanted.endAt;
  const equal = span.startAt < wanted.endAt && wanted.startAt < span.endAt;
  switch (operator) {
    case '=':
      return equal;
    case '!=':
      return before || after;
    case '<':
      return before;
    case '>':
      return after;
    case '<=':
      return before || equal;
    case '>=':
      return after || equal;
  }
}

function joinSpans(min: string, max: string): TimeSpan | undefined {
  const [first, last] = [dateSpan(min), dateSpan(max)];
  return first && last && first.startAt < last.endAt
    ? { startAt: first.startAt, endAt: last.endAt }
    : undefined;
}

function textBetween(operator: CompareOperator, literal: Literal, low: string, high: string): boolean {
  const { folded } = literal;
  switch (operator) {
    case '=':
      return compareStrings(low, folded) <= 0 && compareStrings(folded, high) <= 0;
    case '!=':
      return low !== folded || high !== folded;
    case '<':
    case '<=':
      return isPlainText(literal) && hasOrder(operator, compareStrings(low, folded));
    case '>':
    case '>=':
      return isPlainText(literal) && hasOrder(operator, compareStrings(high, folded));
    default:
      return true;
  }
}
