/** A profile as a record for the store, without the way through XML and back. */
import type { FieldSpec, Fields, FieldValue } from '../../core/model.ts';
import { COMMON_FIELDS, type CommonField } from '../../formats/fields.ts';
import { oodtProfile } from '../../formats/oodt-profile/format.ts';
import type { Profile, ResAttribute } from '../../formats/oodt-profile/profile.ts';
import { indexProfile } from '../../formats/oodt-profile/profile-attributes.ts';
import { writeProfile } from '../../formats/oodt-profile/write-xml.ts';
import { ValueCollector } from '../../formats/values.ts';
import { makeIndexDocument } from '../../query/index-document.ts';
import type { IncomingRecord } from '../../store/index.ts';

/** The fields of the format `oodt_profile` that hold resource attributes. */
const FIELDS: Readonly<Partial<Record<ResAttribute, CommonField>>> = {
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
    access: 'source',
  };
}

/** DCMI Box and Period; the rest are names of places. */
const BOX = /northlimit|north=|ENVELOPE\(/;
const PERIOD = /start=|end=/;

/** As the format reads them from XML. */
function resourceFields(res: Profile['res']): Fields {
  const collectors = new Map<CommonField, ValueCollector>();
  const add = (field: CommonField, text: string) => {
    const collector = collectors.get(field) ?? new ValueCollector(COMMON_FIELDS[field], []);
    collectors.set(field, collector);
    collector.add(text);
  };
  for (const [name, field] of Object.entries(FIELDS) as [ResAttribute, CommonField][])
    for (const value of res[name] ?? []) {
      if (field === 'place') add(BOX.test(value) ? 'bbox' : PERIOD.test(value) ? 'time' : 'place', value);
      else if (field !== 'link' || value.startsWith('http')) add(field, value);
    }
  if (!res.Title) for (const identifier of res.Identifier ?? []) add('title', identifier);
  const fields: Record<string, readonly FieldValue[]> = {};
  for (const [name, { values }] of collectors) if (values.length > 0) fields[name] = values;
  return fields;
}
