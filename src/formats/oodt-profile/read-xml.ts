/**
 * Profiles from XML as it was really written: `profiles` or a bare `profile`, element names in any case
 * (`profid`), `profileAttributes`, a missing `elemEnumFlag`, addresses broken over lines, any order.
 */
import { GarnerError } from '../../core/errors.ts';
import { parseXml } from '../../xml/engine.ts';
import { parseSmallTree, type SmallElement } from '../../xml/small-tree.ts';
import { blankDoctype } from './doctype.ts';
import {
  ELEMENT_PARTS,
  type Occurs,
  PROF_ATTRIBUTES,
  type Profile,
  type ProfileElement,
  RES_ATTRIBUTES,
} from './profile.ts';

/** Throws what `parseXml` throws, and `profile.malformed` when it holds no profiles. */
export function readProfiles(bytes: Uint8Array): Profile[] {
  const plain = blankDoctype(bytes);
  parseXml(plain).dispose();
  const root = parseSmallTree(plain);
  const name = root?.name.toLowerCase();
  if (root && name === 'profile') return [profileOf(root)];
  if (root && name === 'profiles') return root.children.filter(isNamed('profile')).map(profileOf);
  throw new GarnerError('profile.malformed', `the document is no profile, but <${root?.name ?? ''}>`);
}

/** One profile that is known to be well-formed. */
export function readProfile(bytes: Uint8Array): Profile {
  const root = parseSmallTree(bytes);
  if (root?.name.toLowerCase() !== 'profile')
    throw new GarnerError('profile.malformed', `the record is no profile, but <${root?.name ?? ''}>`);
  return profileOf(root);
}

const isNamed =
  (...names: readonly string[]) =>
  ({ name }: SmallElement): boolean =>
    names.includes(name.toLowerCase());

function profileOf(root: SmallElement): Profile {
  const prof = root.children.find(isNamed('profattributes', 'profileattributes'));
  const res = root.children.find(isNamed('resattributes'));
  return {
    prof: readSection(prof, PROF_NAMES),
    res: readSection(res, RES_NAMES),
    elements: root.children.filter(isNamed('profelement')).map(readElement),
  };
}

function namesOf<Name extends string>(table: Readonly<Record<Name, Occurs>>): ReadonlyMap<string, Name> {
  return new Map((Object.keys(table) as Name[]).map((name) => [name.toLowerCase(), name]));
}
const PROF_NAMES = namesOf(PROF_ATTRIBUTES);
const RES_NAMES = namesOf(RES_ATTRIBUTES);
const PART_NAMES = namesOf(ELEMENT_PARTS);

function readSection<Name extends string>(
  section: SmallElement | undefined,
  names: ReadonlyMap<string, Name>,
): Partial<Record<Name, readonly string[]>> {
  const read: Partial<Record<Name, string[]>> = {};
  for (const child of section?.children ?? []) {
    const name = names.get(child.name.toLowerCase());
    if (name === undefined) continue;
    const text =
      name === 'resLocation' ? child.text.replace(/\s+/g, '') : child.text.replace(/\s+/g, ' ').trim();
    if (text === '') continue;
    const values = read[name] ?? [];
    values.push(text);
    read[name] = values;
  }
  return read;
}

function readElement(element: SmallElement): ProfileElement {
  return readSection(element, PART_NAMES);
}
