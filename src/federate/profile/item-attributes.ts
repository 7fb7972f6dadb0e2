/**
 * What of an item a comparison may ask: the attributes of a profile, or the ordinary fields of any other
 * item, under the names by which `query/lower-compare.ts` finds them.
 */
import {
  type Attribute,
  type AttributeValue,
  attributeKey,
  readAttributeFields,
  readAttributeRange,
} from '../../core/attributes.ts';
import type { FieldSpec, Fields, FieldValue } from '../../core/model.ts';

export interface ItemAttribute extends Attribute {
  /** Words: some comparison may find it though no whole value does. */
  readonly words?: boolean;
}

/** Fields whose values count under the name of a Dublin Core element as well. */
const ALSO: Readonly<Record<string, string>> = {
  mediaType: 'format',
  origin: 'source',
  place: 'coverage',
  time: 'coverage',
};
/** Names that comparisons take for another field. */
const HIDDEN = new Set(['source', 'format', 'coverage']);

export interface AttributedItem {
  readonly identifier: string;
  readonly fields: Fields;
}

export function isProfile(fields: Fields): boolean {
  return Object.hasOwn(fields, 'attr.proftype');
}

/** By key (`attributeKey`). */
export function listItemAttributes(
  { identifier, fields }: AttributedItem,
  specs: ReadonlyMap<string, FieldSpec>,
): Map<string, ItemAttribute> {
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
            ...((known.range ?? attribute.range) && { range: known.range ?? attribute.range }),
          }
        : attribute,
    );
  };
  add({ name: 'identifier', values: [{ kind: 'text', text: identifier }] });
  for (const [name, values] of Object.entries(fields)) {
    const spec = specs.get(name);
    if (!spec?.indexed || spec.type === 'bbox' || values.length === 0) continue;
    const content = attributeContent(spec, values);
    if (!HIDDEN.has(name)) add({ name, ...content });
    const also = ALSO[name];
    if (also !== undefined) add({ name: also, ...content });
  }
  return attributes;
}

function attributeContent(spec: FieldSpec, values: readonly FieldValue[]): Omit<ItemAttribute, 'name'> {
  const words = spec.type === 'text' || spec.tokenised;
  const read: AttributeValue[] = [];
  let range: Attribute['range'];
  for (const value of values) {
    if (typeof value === 'number') read.push({ kind: 'number', text: String(value), number: value });
    else if (typeof value === 'string')
      read.push(
        spec.type === 'date' ? { kind: 'date', text: value, date: value } : { kind: 'text', text: value },
      );
    else if (
      !('west' in value) &&
      value.start !== undefined &&
      value.end !== undefined &&
      values.length === 1
    )
      range = readAttributeRange(value.start, value.end, 'date');
    else return { values: [], words: true };
  }
  return { values: spec.type === 'text' ? [] : read, ...(range && { range }), ...(words && { words: true }) };
}
