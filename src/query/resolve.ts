/**
 * Fits a query to the fields it names: a word asked of a number becomes a range, a word asked of a field
 * that is not split into words becomes a whole value, and what makes no sense is refused. Parsers do it
 * clause by clause (to know the position), back ends once more for queries made by programs; doing it
 * twice changes nothing.
 */
import { GarnerError } from '../core/errors.ts';
import type { FieldType } from '../core/model.ts';
import type { Bound, QueryNode } from './ast.ts';
import { type CatalogueField, type FieldCatalogue, getField } from './catalogue.ts';
import { compareStrings, numberRange, timeRange } from './range.ts';
import { parsePattern } from './wildcard.ts';
import { foldValue, splitWords } from './words.ts';

export type LeafNode = Exclude<QueryNode, { type: 'and' | 'or' | 'not' | 'boost' | 'compare' | 'composed' }>;
type WordNode = Extract<LeafNode, { type: 'term' | 'phrase' | 'wildcard' | 'fuzzy' }>;
export function isWordNode(node: LeafNode): node is WordNode {
  return node.type === 'term' || node.type === 'phrase' || node.type === 'wildcard' || node.type === 'fuzzy';
}

type RangeNode = Extract<LeafNode, { type: 'range' }>;

export function resolveQuery(node: QueryNode, catalogue: FieldCatalogue): QueryNode {
  switch (node.type) {
    case 'and':
    case 'or':
      return { type: node.type, of: node.of.map((child) => resolveQuery(child, catalogue)) };
    case 'not':
      return { type: 'not', of: resolveQuery(node.of, catalogue) };
    case 'boost':
      return { type: 'boost', of: resolveQuery(node.of, catalogue), factor: node.factor };
    case 'compare':
    case 'composed':
      return node;
    default:
      return resolveLeaf(node, catalogue);
  }
}

export function resolveLeaf(node: LeafNode, catalogue: FieldCatalogue): LeafNode {
  if (node.type === 'all') return node;
  const onlyStars = node.type === 'wildcard' && !node.negated && /^\*+$/.test(node.pattern);
  if (node.field === undefined) {
    if (onlyStars) return { type: 'all' };
    return isWordNode(node) ? checkWords(node) : node;
  }
  const field = getField(catalogue, node.field);
  if (node.type === 'exists') return node;
  if (onlyStars) return { type: 'exists', field: field.name };
  if (node.type === 'range' && !node.from && !node.to) return { type: 'exists', field: field.name };
  switch (field.type) {
    case 'bbox':
      if (node.type !== 'box') throw unsupported(field, node, 'takes a box: [west,south,east,north]');
      return node;
    case 'number':
    case 'date':
    case 'interval':
      return resolveQuantity(node, field);
    default:
      return field.tokenised ? resolveText(node, field) : resolveWhole(node, field);
  }
}

function resolveQuantity(
  node: Exclude<LeafNode, { type: 'all' | 'exists' }>,
  field: CatalogueField,
): LeafNode {
  const what = field.type === 'number' ? 'a number' : 'a date';
  switch (node.type) {
    case 'oneOf':
      throw unsupported(field, node, `takes ${what}, not strings`);
    case 'range':
      return checkBounds(node, field);
    case 'value':
      return checkBounds(equal(field, node.value), field);
    case 'term':
      return checkBounds(equal(field, node.text), field);
    case 'phrase':
      if (node.slop > 0) throw unsupported(field, node, `takes ${what}, which has no words to stand apart`);
      return checkBounds(equal(field, node.text), field);
    case 'box':
      throw unsupported(field, node, `takes ${what}, not a box`);
    default:
      throw unsupported(field, node, `takes ${what} or a range, not a ${node.type} pattern`);
  }
}

/** `year:2004` is the range of everything in 2004. */
function equal(field: CatalogueField, text: string): RangeNode {
  const bound: Bound = { value: text.trim(), inclusive: true };
  return { type: 'range', field: field.name, from: bound, to: bound };
}

function resolveText(node: Exclude<LeafNode, { type: 'all' | 'exists' }>, field: CatalogueField): LeafNode {
  if (node.type === 'box') throw unsupported(field, node, 'holds words, not boxes');
  if (node.type === 'value' || node.type === 'oneOf' || node.type === 'range') {
    if (field.type === 'text') {
      throw unsupported(
        field,
        node,
        'is running text, which is searched by its words: quote the phrase you look for',
      );
    }
    return node.type === 'range' ? checkBounds(node, field) : node;
  }
  return checkWords(node);
}

function resolveWhole(node: Exclude<LeafNode, { type: 'all' | 'exists' }>, field: CatalogueField): LeafNode {
  switch (node.type) {
    case 'term':
      return { type: 'value', field: field.name, value: node.text };
    case 'phrase':
      if (node.slop > 0)
        throw unsupported(field, node, 'is matched by whole values, so no words can stand between');
      return { type: 'value', field: field.name, value: node.text };
    case 'fuzzy':
      if (field.pseudo) throw unsupported(field, node, 'holds exact names, which are not searched fuzzily');
      return node;
    case 'range':
      return checkBounds(node, field);
    case 'box':
      throw unsupported(field, node, 'holds strings, not boxes');
    default:
      return node;
  }
}

/** Words are split on both sides, but patterns and fuzzy words must be one word: the index has no more. */
function checkWords(node: WordNode): WordNode {
  if (node.type === 'wildcard') {
    let literal = '';
    for (const part of parsePattern(node.pattern, (text) => text)) {
      if (typeof part === 'object') literal += part.text;
    }
    if (splitWords(literal).length > 1 || /[^\p{L}\p{N}\p{M}]/u.test(literal)) {
      throw new GarnerError('query.unsupported', 'a wildcard works inside one word of letters and digits', {
        details: { expected: 'one word with * or ?', found: node.pattern },
      });
    }
    return node;
  }
  const count = splitWords(node.text).length;
  if (count === 0) {
    throw new GarnerError('query.syntax', 'there is no letter or digit to search for', {
      details: { expected: 'a word', found: node.text },
    });
  }
  if (node.type === 'fuzzy' && count > 1) {
    throw new GarnerError('query.unsupported', 'a fuzzy search takes one word', {
      details: { expected: 'one word before ~', found: node.text },
    });
  }
  return node;
}

function checkBounds(node: RangeNode, field: CatalogueField): RangeNode {
  const { from, to } = node;
  const backwards = () =>
    new GarnerError('query.syntax', `the range runs backwards: ${from?.value} lies after ${to?.value}`, {
      details: { expected: 'the smaller bound first', found: `${from?.value} TO ${to?.value}` },
    });
  if (field.type === 'number') {
    const range = numberRange(from, to);
    if (!range) throw badBound(node, field, 'a number', (bound) => !numberRange(bound, undefined));
    if (range.min > range.max) throw backwards();
  } else if (field.type === 'date' || field.type === 'interval') {
    const range = timeRange(from && { ...from, inclusive: true }, to && { ...to, inclusive: true });
    if (!range) {
      throw badBound(
        node,
        field,
        'a date such as 2004, 2004-06 or 2004-06-15',
        (bound) => !timeRange(bound, undefined),
      );
    }
    if (range.startAt >= range.endAt) throw backwards();
  } else if (from && to) {
    const fold = field.pseudo ? (text: string) => text : foldValue;
    if (compareStrings(fold(from.value), fold(to.value)) > 0) throw backwards();
  }
  return node;
}

function badBound(
  { from, to }: RangeNode,
  field: CatalogueField,
  expected: string,
  isBad: (bound: Bound) => boolean,
): GarnerError {
  const bound = from && isBad(from) ? 'from' : 'to';
  const found = (bound === 'from' ? from : to)?.value ?? '';
  return new GarnerError('query.unsupported', `the field "${field.name}" takes ${expected}, not "${found}"`, {
    details: { field: field.name, bound, expected, found },
  });
}

const TAKES: Readonly<Record<FieldType, string>> = {
  text: 'words',
  string: 'words or a value',
  uri: 'words or a value',
  number: 'a number or a range of numbers',
  date: 'a date or a range of dates',
  interval: 'a date or a range of dates',
  bbox: 'a box',
};

function unsupported(field: CatalogueField, node: LeafNode, reason: string): GarnerError {
  return new GarnerError('query.unsupported', `the field "${field.name}" ${reason}`, {
    details: { field: field.name, expected: TAKES[field.type], found: node.type },
  });
}
