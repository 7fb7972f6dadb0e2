/** The attributes of a data element, in their groups: how files, tables and pages show each. */
import type { DataElement } from './data-element.ts';

export const ATTRIBUTE_GROUPS = [
  'identifying',
  'definitional',
  'relational',
  'representational',
  'administrative',
] as const;
type AttributeGroup = (typeof ATTRIBUTE_GROUPS)[number];

export interface Attribute {
  readonly key: keyof DataElement;
  readonly group: AttributeGroup;
  readonly label: string;
  /** The element in XML; lists have one for each entry. */
  readonly tag: string;
  /** One text; a whole number; several texts; or several texts with another one each, which may be absent. */
  readonly form: 'text' | 'count' | 'texts' | 'pairs';
  /** Of pairs: the names of the text itself and of what belongs to it. */
  readonly pair?: readonly [main: string, beside: string];
}

const row = (
  group: AttributeGroup,
  key: keyof DataElement,
  label: string,
  form: Attribute['form'] = 'text',
  tag: string = key,
  pair?: readonly [string, string],
): Attribute => ({ group, key, label, form, tag, ...(pair && { pair }) });

/** In the order of ISO/IEC 11179-3; unit, minimum and maximum are ours. */
export const ATTRIBUTES: readonly Attribute[] = [
  row('identifying', 'name', 'Name'),
  row('identifying', 'identifier', 'Identifier'),
  row('identifying', 'version', 'Version'),
  row('identifying', 'registrationAuthority', 'Registration authority'),
  row('identifying', 'synonyms', 'Synonymous name', 'pairs', 'synonym', ['name', 'context']),
  row('identifying', 'context', 'Context'),
  row('definitional', 'definition', 'Definition'),
  row('relational', 'classifications', 'Classification scheme', 'texts', 'classification'),
  row('relational', 'keywords', 'Keyword', 'texts', 'keyword'),
  row('relational', 'related', 'Related data', 'pairs', 'related', ['reference', 'relationship']),
  row('representational', 'category', 'Representation category'),
  row('representational', 'form', 'Form of representation'),
  row('representational', 'datatype', 'Datatype'),
  row('representational', 'maximumSize', 'Maximum size', 'count'),
  row('representational', 'minimumSize', 'Minimum size', 'count'),
  row('representational', 'layout', 'Layout'),
  row('representational', 'unit', 'Unit'),
  row('representational', 'minimum', 'Minimum'),
  row('representational', 'maximum', 'Maximum'),
  row('representational', 'permissibleValues', 'Permissible value', 'pairs', 'permissibleValue', [
    'value',
    'meaning',
  ]),
  row('representational', 'permissibleName', 'Name of the permissible values'),
  row('representational', 'permissibleReference', 'Source of the permissible values'),
  row('representational', 'permissibleRule', 'Rule of the permissible values'),
  row('administrative', 'responsibleOrganization', 'Responsible organization'),
  row('administrative', 'registrationStatus', 'Registration status'),
  row('administrative', 'submittingOrganization', 'Submitting organization'),
  row('administrative', 'comments', 'Comments'),
];

export interface AttributeEntry {
  readonly text: string;
  /** Of pairs: the context of a synonym, the meaning of a value. */
  readonly beside?: string;
}

/** What an element has of an attribute; empty when it has nothing. */
export function attributeEntries(element: DataElement, { key, pair }: Attribute): AttributeEntry[] {
  const value = element[key];
  if (value === undefined) return [];
  if (typeof value === 'string' || typeof value === 'number') return [{ text: String(value) }];
  return value.map((entry) => {
    if (typeof entry === 'string') return { text: entry };
    const parts: Readonly<Record<string, string | undefined>> = { ...entry };
    const beside = parts[pair?.[1] ?? ''];
    return { text: parts[pair?.[0] ?? ''] ?? '', ...(beside !== undefined && { beside }) };
  });
}

/** The other way: entries as the plain value that `readDictionary` checks; undefined when there are none. */
export function attributeValue({ form, pair }: Attribute, entries: readonly AttributeEntry[]): unknown {
  const [first] = entries;
  if (form === 'texts') return entries.map(({ text }) => text);
  if (form === 'pairs' && pair)
    return entries.map(({ text, beside }) => ({
      [pair[0]]: text,
      ...(beside !== undefined && { [pair[1]]: beside }),
    }));
  if (!first) return undefined;
  return form === 'count' && /^\d{1,15}$/.test(first.text) ? Number(first.text) : first.text;
}
