/** Profiles as XML, in the order of the DTD. */
import { escapeText } from '../../xml/write.ts';
import {
  ELEMENT_PARTS,
  listSection,
  type Occurs,
  PROF_ATTRIBUTES,
  type Profile,
  plainElement,
  RES_ATTRIBUTES,
} from './profile.ts';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Apache OODT reads nothing without it: its parser always validates, by a copy of the DTD of its own. */
const DOCTYPE =
  '<!DOCTYPE profiles PUBLIC "-//JPL//DTD Profile 1.1//EN" "http://oodt.jpl.nasa.gov/grid-profile/dtd/prof.dtd">\n';

/** A record, which may come to stand in other documents. */
export function writeProfile(profile: Profile): string {
  return DECLARATION + profileMarkup(profile, '');
}

/** `note`: for whoever looks at the document; programs pass it over. */
export function writeProfiles(profiles: readonly Profile[], note?: string): string {
  // Two hyphens would end the comment (XML 1.0 §2.5).
  const comment = note === undefined ? '' : `<!-- ${escapeText(note).replace(/-(?=-)/g, '- ')} -->\n`;
  return `${DECLARATION}${DOCTYPE}${comment}<profiles>\n${profiles.map((profile) => profileMarkup(profile, '  ')).join('')}</profiles>\n`;
}

/** One at a time, for lists of any length. */
export async function* streamProfiles(
  profiles: Iterable<Profile> | AsyncIterable<Profile>,
): AsyncGenerator<string> {
  yield `${DECLARATION}${DOCTYPE}<profiles>\n`;
  for await (const profile of profiles) yield profileMarkup(profile, '  ');
  yield '</profiles>\n';
}

function profileMarkup({ prof, res, elements }: Profile, indent: string): string {
  const inner = `${indent}  `;
  return (
    `${indent}<profile>\n` +
    sectionMarkup('profAttributes', PROF_ATTRIBUTES, prof, inner) +
    sectionMarkup('resAttributes', RES_ATTRIBUTES, res, inner) +
    elements
      .map((element) => sectionMarkup('profElement', ELEMENT_PARTS, plainElement(element), inner))
      .join('') +
    `${indent}</profile>\n`
  );
}

function sectionMarkup<Name extends string>(
  tag: string,
  table: Readonly<Record<Name, Occurs>>,
  section: Readonly<Partial<Record<Name, readonly string[]>>>,
  indent: string,
): string {
  let lines = '';
  for (const [name, , values] of listSection(table, section))
    for (const value of values) lines += `${indent}  <${name}>${escapeText(value)}</${name}>\n`;
  return `${indent}<${tag}>\n${lines}${indent}</${tag}>\n`;
}
