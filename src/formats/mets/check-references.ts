/**
 * Whether everything in a METS document that refers leads to something of the right kind. The schema does
 * not tell: validators know no dangling IDREF, and the ends of `smLink`s are plain strings to them.
 */
import { type MetsEvent, readMetsEvents } from './read-events.ts';

export interface ReferenceProblem {
  readonly message: string;
  readonly line: number;
}

type Target = 'description' | 'administration' | 'file' | 'division' | 'other';

interface Reference {
  readonly attribute: string;
  readonly name: string;
  readonly line: number;
}

const TARGETS: Readonly<Record<string, Target>> = {
  dmdSec: 'description',
  amdSec: 'administration',
  techMD: 'administration',
  rightsMD: 'administration',
  sourceMD: 'administration',
  digiprovMD: 'administration',
  file: 'file',
  div: 'division',
};

/** Attributes that are lists of IDs, and what must have them. */
const WANTED: Readonly<Record<string, Target>> = {
  DMDID: 'description',
  ADMID: 'administration',
  FILEID: 'file',
};

const WORDS: Readonly<Record<Target, string>> = {
  description: 'dmdSec',
  administration: 'part of an amdSec',
  file: 'file',
  division: 'div',
  other: 'other element',
};

const NC_NAME = /^[\p{L}_][\p{L}\p{N}\p{M}._\u00b7-]*$/u;
/** IDs of MODS, PREMIS and others share the document's one space of names. */
const FOREIGN_ID = /\s(?:ID|xmlID|xml:id)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const MAX_PROBLEMS = 100;

/** Of the first hundred problems; empty when all is well. */
export function checkMetsReferences(chunks: Iterable<Uint8Array>): ReferenceProblem[] {
  const check = new MetsReferenceCheck();
  for (const event of readMetsEvents(chunks)) check.take(event);
  return check.finish();
}

/** Looks at the events of one document as they go by; of what was there only names stay in memory. */
export class MetsReferenceCheck {
  readonly #targets = new Map<string, Target>();
  readonly #sizes = new Map<string, number>();
  readonly #labels = new Set<string>();
  readonly #references: Reference[] = [];
  readonly #ends: Reference[] = [];
  readonly #areas: { readonly fileId: string; readonly last: number; readonly line: number }[] = [];
  readonly #problems: ReferenceProblem[] = [];
  #line = 1;

  take(event: MetsEvent): void {
    if (event.kind === 'content') return;
    if (event.kind === 'end') {
      if (event.name === 'xmlData')
        for (const [, double, single] of event.text.matchAll(FOREIGN_ID))
          this.#define(double ?? single ?? '', 'other');
      return;
    }
    const { name, attributes, line } = event;
    this.#line = line;
    const id = attributes.get('ID');
    if (id !== undefined) this.#define(id, TARGETS[name] ?? 'other');
    if (name === 'file' && id !== undefined && attributes.has('SIZE'))
      this.#sizes.set(id, Number(attributes.get('SIZE')));
    const label = attributes.get('xlink:label');
    if (name === 'div' && label !== undefined) {
      if (this.#labels.has(label)) this.#report(`two divisions have the label "${label}"`, line);
      this.#labels.add(label);
    }
    // Most lead back to what was read before; the others have to wait for the end.
    for (const attribute in WANTED)
      for (const wanted of (attributes.get(attribute) ?? '').split(/\s+/))
        if (wanted !== '' && this.#targets.get(wanted) !== WANTED[attribute])
          this.#references.push({ attribute, name: wanted, line });
    if (name === 'smLink')
      for (const attribute of ['xlink:from', 'xlink:to']) {
        const end = attributes.get(attribute) ?? '';
        if (!this.#labels.has(end)) this.#ends.push({ attribute, name: end, line });
      }
    if (name === 'FLocat' || name === 'mptr' || name === 'mdRef')
      checkLocation(name, attributes, (message) => this.#report(message, line));
    if (name === 'area' && attributes.get('BETYPE') === 'BYTE') this.#takeBytes(attributes, line);
  }

  finish(): ReferenceProblem[] {
    for (const { attribute, name, line } of this.#references) {
      const wanted = WANTED[attribute] ?? 'other';
      const found = this.#targets.get(name);
      if (found === undefined) this.#report(`${attribute} "${name}" is not in the document`, line);
      else if (found !== wanted) this.#report(`${attribute} "${name}" is no ${WORDS[wanted]}`, line);
    }
    // The specification wants labels; many write the ID of the division.
    for (const { attribute, name, line } of this.#ends)
      if (!this.#labels.has(name) && this.#targets.get(name) !== 'division')
        this.#report(`${attribute} "${name}" of a link is no division`, line);
    for (const { fileId, last, line } of this.#areas) {
      const size = this.#sizes.get(fileId);
      if (size !== undefined && last >= size)
        this.#report(`byte ${last} lies behind the end of the file "${fileId}"`, line);
    }
    return this.#problems;
  }

  #takeBytes(attributes: ReadonlyMap<string, string>, line: number): void {
    const fileId = attributes.get('FILEID') ?? '';
    const first = Number(attributes.get('BEGIN') ?? Number.NaN);
    const last = Number(attributes.get('END') ?? first);
    if (!(first >= 0 && last >= first)) this.#report(`no bytes lie between ${first} and ${last}`, line);
    else if (!(last < (this.#sizes.get(fileId) ?? 0))) this.#areas.push({ fileId, last, line });
  }

  #define(id: string, target: Target): void {
    if (!NC_NAME.test(id)) this.#report(`"${id}" is no ID`, this.#line);
    if (this.#targets.has(id)) this.#report(`the ID "${id}" is there twice`, this.#line);
    this.#targets.set(id, target);
  }

  #report(message: string, line: number): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push({ message, line });
  }
}

function checkLocation(
  element: string,
  attributes: ReadonlyMap<string, string>,
  report: (message: string) => void,
): void {
  const href = attributes.get('xlink:href') ?? '';
  if (href === '') report(`${element} says no place`);
  else if (attributes.get('LOCTYPE') === 'URL' && !URL.canParse(href, 'http://relative.invalid/'))
    report(`${element} "${href}" is no address`);
}
