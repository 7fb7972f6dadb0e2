/** Everything in a profile that can be asked for: its own attributes, those of the resource, its elements. */
import {
  type Attribute,
  type AttributeValue,
  attributeFields,
  declaredKind,
  readAttributeRange,
  readAttributeValue,
} from '../../core/attributes.ts';
import type { Fields } from '../../core/model.ts';
import { parseInterval } from '../../core/time.ts';
import type { Profile, ProfileElement } from './profile.ts';

export function listAttributes({ prof, res, elements }: Profile): Attribute[] {
  const sections = { ...prof, ...res };
  const plain = Object.entries(sections).flatMap(([name, values]): Attribute[] =>
    name === 'Coverage'
      ? values.map((text) => ({ name, ...coverageContent(text) }))
      : [{ name, values: values.map((text) => readAttributeValue(text, name === 'Date' ? 'date' : 'text')) }],
  );
  const typed = sections.profType ? [] : [{ name: 'profType', values: [readAttributeValue('profile')] }];
  return [...plain, ...typed, ...elements.flatMap(listElement)];
}

/** For the index. Numbers, dates and names of elements are no words: comparisons find them. */
export function indexProfile(profile: Profile): { fields: Fields; texts: string[] } {
  const attributes = listAttributes(profile);
  const texts = attributes.flatMap(({ values }) =>
    values.flatMap((value) => (value.kind === 'text' ? value.text : [])),
  );
  for (const { elemDesc = [] } of profile.elements) texts.push(...elemDesc);
  return { fields: attributeFields(attributes), texts };
}

/** DCMI Period. */
const PERIOD = /(?:^|;)\s*(?:start|end)\s*=/i;

/** A place, or a period of time. */
function coverageContent(text: string): Omit<Attribute, 'name'> {
  const period = PERIOD.test(text) ? parseInterval(text) : undefined;
  const range = period && readAttributeRange(period.start, period.end, 'date');
  return range ? { values: [], range } : { values: [readAttributeValue(text, 'text')] };
}

/** Under its name and under each of its synonyms. */
function listElement(element: ProfileElement): Attribute[] {
  const { elemName = [], elemSynonym = [] } = element;
  const content = elementContent(element);
  return [...elemName.slice(0, 1), ...elemSynonym].map((name) => ({ name, ...content }));
}

export function elementContent(element: ProfileElement): Omit<Attribute, 'name'> {
  const declared = declaredKind(element.elemType?.[0]);
  const values: AttributeValue[] = (element.elemValue ?? []).map((text) =>
    readAttributeValue(text, declared),
  );
  const [min, max] = [element.elemMinValue?.[0], element.elemMaxValue?.[0]];
  const range =
    values.length === 0
      ? readAttributeRange(min, max, declared === 'text' ? undefined : declared)
      : undefined;
  return { values, ...(range && { range }) };
}
