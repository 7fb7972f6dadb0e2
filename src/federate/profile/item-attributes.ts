/**
 * What of an item a comparison may ask: the attributes of a profile, or the ordinary fields of any other
 * item, under the names by which `query/lower-compare.ts` finds them.
 */
import {
  type Attribute,
  type AttributeRange,
  type AttributeValue,
  attributeKey,
  readAttributeFields,
  readAttributeRange,
  readAttributeValue,
} from '../../core/attributes.ts';
import { BOX_EDGES, EDGE_NAMES, edgesOf } from '../../core/box-edges.ts';
import type { FieldSpec, Fields, FieldValue } from '../../core/model.ts';
import { composeValue } from '../../query/compose.ts';
import { type DublinCoreFields, isDcElement } from './dublin-core-fields.ts';

export interface ItemAttribute extends Attribute {
  /** Words: some comparison may find it though no whole value does. */
  readonly words?: boolean;
  /** It has values that are not among these. */
  readonly unlisted?: boolean;
}

export interface AttributedItem {
  readonly identifier: string;
  readonly format: string;
  readonly fields: Fields;
}

export function isProfile(fields: Fields): boolean {
  return Object.hasOwn(fields, 'attr.proftype');
}

/** By key (`attributeKey`). */
export function listItemAttributes(
  item: AttributedItem,
  specs: ReadonlyMap<string, FieldSpec>,
  dublinCore: DublinCoreFields,
): Map<string, ItemAttribute> {
  const { identifier, fields } = item;
  if (isProfile(fields)) return readAttributeFields(fields);
  const attributes = new Map<string, ItemAttribute>();
  const add = (attribute: ItemAttribute) => {
    const key = attributeKey(attribute.name);
    const known = attributes.get(key);
    attributes.set(
      key,
      known
        ? {
            ...known,
            values: [...known.values, ...attribute.values],
            ...((known.words || attribute.words) && { words: true }),
            ...((known.unlisted || attribute.unlisted) && { unlisted: true }),
            ...joinRanges(known.range, attribute.range),
          }
        : attribute,
    );
  };
  const contents = new Map<string, Omit<ItemAttribute, 'name'>>([
    ['id', { values: [{ kind: 'text', text: identifier }] }],
  ]);
  for (const [name, values] of Object.entries(fields)) {
    const spec = specs.get(name);
    if (!spec?.indexed || values.length === 0) continue;
    if (spec.type === 'bbox') {
      for (const edge of BOX_EDGES)
        add({ name: EDGE_NAMES[edge], values: edgesOf(values, edge).map(numberValue) });
      continue;
    }
    const content = attributeContent(spec, values);
    contents.set(name, content);
    if (!isDcElement(attributeKey(name))) add({ name, ...content });
  }
  for (const [name, { fields: from, template }] of Object.entries(dublinCore.of(item.format))) {
    const text = template && composeValue(template, item);
    if (text !== undefined)
      add({ name, values: [readAttributeValue(text, name === 'date' ? 'date' : 'text')] });
    else
      for (const field of from) {
        const content = contents.get(field);
        if (content) add({ name, ...content });
      }
  }
  return attributes;
}

/** Of two, neither is told. */
function joinRanges(
  a: AttributeRange | undefined,
  b: AttributeRange | undefined,
): Pick<ItemAttribute, 'range' | 'unlisted'> {
  if (a && b) return { unlisted: true };
  const range = a ?? b;
  return range ? { range } : {};
}

const numberValue = (number: number): AttributeValue => ({ kind: 'number', text: String(number), number });

function attributeContent(spec: FieldSpec, values: readonly FieldValue[]): Omit<ItemAttribute, 'name'> {
  const words = spec.type === 'text' || spec.tokenised;
  const read: AttributeValue[] = [];
  let range: Attribute['range'];
  for (const value of values) {
    if (typeof value === 'number') read.push(numberValue(value));
    else if (typeof value === 'string')
      read.push(
        spec.type === 'date' ? { kind: 'date', text: value, date: value } : { kind: 'text', text: value },
      );
    else if ('west' in value || value.start === undefined || value.end === undefined)
      return { values: [], unlisted: true };
    else if (values.length === 1) range = readAttributeRange(value.start, value.end, 'date');
    // Of several, what is gathered spans all of them.
    else for (const date of [value.start, value.end]) read.push({ kind: 'date', text: date, date });
  }
  if (spec.type === 'text') return { values: [], words: true, unlisted: true };
  return { values: read, ...(range && { range }), ...(words && { words: true }) };
}
