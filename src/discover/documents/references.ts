/** The list of references at the end of a paper, cut into its entries. */
import { type FoundIdentifier, findIdentifiers } from './identifiers.ts';

export interface Reference {
  readonly text: string;
  readonly identifiers: readonly FoundIdentifier[];
}

const HEADING =
  /^(?:\d{1,2}\.?\s+|[IVX]{1,5}\.\s+)?(?:references?(?:\s+cited)?|bibliography|literature(?:\s+cited)?|works\s+cited|cited\s+literature)\s*:?$/i;
/** What may follow on the references. */
const NEXT_HEADING =
  /^(?:\d{1,2}\.?\s+|[A-Z]\.\s+)?(?:appendix\b.{0,60}|appendices|acknowledge?ments?|about the authors?|supplementary (?:material|information)|author contributions|figure captions|tables?)\s*:?$/i;
/** `[12]`, `12.`, `(12)`. */
const NUMBERED = /^(?:\[(\d{1,4})\]|\((\d{1,4})\)|(\d{1,3})\.)\s+(?=\S)/;
/** `Rossow, W. B.,` or `Rossow WB,`: how entries without numbers begin. */
const AUTHOR_FIRST =
  /^\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+)?,\s+(?:\p{Lu}\.|\p{Lu}[\p{L}'’-]+)|^\p{Lu}[\p{L}'’-]+\s\p{Lu}{1,3}[,.]/u;
/** A DOI that was broken at the end of a line. */
const BROKEN = /10\.\d{4,9}\/\S*[-/._]$|https?:\/\/\S*[-/._]$/;

const MOST_REFERENCES = 1000;
const LONGEST = 1000;

/** The lines of the references, without the heading; empty when there are none. */
function referenceLines(lines: readonly string[]): readonly string[] {
  const start = lines.findLastIndex((line) => HEADING.test(line.trim()));
  if (start < 0) return [];
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => NEXT_HEADING.test(line.trim()));
  return end < 0 ? rest : rest.slice(0, end);
}

export function findReferences(text: string): Reference[] {
  const lines = referenceLines(text.split(/[\n\f]+/))
    .map((line) => line.trim())
    // Numbers of pages stand alone.
    .filter((line) => line !== '' && !/^\d{1,4}$/.test(line));
  return joinEntries(lines)
    .map((entry) => entry.replace(/\s+/g, ' ').trim().slice(0, LONGEST))
    .filter((entry) => entry.length > 10)
    .slice(0, MOST_REFERENCES)
    .map((entry) => ({ text: entry, identifiers: findIdentifiers(entry) }));
}

function joinEntries(lines: readonly string[]): string[] {
  const isNumbered = lines.some((line) => NUMBERED.test(line));
  const begins = (line: string) => (isNumbered ? NUMBERED.test(line) : AUTHOR_FIRST.test(line));
  // Where no line looks like a beginning each is an entry, as in lists of HTML pages.
  const known = lines.some(begins);
  const entries: string[] = [];
  for (const line of lines) {
    const text = line.replace(NUMBERED, '');
    const last = entries.at(-1);
    if (last === undefined || !known || begins(line)) entries.push(text);
    else entries[entries.length - 1] = BROKEN.test(last) ? last + text : joinLines(last, text);
  }
  return entries;
}

/** Words that were divided at the end of a line are whole again. */
const joinLines = (before: string, after: string): string =>
  /\p{Ll}-$/u.test(before) && /^\p{Ll}/u.test(after) ? before.slice(0, -1) + after : `${before} ${after}`;

/** The text without its references, for what a document says itself. */
export function withoutReferences(text: string): string {
  const lines = text.split(/[\n\f]/);
  const start = lines.findLastIndex((line) => HEADING.test(line.trim()));
  return start < 0 ? text : lines.slice(0, start).join('\n');
}
