/** What a curator says of an item instead of what it says of itself, and the lists that the words are taken from. */

/** Elements with any number of values; the title has one. */
export const CATALOGUED_LISTS = [
  'description',
  'subject',
  'place',
  'creator',
  'publisher',
  'genre',
  'date',
  'language',
  'rights',
] as const;
type CataloguedList = (typeof CATALOGUED_LISTS)[number];
export type CataloguedElement = CataloguedList | 'title';

export type CataloguedValues = { readonly title?: string } & {
  readonly [Element in CataloguedList]?: readonly string[];
};

/** A list of words that others agreed upon. */
export interface AuthorityList {
  /** Its name as MODS has it: `lcsh`, `naf`, `marcgt`; absent: a list of one's own. */
  readonly authority?: string | undefined;
  readonly terms: readonly string[];
  /** No other words than these. */
  readonly closed: boolean;
}

export type Authorities = { readonly [Element in CataloguedElement]?: AuthorityList | undefined };

/** The name of the list that a value is of. */
export function authorityOf(
  authorities: Authorities,
  element: CataloguedElement,
  value: string,
): string | undefined {
  const list = authorities[element];
  return list?.terms.includes(value) ? list.authority : undefined;
}
