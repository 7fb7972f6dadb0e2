/** All data elements of all dictionaries, found by name and by synonym. */
import { nearestNames } from '../../core/nearest.ts';
import { splitWords } from '../../query/words.ts';
import { compareVersions, type DataElement, elementKey } from './data-element.ts';
import type { DataDictionary } from './dictionary.ts';

/** One element of one dictionary, in all its versions. */
export interface ElementEntry {
  readonly key: string;
  readonly dictionary: string;
  /** The newest version that is still in use, else the newest. */
  readonly current: DataElement;
  /** Newest first. */
  readonly versions: readonly DataElement[];
}

export interface FoundElement {
  readonly entry: ElementEntry;
  /** Whether the name is only a synonym of the element. */
  readonly bySynonym: boolean;
}

export interface ElementIndex {
  readonly dictionaries: readonly DataDictionary[];
  /** By key of the name; those of one name in the order of the dictionaries. */
  readonly entries: readonly ElementEntry[];
  /** All elements of that name, then those that have it as a synonym. */
  lookUp(name: string): readonly FoundElement[];
  /** The nearest names, for a name that is not known. */
  nearest(name: string): string[];
  /** Those that have all the words, anywhere; those with them in the name first. All, without words. */
  search(text: string): ElementEntry[];
}

/** Records of one source miss the same names again and again. */
const MOST_REMEMBERED = 1000;

const GONE = new Set<DataElement['registrationStatus']>(['superseded', 'historical', 'retired']);

export const isOutOfUse = ({ registrationStatus }: DataElement): boolean => GONE.has(registrationStatus);

/** Earlier dictionaries come before later ones where they define the same name. */
export function createElementIndex(dictionaries: readonly DataDictionary[]): ElementIndex {
  const entries = dictionaries
    .flatMap(listEntries)
    .sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -1 : 1));
  const byKey = new Map<string, FoundElement[]>();
  const add = (key: string, found: FoundElement) => {
    const known = byKey.get(key) ?? [];
    if (!known.some(({ entry }) => entry === found.entry)) byKey.set(key, [...known, found]);
  };
  for (const entry of entries) add(entry.key, { entry, bySynonym: false });
  for (const entry of entries)
    for (const { name } of entry.current.synonyms) add(elementKey(name), { entry, bySynonym: true });
  const names = () =>
    entries.flatMap(({ current }) => [current.name, ...current.synonyms.map((s) => s.name)]);
  const nearKnown = new Map<string, string[]>();
  let searchable: { readonly entry: ElementEntry; readonly name: string; readonly all: string }[] | undefined;

  return {
    dictionaries,
    entries,
    lookUp: (name) => byKey.get(elementKey(name)) ?? [],
    nearest(name) {
      const near = nearKnown.get(name) ?? nearestNames(name, names());
      if (nearKnown.size >= MOST_REMEMBERED) nearKnown.clear();
      nearKnown.set(name, near);
      return near;
    },
    search(text) {
      searchable ??= entries.map((entry) => ({
        entry,
        name: wordsOf([entry.current.name, ...entry.current.synonyms.map((synonym) => synonym.name)]),
        all: wordsOf(elementTexts(entry)),
      }));
      const words = splitWords(text);
      const has = (haystack: string) => words.every((word) => haystack.includes(` ${word}`));
      const found = searchable.filter(({ all }) => has(all));
      const rank = ({ name }: { readonly name: string }) => (has(name) ? 0 : 1);
      return found.toSorted((a, b) => rank(a) - rank(b)).map(({ entry }) => entry);
    },
  };
}

function listEntries({ identifier, elements }: DataDictionary): ElementEntry[] {
  const groups = Map.groupBy(elements, ({ name }) => elementKey(name));
  return [...groups].flatMap(([key, group]) => {
    const versions = group.toSorted((a, b) => compareVersions(b.version, a.version));
    const current = versions.find((version) => !isOutOfUse(version)) ?? versions[0];
    return current ? [{ key, dictionary: identifier, current, versions }] : [];
  });
}

function elementTexts({ dictionary, current }: ElementEntry): string[] {
  return [
    dictionary,
    current.name,
    current.definition,
    ...current.synonyms.flatMap(({ name, context }) => [name, context ?? '']),
    ...current.keywords,
    ...current.classifications,
    ...current.permissibleValues.flatMap(({ value, meaning }) => [value, meaning ?? '']),
    ...[
      current.identifier,
      current.context,
      current.unit,
      current.datatype,
      current.registrationAuthority,
      current.comments,
    ].filter((text) => text !== undefined),
  ];
}

/** Each with a space before it, so that words are found by their beginning. */
const wordsOf = (texts: readonly string[]): string => ` ${texts.flatMap(splitWords).join(' ')}`;
