/** A profile as a record for the store, without the way through XML and back. */
import type { FieldSpec, Fields, FieldValue } from '../../core/model.ts';
import { normaliseDate } from '../../core/time.ts';
import { oodtProfile } from '../../formats/oodt-profile/format.ts';
import type { Profile, ResAttribute } from '../../formats/oodt-profile/profile.ts';
import { indexProfile } from '../../formats/oodt-profile/profile-attributes.ts';
import { writeProfile } from '../../formats/oodt-profile/write-xml.ts';
import { makeIndexDocument } from '../../query/index-document.ts';
import type { IncomingRecord } from '../../store/index.ts';

/** The fields of the format `oodt_profile` that hold resource attributes. */
const FIELDS: Readonly<Partial<Record<ResAttribute, string>>> = {
  Title: 'title',
  Creator: 'creator',
  Contributor: 'contributor',
  Publisher: 'publisher',
  Subject: 'subject',
  Description: 'description',
  Date: 'date',
  Type: 'type',
  Format: 'mediaType',
  Language: 'language',
  Identifier: 'identifier',
  Source: 'origin',
  Relation: 'relation',
  Coverage: 'place',
  Rights: 'rights',
  resLocation: 'link',
};

/** `specs`: of all formats. The item is named by the profile's identifier, else by that of the resource. */
export function profileRecord(profile: Profile, specs: readonly FieldSpec[]): IncomingRecord {
  const { prof, res } = profile;
  const { fields: attributes, texts } = indexProfile(profile);
  const fields: Fields = { ...resourceFields(res), ...attributes };
  return {
    identifier: prof.profId?.[0] ?? res.Identifier?.[0] ?? '',
    format: oodtProfile.name,
    raw: new TextEncoder().encode(writeProfile(profile)),
    document: makeIndexDocument(fields, specs, texts),
  };
}

function resourceFields(res: Profile['res']): Fields {
  const fields: Record<string, readonly FieldValue[]> = {};
  for (const [name, field] of Object.entries(FIELDS) as [ResAttribute, string][]) {
    const values = (res[name] ?? []).flatMap((value) => {
      if (field === 'date') return normaliseDate(value) ?? [];
      return field === 'link' && !/^https?:/.test(value) ? [] : value;
    });
    if (values.length > 0) fields[field] = values;
  }
  if (!fields.title && res.Identifier) fields.title = res.Identifier;
  return fields;
}
