/**
 * What profiles of items say as Dublin Core, and where it stands in the index: in the fields of the crosswalk of
 * their format, or made of some by a template. Whoever shows, gathers or finds these values asks here.
 */
import { attributeKey } from '../../core/attributes.ts';
import { edgeField, edgeNamed } from '../../core/box-edges.ts';
import { DC_ELEMENTS, type DcElement } from '../../core/dublin-core.ts';
import type { FieldSpec } from '../../core/model.ts';
import type { MetadataFormat } from '../../formats/format.ts';
import { genericXml } from '../../formats/generic-xml.ts';
import type { ComposedPart } from '../../query/ast.ts';
import { parseTemplate } from './template.ts';

export interface ElementFields {
  /** Of the index; `id` is the identifier of the item. */
  readonly fields: readonly string[];
  /** Has a value instead of these, where all of its parts have one. */
  readonly template?: readonly ComposedPart[];
}

export type ShownElements = Readonly<Record<DcElement, ElementFields>>;

export interface DublinCoreFields {
  /** Formats that nobody knows any more are generic. */
  of(format: string): ShownElements;
  /** Formats whose values of an element come from the same fields; the first group is that of all others. */
  groupsOf(element: DcElement): readonly ElementGroup[];
}

export interface ElementGroup extends ElementFields {
  readonly formats: readonly string[];
}

interface DublinCoreOptions {
  readonly formats?: readonly MetadataFormat[];
  /** By the name of the element as profiles write it. */
  readonly templates?: Readonly<Record<string, string>>;
  /** Of all formats. */
  readonly specs: ReadonlyMap<string, FieldSpec>;
}

export function isDcElement(key: string): key is DcElement {
  return (DC_ELEMENTS as readonly string[]).includes(key);
}

export function createDublinCoreFields({ formats = [], ...options }: DublinCoreOptions): DublinCoreFields {
  const shown = new Map(formats.map((format) => [format.name, shownElements(format, options)]));
  const others = shown.get(genericXml.name) ?? shownElements(genericXml, options);
  const groups = new Map(DC_ELEMENTS.map((element) => [element, groupFormats(element, shown, others)]));
  return {
    of: (format) => shown.get(format) ?? others,
    groupsOf: (element) => groups.get(element) ?? [],
  };
}

function groupFormats(
  element: DcElement,
  shown: ReadonlyMap<string, ShownElements>,
  others: ShownElements,
): ElementGroup[] {
  const byFields = new Map<string, ElementGroup>();
  const put = (fields: ElementFields, formats: readonly string[]) => {
    const key = JSON.stringify(fields);
    byFields.set(key, { ...fields, formats: [...(byFields.get(key)?.formats ?? []), ...formats] });
  };
  put(others[element], []);
  for (const [format, elements] of shown) put(elements[element], [format]);
  return [...byFields.values()];
}

function shownElements(
  { dublinCore }: MetadataFormat,
  { templates = {}, specs }: Omit<DublinCoreOptions, 'formats'>,
): ShownElements {
  const fieldsOf = (element: DcElement): string[] => {
    const named = (dublinCore[element] ?? []).flatMap(({ field }) => field ?? []);
    const usable = named.filter((field) => isUsable(specs.get(field)));
    return element === 'identifier' ? ['id', ...usable] : usable;
  };
  const byName = new Map([...specs.values()].map((spec) => [attributeKey(spec.name), spec]));
  const lookUp = (name: string): string[] => {
    const key = attributeKey(name);
    if (key === 'identifier') return ['id'];
    const edge = edgeNamed(key);
    const own = byName.get(key)?.name;
    const fields = isDcElement(key) ? fieldsOf(key) : own === undefined ? [] : [own];
    return [
      ...fields.filter((field) => isPlain(specs.get(field))),
      ...(edge ? [...specs.values()].filter(isBoxes).map((spec) => edgeField(spec.name, edge)) : []),
    ];
  };
  return Object.fromEntries(
    DC_ELEMENTS.map((element): [DcElement, ElementFields] => {
      const written = templates[element[0]!.toUpperCase() + element.slice(1)];
      const template = written === undefined ? undefined : parseTemplate(written, lookUp);
      return [element, { fields: fieldsOf(element), ...(template && { template }) }];
    }),
  ) as Record<DcElement, ElementFields>;
}

/** Boxes are told by their edges, which can be asked for. */
const isUsable = (spec: FieldSpec | undefined): boolean => spec?.indexed === true && spec.type !== 'bbox';

/** Has values that a text can be made of. */
const isPlain = (spec: FieldSpec | undefined): boolean =>
  spec !== undefined && isUsable(spec) && spec.stored && spec.type !== 'interval';

const isBoxes = ({ type, indexed, stored }: FieldSpec): boolean => type === 'bbox' && indexed && stored;
