/** By what two items are taken for the same thing. */
import type { Fields, FieldValue } from '../../core/model.ts';

export const DUPLICATE_KINDS = ['doi', 'identifier', 'title'] as const;
export type DuplicateKind = (typeof DUPLICATE_KINDS)[number];

/** RFC-less but registered: the prefix, a slash, and anything printable. */
const DOI = /\b10\.\d{4,9}\/[^\s"<>{}|\\^`]+/i;
/** Shorter ones are numbers in somebody's list. */
const SHORTEST_IDENTIFIER = 8;
const SHORTEST_TITLE = 12;

export type DuplicateKeys = Readonly<Record<DuplicateKind, readonly string[]>>;

export function duplicateKeys(identifier: string, fields: Fields): DuplicateKeys {
  const named = [identifier, ...texts(fields.identifier)];
  const dois = [...named, ...texts(fields.link)].map(readDoi).filter((doi) => doi !== undefined);
  const identifiers = named
    .filter((text) => readDoi(text) === undefined && text.length >= SHORTEST_IDENTIFIER)
    .map((text) => text.toLowerCase());
  return { doi: unique(dois), identifier: unique(identifiers), title: titleKeys(fields) };
}

/** In lower case, since DOIs are compared so, and without what a sentence put behind it. */
function readDoi(text: string): string | undefined {
  let doi = DOI.exec(text)?.[0].toLowerCase();
  while (doi !== undefined && (/[.,;\]]$/.test(doi) || (doi.endsWith(')') && !isBalanced(doi))))
    doi = doi.slice(0, -1);
  return doi;
}

const isBalanced = (text: string): boolean => text.split('(').length === text.split(')').length;

/** Title and year: many things are called the same, few in the same year. */
function titleKeys(fields: Fields): string[] {
  const [title] = texts(fields.title);
  const [date] = texts(fields.date);
  const folded = fold(title ?? '');
  if (date === undefined || folded.length < SHORTEST_TITLE) return [];
  return [`${folded} ${date.slice(0, 4)}`];
}

const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const texts = (values: readonly FieldValue[] | undefined): string[] =>
  (values ?? []).filter((value) => typeof value === 'string');

const unique = (values: readonly string[]): string[] => [...new Set(values)];
