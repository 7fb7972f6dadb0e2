/**
 * Comparisons with attributes, put as questions about fields of the index: those that the attribute's name
 * gives (`core/attributes.ts`), and, for items that are no profiles, the ordinary fields of that name.
 */
import { type AttributePart, attributeField, attributeKey } from '../core/attributes.ts';
import { edgeField, edgeNamed } from '../core/box-edges.ts';
import { anyOf, type CompareNode, type CompareOperator, type QueryNode } from './ast.ts';
import { type CatalogueField, type FieldCatalogue, getField } from './catalogue.ts';
import { isPlainText } from './compare.ts';
import { type Literal, likePattern, readLiteral } from './literal.ts';
import { splitWords } from './words.ts';

/** Every profile has it, so that what has none is an item of another kind. */
const PROFILE_MARK = attributeField('profType', 'text');

/** Dublin Core elements whose values stand in fields of other names. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  identifier: ['id', 'identifier'],
  format: ['mediaType'],
  source: ['origin'],
  coverage: ['place', 'time'],
};

export function lowerCompare(node: CompareNode, catalogue: FieldCatalogue): QueryNode {
  const literal = readLiteral(node.value);
  if (node.only && node.only.length > 0)
    return anyOf(node.only.flatMap((name) => fieldParts(node, literal, getField(catalogue, name))));
  const parts = attributeParts(node, literal);
  if (node.only) return anyOf(parts);
  const fields = ordinaryFields(node.field, catalogue);
  const ordinary = fields.flatMap((field) => fieldParts(node, literal, field));
  if (ordinary.length === 0) return anyOf(parts);
  const others: QueryNode = {
    type: 'and',
    of: [{ type: 'not', of: { type: 'exists', field: PROFILE_MARK } }, anyOf(ordinary)],
  };
  return anyOf([...parts, others]);
}

function attributeParts({ field: name, operator, value }: CompareNode, literal: Literal): QueryNode[] {
  const field = (part: AttributePart) => attributeField(name, part);
  const has = (part: AttributePart): QueryNode => ({ type: 'exists', field: field(part) });
  const unspecified = has('any');
  if (operator === 'EXISTS') return [has('text'), has('number'), has('date'), has('min'), unspecified];
  if (operator === 'LIKE' || operator === 'NOTLIKE')
    return [wholePattern(field('text'), operator, value), unspecified];
  const { number, date } = literal;
  const unequal = operator === '!=';
  return [
    ...(hasTextOrder(operator, literal) ? textParts(field('text'), operator, literal.text) : []),
    ...(number !== undefined
      ? [
          ...ordered(field('number'), operator, String(number)),
          ...numberRanges(name, operator, String(number)),
        ]
      : unequal
        ? [has('number'), has('min')]
        : []),
    ...(date !== undefined ? ordered(field('date'), operator, date) : unequal ? [has('date')] : []),
    unspecified,
  ];
}

type Ordering = Exclude<CompareOperator, 'LIKE' | 'NOTLIKE' | 'EXISTS'>;

function ordered(field: string, operator: Ordering, value: string): QueryNode[] {
  const outside = { value, inclusive: false };
  const inside = { value, inclusive: true };
  const below: QueryNode = { type: 'range', field, to: operator === '<=' ? inside : outside };
  const above: QueryNode = { type: 'range', field, from: operator === '>=' ? inside : outside };
  switch (operator) {
    case '=':
      return [{ type: 'range', field, from: inside, to: inside }];
    case '!=':
      return [below, above];
    case '<':
    case '<=':
      return [below];
    default:
      return [above];
  }
}

function numberRanges(name: string, operator: Ordering, value: string): QueryNode[] {
  const [min, max] = [attributeField(name, 'min'), attributeField(name, 'max')];
  switch (operator) {
    case '=':
      return [{ type: 'and', of: [...ordered(min, '<=', value), ...ordered(max, '>=', value)] }];
    case '!=':
      return [...ordered(min, '!=', value), ...ordered(max, '!=', value)];
    case '<':
    case '<=':
      return ordered(min, operator, value);
    default:
      return ordered(max, operator, value);
  }
}

/** A text has no order with a number or a date. */
const hasTextOrder = (operator: CompareOperator, literal: Literal): boolean =>
  operator === '=' || operator === '!=' || isPlainText(literal);

function textParts(field: string, operator: Ordering, value: string): QueryNode[] {
  return operator === '=' ? [{ type: 'value', field, value }] : ordered(field, operator, value);
}

function wholePattern(field: string, operator: 'LIKE' | 'NOTLIKE', value: string): QueryNode {
  return {
    type: 'wildcard',
    field,
    pattern: likePattern(value),
    ...(operator === 'NOTLIKE' && { negated: true }),
  };
}

const byLowerCase = new WeakMap<FieldCatalogue, ReadonlyMap<string, string>>();

function ordinaryFields(name: string, catalogue: FieldCatalogue): CatalogueField[] {
  let names = byLowerCase.get(catalogue);
  if (!names) {
    names = new Map(catalogue.names.map((known) => [known.toLowerCase(), known]));
    byLowerCase.set(catalogue, names);
  }
  const key = attributeKey(name);
  const own = key === 'id' ? undefined : names.get(key);
  const edge = edgeNamed(key);
  const edges = edge ? catalogue.names.map((box) => edgeField(box, edge)) : [];
  return (OTHER_NAMES[key] ?? [...(own === undefined ? [] : [own]), ...edges]).flatMap((known) => {
    const field = catalogue.find(known);
    // Of what the store fills only the identifier is an attribute of the resource.
    return field?.indexed && (!field.pseudo || known === 'id') ? [field] : [];
  });
}

/** Ordinary fields have one type; running text is compared by its words. */
function fieldParts({ operator, value }: CompareNode, literal: Literal, field: CatalogueField): QueryNode[] {
  const { name, type } = field;
  const exists: QueryNode = { type: 'exists', field: name };
  if (operator === 'EXISTS') return [exists];
  const like = operator === 'LIKE' || operator === 'NOTLIKE';
  switch (type) {
    case 'bbox':
      return [];
    case 'number':
    case 'date':
    case 'interval': {
      if (like) return [];
      const written = type === 'number' ? literal.number?.toString() : literal.date;
      if (written === undefined) return operator === '!=' ? [exists] : [];
      return ordered(name, operator, written);
    }
    default:
      if (like && !field.tokenised) return [wholePattern(name, operator, value)];
      if (like || type === 'text') return wordParts(operator, value, name);
      return hasTextOrder(operator, literal) ? textParts(name, operator, literal.text) : [];
  }
}

function wordParts(operator: CompareOperator, value: string, field: string): QueryNode[] {
  const found =
    operator === 'LIKE' || operator === 'NOTLIKE' ? likeWords(value, field) : phrase(value, field);
  if (!found) return [];
  if (operator === '=' || operator === 'LIKE') return [found];
  if (operator !== '!=' && operator !== 'NOTLIKE') return [];
  return [
    {
      type: 'and',
      of: [
        { type: 'exists', field },
        { type: 'not', of: found },
      ],
    },
  ];
}

function phrase(text: string, field: string): QueryNode | undefined {
  return splitWords(text).length === 0 ? undefined : { type: 'phrase', field, text, slop: 0 };
}

/** `%sea ice%`: words that hold or begin with the pieces, wherever they stand. */
function likeWords(pattern: string, field: string): QueryNode | undefined {
  const words = pattern.split(/[^\p{L}\p{N}\p{M}%_]+/u).filter((word) => splitWords(word).length > 0);
  if (words.length === 0) return undefined;
  return { type: 'and', of: words.map((word) => ({ type: 'wildcard', field, pattern: likePattern(word) })) };
}
