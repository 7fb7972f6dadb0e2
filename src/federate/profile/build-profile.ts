/**
 * The profile of any item: Dublin Core by the format's crosswalk, the other fields of the format as
 * elements, where the item is served as its location. What is stored as a profile stays as it is.
 */
import { readAttributeFields } from '../../core/attributes.ts';
import { itemPath } from '../../core/identifiers.ts';
import type { BoxValue, FieldSpec, Fields, FieldType, FieldValue, ItemRef } from '../../core/model.ts';
import { toDublinCore } from '../../formats/dublin-core.ts';
import type { MetadataFormat } from '../../formats/format.ts';
import { oodtProfile } from '../../formats/oodt-profile/format.ts';
import type {
  Profile,
  ProfileElement,
  ResAttribute,
  ResSection,
} from '../../formats/oodt-profile/profile.ts';
import { readProfile } from '../../formats/oodt-profile/read-xml.ts';
import type { MadeSections } from './made-attributes.ts';
import type { ProfileConfig } from './profile-config.ts';
import type { ProfileIds } from './profile-id.ts';
import { fillTemplate } from './template.ts';

export interface DescribedItem extends ItemRef {
  /** The store's number of the item. */
  readonly key: number;
  readonly fields: Fields;
  /** Needed of items that are profiles. */
  readonly raw?: Uint8Array;
}

export interface ProfileSettings {
  readonly config: Pick<ProfileConfig, 'templates'>;
  readonly ids: ProfileIds;
  readonly baseUrl: string;
  readonly made: MadeSections;
}

/** Fields that Dublin Core says already. */
const IN_DUBLIN_CORE = new Set([
  'title',
  'creator',
  'contributor',
  'publisher',
  'subject',
  'description',
  'date',
  'type',
  'mediaType',
  'identifier',
  'origin',
  'language',
  'relation',
  'link',
  'rights',
]);

export function buildProfile(
  item: DescribedItem,
  format: MetadataFormat,
  { config, ids, baseUrl, made }: ProfileSettings,
): Profile {
  if (format.name === oodtProfile.name && item.raw) return readProfile(item.raw);
  const elements = format.fields
    .filter(({ name }, i) => !IN_DUBLIN_CORE.has(name) && firstOf(format, name) === i)
    .flatMap((field) => fieldElements(field, item.fields[field.name] ?? []));
  const described = dublinCore(item, format);
  return {
    prof: { profId: [ids.ofItem(item)], ...made.prof },
    res: {
      ...described,
      ...fillTemplates(config.templates, attributeLookup(item.fields, elements, described)),
      ...made.res,
      resLocation: [baseUrl + itemPath(item.source, item.identifier)],
    },
    elements,
  };
}

const firstOf = ({ fields }: MetadataFormat, name: string) =>
  fields.findIndex((field) => field.name === name);

function dublinCore({ identifier, fields }: DescribedItem, format: MetadataFormat): ResSection {
  const res: Partial<Record<ResAttribute, readonly string[]>> = {};
  for (const [element, values] of Object.entries(toDublinCore(format, fields)))
    res[(element[0]!.toUpperCase() + element.slice(1)) as ResAttribute] = values;
  return { ...res, Identifier: [identifier] };
}

const ELEMENT_TYPES: Readonly<Partial<Record<FieldType, string>>> = {
  text: 'CHARACTER',
  string: 'CHARACTER',
  uri: 'CHARACTER',
  number: 'REAL',
  date: 'TIME',
  interval: 'TIME',
};

function fieldElements({ name, label, type }: FieldSpec, values: readonly FieldValue[]): ProfileElement[] {
  const [first] = values;
  if (first === undefined) return [];
  const elemType = ELEMENT_TYPES[type];
  const base = {
    elemName: [name],
    ...(label.toLowerCase() !== name.toLowerCase() && { elemDesc: [label] }),
    ...(elemType && { elemType: [elemType] }),
  };
  if (typeof first !== 'object') return [{ ...base, elemEnumFlag: ['T'], elemValue: values.map(String) }];
  if ('west' in first) return boxElements(first);
  if (first.start === undefined || first.end === undefined || values.length > 1)
    return [{ ...base, elemEnumFlag: ['F'] }];
  return [{ ...base, elemEnumFlag: ['F'], elemMinValue: [first.start], elemMaxValue: [first.end] }];
}

/** Under the names of the planetary data dictionary. */
function boxElements({ west, south, east, north }: BoxValue): ProfileElement[] {
  const edge = (name: string, degrees: number): ProfileElement => ({
    elemName: [name],
    elemType: ['REAL'],
    elemUnit: ['deg'],
    elemEnumFlag: ['T'],
    elemValue: [String(degrees)],
  });
  return [
    edge('westernmost_longitude', west),
    edge('easternmost_longitude', east),
    edge('minimum_latitude', south),
    edge('maximum_latitude', north),
  ];
}

/** Values by the names of attributes, elements and Dublin Core, in any case. */
function attributeLookup(
  fields: Fields,
  elements: readonly ProfileElement[],
  res: ResSection,
): (name: string) => string | undefined {
  const values = new Map<string, string>();
  const put = (name: string | undefined, value: string | undefined) => {
    if (name !== undefined && value !== undefined && !values.has(name.toLowerCase()))
      values.set(name.toLowerCase(), value);
  };
  for (const [key, { values: given }] of readAttributeFields(fields)) put(key, given[0]?.text);
  for (const { elemName, elemValue } of elements) put(elemName?.[0], elemValue?.[0]);
  for (const [name, given] of Object.entries(res)) put(name, given[0]);
  for (const [name, given] of Object.entries(fields))
    if (typeof given[0] !== 'object') put(name, String(given[0]));
  return (name) => values.get(name.toLowerCase());
}

function fillTemplates(
  templates: Readonly<Record<string, string>>,
  lookUp: (name: string) => string | undefined,
): ResSection {
  const filled = Object.entries(templates).flatMap(([name, template]) => {
    const value = fillTemplate(template, lookUp);
    return value === undefined ? [] : [[name, [value]] as const];
  });
  return Object.fromEntries(filled);
}
