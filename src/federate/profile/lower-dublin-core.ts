/** Comparisons with Dublin Core, as the store can answer them: by the fields that each format has it in. */
import { attributeKey } from '../../core/attributes.ts';
import type { FieldSpec } from '../../core/model.ts';
import {
  anyOf,
  type CompareNode,
  type CompareOperator,
  type ComposedPart,
  type QueryNode,
} from '../../query/ast.ts';
import { type DublinCoreFields, type ElementGroup, isDcElement } from './dublin-core-fields.ts';
import { ORDINARY } from './made-attributes.ts';
import { narrowTemplate } from './narrow-template.ts';

interface Deps {
  readonly dublinCore: DublinCoreFields;
  /** Of all formats. */
  readonly specs: ReadonlyMap<string, FieldSpec>;
}

export function lowerDublinCore(query: QueryNode, deps: Deps): QueryNode {
  switch (query.type) {
    case 'and':
    case 'or':
      return { type: query.type, of: query.of.map((part) => lowerDublinCore(part, deps)) };
    case 'not':
    case 'boost':
      return { ...query, of: lowerDublinCore(query.of, deps) };
    case 'compare':
      return query.only ? query : lowerComparison(query, deps);
    default:
      return query;
  }
}

function lowerComparison(node: CompareNode, { dublinCore, specs }: Deps): QueryNode {
  const key = attributeKey(node.field);
  if (!isDcElement(key)) return node;
  const groups = dublinCore.groupsOf(key);
  const special = groups.slice(1).flatMap(({ formats }) => formats);
  const ofProfiles: QueryNode = { ...node, only: [] };
  return anyOf([
    ofProfiles,
    ...groups.flatMap((group, i): QueryNode[] => {
      const values = askGroup(node, group, key === 'date' ? 'date' : 'text', specs);
      const isOne: QueryNode = { type: 'oneOf', field: 'schema', values: i === 0 ? special : group.formats };
      const isMember: QueryNode[] = i > 0 ? [isOne] : special.length > 0 ? [{ type: 'not', of: isOne }] : [];
      return values ? [{ type: 'and', of: [ORDINARY, ...isMember, values] }] : [];
    }),
  ]);
}

/** Undefined: nothing in the group has the element. */
function askGroup(
  node: CompareNode,
  { fields, template }: ElementGroup,
  kind: 'text' | 'date',
  specs: ReadonlyMap<string, FieldSpec>,
): QueryNode | undefined {
  const inFields: QueryNode | undefined = fields.length > 0 ? { ...node, only: fields } : undefined;
  if (!template) return inFields;
  const isComplete: QueryNode = { type: 'and', of: [ORDINARY, ...template.flatMap(hasPart)] };
  const compare = (operator: CompareOperator): QueryNode => {
    const { value } = node;
    const narrowed = narrowTemplate(template, operator, value, specs);
    const within: QueryNode = narrowed ? { type: 'and', of: [isComplete, narrowed] } : isComplete;
    return { type: 'composed', parts: template, kind, operator, value, within };
  };
  const composed = askComposed(node.operator, kind, compare, isComplete);
  return inFields
    ? anyOf([composed, { type: 'and', of: [{ type: 'not', of: isComplete }, inFields] }])
    : composed;
}

/** A text is only one, so that it is unequal to what it does not equal: no need to read it. */
function askComposed(
  operator: CompareOperator,
  kind: 'text' | 'date',
  compare: (operator: CompareOperator) => QueryNode,
  isComplete: QueryNode,
): QueryNode {
  if (operator === 'EXISTS') return isComplete;
  const opposite = operator === '!=' ? '=' : operator === 'NOTLIKE' ? 'LIKE' : undefined;
  if (opposite === undefined || kind === 'date') return compare(operator);
  return { type: 'and', of: [isComplete, { type: 'not', of: compare(opposite) }] };
}

function hasPart(part: ComposedPart): QueryNode[] {
  if (typeof part === 'string' || part.fields.includes('id')) return [];
  return [anyOf(part.fields.map((field): QueryNode => ({ type: 'exists', field })))];
}
