/**
 * Whether everything in a METS document that refers leads to something of the right kind. The schema does
 * not tell: validators know no dangling IDREF, and the ends of `smLink`s are plain strings to them.
 */
import { readMetsEvents } from './read-events.ts';

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
  const targets = new Map<string, Target>();
  const sizes = new Map<string, number>();
  const labels = new Set<string>();
  const references: Reference[] = [];
  const ends: Reference[] = [];
  const areas: { readonly fileId: string; readonly last: number; readonly line: number }[] = [];
  const problems: ReferenceProblem[] = [];
  const report = (message: string, line: number): void => {
    if (problems.length < MAX_PROBLEMS) problems.push({ message, line });
  };
  const define = (id: string, target: Target, line: number): void => {
    if (!NC_NAME.test(id)) report(`"${id}" is no ID`, line);
    if (targets.has(id)) report(`the ID "${id}" is there twice`, line);
    targets.set(id, target);
  };

  let line = 1;
  for (const event of readMetsEvents(chunks)) {
    if (event.kind === 'end') {
      if (event.name === 'xmlData')
        for (const [, double, single] of event.text.matchAll(FOREIGN_ID))
          define(double ?? single ?? '', 'other', line);
      continue;
    }
    const { name, attributes } = event;
    ({ line } = event);
    const id = attributes.get('ID');
    if (id !== undefined) define(id, TARGETS[name] ?? 'other', line);
    if (name === 'file' && id !== undefined && attributes.has('SIZE'))
      sizes.set(id, Number(attributes.get('SIZE')));
    const label = attributes.get('xlink:label');
    if (name === 'div' && label !== undefined) {
      if (labels.has(label)) report(`two divisions have the label "${label}"`, line);
      labels.add(label);
    }
    // Most lead back to what was read before; the others have to wait for the end.
    for (const attribute in WANTED)
      for (const wanted of (attributes.get(attribute) ?? '').split(/\s+/))
        if (wanted !== '' && targets.get(wanted) !== WANTED[attribute])
          references.push({ attribute, name: wanted, line });
    if (name === 'smLink')
      for (const attribute of ['xlink:from', 'xlink:to']) {
        const end = attributes.get(attribute) ?? '';
        if (!labels.has(end)) ends.push({ attribute, name: end, line });
      }
    if (name === 'FLocat' || name === 'mptr' || name === 'mdRef')
      checkLocation(name, attributes, (message) => report(message, event.line));
    if (name === 'area' && attributes.get('BETYPE') === 'BYTE') {
      const fileId = attributes.get('FILEID') ?? '';
      const first = Number(attributes.get('BEGIN') ?? Number.NaN);
      const last = Number(attributes.get('END') ?? first);
      if (!(first >= 0 && last >= first)) report(`no bytes lie between ${first} and ${last}`, line);
      else if (!(last < (sizes.get(fileId) ?? 0))) areas.push({ fileId, last, line });
    }
  }

  for (const { attribute, name, line: at } of references) {
    const wanted = WANTED[attribute] ?? 'other';
    const found = targets.get(name);
    if (found === undefined) report(`${attribute} "${name}" is not in the document`, at);
    else if (found !== wanted) report(`${attribute} "${name}" is no ${WORDS[wanted]}`, at);
  }
  // The specification wants labels; many write the ID of the division.
  for (const { attribute, name, line: at } of ends)
    if (!labels.has(name) && targets.get(name) !== 'division')
      report(`${attribute} "${name}" of a link is no division`, at);
  for (const { fileId, last, line: at } of areas) {
    const size = sizes.get(fileId);
    if (size !== undefined && last >= size)
      report(`byte ${last} lies behind the end of the file "${fileId}"`, at);
  }
  return problems;
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
