/** What of a profile or of an item a dictionary can judge. */
import { attributeKey, readAttributeFields } from '../../core/attributes.ts';
import { DC_ELEMENTS } from '../../core/dublin-core.ts';
import type { Fields, FieldValue } from '../../core/model.ts';
import {
  PROF_ATTRIBUTES,
  type Profile,
  RES_ATTRIBUTES,
  type ResAttribute,
} from '../../formats/oodt-profile/profile.ts';
import type { NamedValues } from './validate-elements.ts';

const DUBLIN_CORE = new Set<string>(DC_ELEMENTS);
const isDublinCore = (name: string): boolean => DUBLIN_CORE.has(name.toLowerCase());

/** Dublin Core and the profile's own elements; the ends of a range count as values. */
export function namedValuesOfProfile({ res, elements }: Profile): NamedValues[] {
  const described = (Object.entries(res) as [ResAttribute, readonly string[]][])
    .filter(([name]) => isDublinCore(name))
    .map(([name, values]) => ({ name, values }));
  return [
    ...described,
    ...elements.map(({ elemName, elemValue, elemMinValue, elemMaxValue, elemUnit }) => ({
      name: elemName?.[0] ?? '',
      values: [...(elemValue ?? []), ...(elemMinValue ?? []), ...(elemMaxValue ?? [])],
      ...(elemUnit?.[0] !== undefined && { unit: elemUnit[0] }),
    })),
  ];
}

/** What says something of the profile, or of where its resource is, and stands in no dictionary. */
const STRUCTURAL = new Set(
  [...Object.keys(PROF_ATTRIBUTES), ...Object.keys(RES_ATTRIBUTES)]
    .map(attributeKey)
    .filter((name) => !isDublinCore(name)),
);

/** An item's fields, or the attributes of one that is a profile. Areas have no place in a dictionary. */
export function namedValuesOfFields(fields: Fields): NamedValues[] {
  const attributes = readAttributeFields(fields);
  const named = [...attributes.values()]
    .filter(({ name }) => !STRUCTURAL.has(attributeKey(name)))
    .map(({ name, values, range }) => ({
      name,
      values: [...values, ...(range ? [range.min, range.max] : [])].map(({ text }) => text),
      normalised: true,
    }));
  if (named.length > 0) return named;
  return Object.entries(fields).flatMap(([name, values]) => {
    const texts = values.flatMap(textsOf);
    return texts.length === 0 ? [] : [{ name, values: texts, normalised: true }];
  });
}

function textsOf(value: FieldValue): string[] {
  if (typeof value !== 'object') return [String(value)];
  if ('west' in value) return [];
  return [value.start, value.end].filter((end) => end !== undefined);
}
