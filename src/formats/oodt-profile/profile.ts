/**
 * Resource profiles of OODT. The three sections hold elements by the names and in the order of the DTD
 * (Profile 1.1, and `profDataDictId` behind it); XML, JSON, RDF and the schema all follow these tables.
 */

/** How often an element stands: `1` once, `?` at most once, `*` any number of times, `+` at least once. */
export type Occurs = '1' | '?' | '*' | '+';

export const PROF_ATTRIBUTES = {
  profId: '1',
  profVersion: '?',
  profType: '1',
  profStatusId: '1',
  profSecurityType: '?',
  profParentId: '?',
  profChildId: '*',
  profRegAuthority: '?',
  profRevisionNote: '*',
  profDataDictId: '?',
} as const satisfies Record<string, Occurs>;

export const RES_ATTRIBUTES = {
  Identifier: '1',
  Title: '?',
  Format: '*',
  Description: '?',
  Creator: '*',
  Subject: '*',
  Publisher: '*',
  Contributor: '*',
  Date: '*',
  Type: '*',
  Source: '*',
  Language: '*',
  Relation: '*',
  Coverage: '*',
  Rights: '*',
  resContext: '+',
  resAggregation: '?',
  resClass: '1',
  resLocation: '*',
} as const satisfies Record<string, Occurs>;

/** Values, or both bounds, or neither. */
export const ELEMENT_PARTS = {
  elemId: '?',
  elemName: '1',
  elemDesc: '?',
  elemType: '?',
  elemUnit: '?',
  elemEnumFlag: '1',
  elemValue: '*',
  elemMinValue: '?',
  elemMaxValue: '?',
  elemSynonym: '*',
  elemObligation: '?',
  elemMaxOccurrence: '?',
  elemComment: '?',
} as const satisfies Record<string, Occurs>;

export type ProfAttribute = keyof typeof PROF_ATTRIBUTES;
export type ResAttribute = keyof typeof RES_ATTRIBUTES;
type ElementPart = keyof typeof ELEMENT_PARTS;

const SECTION_KEYS: ReadonlySet<string> = new Set(
  [...Object.keys(PROF_ATTRIBUTES), ...Object.keys(RES_ATTRIBUTES)].map((name) => name.toLowerCase()),
);

/** Whether an attribute is of the domain: none of those that every profile has. */
export function isDomainKey(key: string): boolean {
  return !SECTION_KEYS.has(key);
}

/** Values by element name, in order; what has none is absent. */
type Section<Name extends string> = Readonly<Partial<Record<Name, readonly string[]>>>;
export type ProfSection = Section<ProfAttribute>;
export type ResSection = Section<ResAttribute>;
export type ProfileElement = Section<ElementPart>;

export interface Profile {
  readonly prof: ProfSection;
  readonly res: ResSection;
  readonly elements: readonly ProfileElement[];
}

/** What the DTD wants and old files lack. */
const REQUIRED: ReadonlyMap<string, readonly string[]> = new Map([
  ['profType', ['profile']],
  ['profStatusId', ['active']],
  ['resContext', ['UNKNOWN']],
  ['resClass', ['UNKNOWN']],
]);
const NOTHING: readonly string[] = [];

/** The section as it is written: in order, with what is required, nothing more often than it may stand. */
export function* listSection<Name extends string>(
  table: Readonly<Record<Name, Occurs>>,
  section: Section<Name>,
): Generator<readonly [name: Name, occurs: Occurs, values: readonly string[]]> {
  for (const name of Object.keys(table) as Name[]) {
    const given = section[name] ?? REQUIRED.get(name) ?? NOTHING;
    const occurs = table[name];
    const single = occurs === '1' || occurs === '?';
    if (given.length > 0) yield [name, occurs, single && given.length > 1 ? given.slice(0, 1) : given];
  }
}

/** An element as it is written: the flag always, and either values or bounds. */
export function plainElement(element: ProfileElement): ProfileElement {
  const { elemMinValue, elemMaxValue, elemValue, ...rest } = element;
  const isRange = elemMinValue !== undefined && elemMaxValue !== undefined && !elemValue?.length;
  const flag = element.elemEnumFlag?.[0]?.trim().toUpperCase();
  return {
    ...rest,
    elemEnumFlag: [isRange ? 'F' : elemValue?.length ? 'T' : flag === 'F' ? 'F' : 'T'],
    ...(isRange ? { elemMinValue, elemMaxValue } : elemValue && { elemValue }),
  };
}
