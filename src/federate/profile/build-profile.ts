/**
 * The profile of any item: Dublin Core by the format's crosswalk, the other fields of the format as
 * elements, where the item is served as its location. What is stored as a profile stays as it is.
 */
import { FIRST_YEAR, LAST_YEAR } from '../../core/attributes.ts';
import { BOX_EDGES, EDGE_NAMES, edgesOf } from '../../core/box-edges.ts';
import { DC_ELEMENTS } from '../../core/dublin-core.ts';
import { itemPath } from '../../core/identifiers.ts';
import type { FieldSpec, Fields, FieldType, FieldValue, ItemRef } from '../../core/model.ts';
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
import { composeValue } from '../../query/compose.ts';
import type { DublinCoreFields, ShownElements } from './dublin-core-fields.ts';
import type { MadeSections } from './made-attributes.ts';
import type { ProfileIds } from './profile-id.ts';

export interface DescribedItem extends ItemRef {
  /** The store's number of the item. */
  readonly key: number;
  readonly fields: Fields;
  /** Needed of items that are profiles. */
  readonly raw?: Uint8Array;
}

export interface ProfileSettings {
  readonly dublinCore: DublinCoreFields;
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
  { dublinCore, ids, baseUrl, made }: ProfileSettings,
): Profile {
  if (format.name === oodtProfile.name && item.raw) return readProfile(item.raw);
  const elements = format.fields
    .filter(({ name }, i) => !IN_DUBLIN_CORE.has(name) && firstOf(format, name) === i)
    .flatMap((field) => fieldElements(field, item.fields[field.name] ?? []))
    .concat(otherIdentifiers(item, dublinCore.of(format.name)));
  return {
    prof: { profId: [ids.ofItem(item)], ...made.prof },
    res: {
      ...describe(item, format, dublinCore.of(format.name)),
      ...made.res,
      resLocation: [baseUrl + itemPath(item.source, item.identifier)],
    },
    elements,
  };
}

const firstOf = ({ fields }: MetadataFormat, name: string) =>
  fields.findIndex((field) => field.name === name);

function describe(item: DescribedItem, format: MetadataFormat, shown: ShownElements): ResSection {
  const crosswalk = Object.fromEntries(
    Object.entries(shown).map(([element, { fields }]) => [element, fields.map((field) => ({ field }))]),
  );
  const described = toDublinCore({ ...format, dublinCore: crosswalk }, item.fields);
  const res: Partial<Record<ResAttribute, readonly string[]>> = {};
  for (const element of DC_ELEMENTS) {
    const { template } = shown[element];
    const composed = template && composeValue(template, item);
    const own = element === 'identifier' ? [item.identifier] : described[element];
    const values = composed === undefined ? own : [composed];
    if (values) res[(element[0]!.toUpperCase() + element.slice(1)) as ResAttribute] = values;
  }
  return res;
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
  if (type === 'bbox') return boxElements(values);
  const elemType = ELEMENT_TYPES[type];
  const base = {
    elemName: [name],
    ...(label.toLowerCase() !== name.toLowerCase() && { elemDesc: [label] }),
    ...(elemType && { elemType: [elemType] }),
  };
  if (typeof first !== 'object') return [{ ...base, elemEnumFlag: ['T'], elemValue: values.map(String) }];
  return values.flatMap((value) =>
    typeof value === 'object' && !('west' in value)
      ? {
          ...base,
          elemEnumFlag: ['F'],
          // The DTD wants both bounds.
          elemMinValue: [value.start ?? FIRST_YEAR],
          elemMaxValue: [value.end ?? LAST_YEAR],
        }
      : [],
  );
}

/** A resource has one `Identifier` (DTD); what else it is called stands beside it, under the same name. */
function otherIdentifiers(item: DescribedItem, { identifier }: ShownElements): ProfileElement[] {
  if (identifier.template && composeValue(identifier.template, item) !== undefined) return [];
  const others = identifier.fields.flatMap((field) => item.fields[field] ?? []);
  const elemValue = [...new Set(others.map(String))].filter((other) => other !== item.identifier);
  return elemValue.length === 0
    ? []
    : [{ elemName: ['identifier'], elemType: ['CHARACTER'], elemEnumFlag: ['T'], elemValue }];
}

function boxElements(values: readonly FieldValue[]): ProfileElement[] {
  return BOX_EDGES.map((edge) => ({
    elemName: [EDGE_NAMES[edge]],
    elemType: ['REAL'],
    elemUnit: ['deg'],
    elemEnumFlag: ['T'],
    elemValue: [...new Set(edgesOf(values, edge).map(String))],
  }));
}
