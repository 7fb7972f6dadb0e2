/** Profiles as text in several forms, written one by one, so that lists may be of any length. */
import { parseJson } from '../extract-json.ts';
import { profilesFromJson, profileToJson } from './json-form.ts';
import type { Profile } from './profile.ts';
import { readRdfProfiles } from './read-rdf.ts';
import { readProfiles } from './read-xml.ts';
import { JSON_LD_CONTEXT, jsonLdProfile, TURTLE_PREFIXES, turtleProfile } from './write-rdf.ts';
import { streamProfiles } from './write-xml.ts';

type ProfileList = Iterable<Profile> | AsyncIterable<Profile>;

interface FormKind {
  readonly mediaType: string;
  /** Of file names. */
  readonly ending: string;
  write(profiles: ProfileList): AsyncGenerator<string>;
}

export const PROFILE_FORMS = {
  xml: { mediaType: 'text/xml', ending: 'xml', write: streamProfiles },
  json: {
    mediaType: 'application/json',
    ending: 'json',
    write: (profiles) => streamJson('[', profiles, profileToJson, ']\n'),
  },
  turtle: {
    mediaType: 'text/turtle',
    ending: 'ttl',
    async *write(profiles) {
      yield TURTLE_PREFIXES;
      for await (const profile of profiles) yield turtleProfile(profile);
    },
  },
  jsonld: {
    mediaType: 'application/ld+json',
    ending: 'jsonld',
    write: (profiles) =>
      streamJson(
        `{"@context":${JSON.stringify(JSON_LD_CONTEXT)},"@graph":[`,
        profiles,
        jsonLdProfile,
        ']}\n',
      ),
  },
} as const satisfies Record<string, FormKind>;

export type ProfileForm = keyof typeof PROFILE_FORMS;

export function isProfileForm(name: string): name is ProfileForm {
  return Object.hasOwn(PROFILE_FORMS, name);
}

async function* streamJson(
  open: string,
  profiles: ProfileList,
  toJson: (profile: Profile) => unknown,
  close: string,
): AsyncGenerator<string> {
  yield open;
  let divider = '\n';
  for await (const profile of profiles) {
    yield divider + JSON.stringify(toJson(profile));
    divider = ',\n';
  }
  yield close;
}

/** Throws `profile.malformed`, or what the form's parser throws. */
export async function readProfilesAs(form: ProfileForm, bytes: Uint8Array): Promise<Profile[]> {
  if (form === 'xml') return readProfiles(bytes);
  if (form === 'json') return profilesFromJson(parseJson(bytes));
  return readRdfProfiles(bytes, { syntax: form, baseIri: 'urn:garner:profiles:' });
}
