/**
 * The fields that the built-in formats share. All of them draw on this one table by name, so that a
 * field means the same everywhere and different formats search together.
 */
import type { FieldSpec, FieldType } from '../core/model.ts';
import type { FormatField } from './format.ts';

/** A word field is found by its words; `stemmed` where prose is expected, not names. */
const words = (
  name: string,
  label: string,
  weight: number,
  more: Partial<Pick<FieldSpec, 'type' | 'stemmed' | 'facet'>> = {},
): FieldSpec => ({
  name,
  label,
  type: 'text',
  stored: true,
  indexed: true,
  tokenised: true,
  stemmed: false,
  facet: false,
  weight,
  ...more,
});

/** A value field is found by whole values or by ranges. */
const values = (name: string, label: string, type: FieldType, facet = false): FieldSpec => ({
  name,
  label,
  type,
  stored: true,
  indexed: true,
  tokenised: false,
  stemmed: false,
  facet,
  weight: 1,
});

const term = { type: 'string', stemmed: true, facet: true } as const;
const named = { type: 'string', facet: true } as const;

const TABLE = {
  title: words('title', 'Title', 10, { stemmed: true }),
  creator: words('creator', 'Creator', 4, { type: 'string' }),
  contributor: words('contributor', 'Contributor', 2, { type: 'string' }),
  publisher: words('publisher', 'Publisher', 2, { type: 'string' }),
  contact: words('contact', 'Contact', 1, { type: 'string' }),
  subject: words('subject', 'Subject', 4, term),
  variable: words('variable', 'Variable', 4, term),
  description: words('description', 'Description', 3, { stemmed: true }),
  lineage: words('lineage', 'Lineage', 1, { stemmed: true }),
  rights: words('rights', 'Rights', 1, { stemmed: true }),
  place: words('place', 'Place', 3, { type: 'string' }),
  instrument: words('instrument', 'Instrument', 3, named),
  platform: words('platform', 'Platform', 3, named),
  project: words('project', 'Project', 3, named),
  date: values('date', 'Date', 'date', true),
  published: values('published', 'Published', 'date'),
  modified: values('modified', 'Modified', 'date'),
  time: values('time', 'Time covered', 'interval'),
  bbox: values('bbox', 'Area', 'bbox'),
  type: values('type', 'Type', 'string', true),
  mediaType: values('mediaType', 'Media type', 'string', true),
  language: values('language', 'Language', 'string', true),
  identifier: values('identifier', 'Identifier', 'string'),
  link: values('link', 'Link', 'uri'),
  extent: values('extent', 'Size', 'string'),
  // Of archived web content.
  captured: values('captured', 'Captured', 'date'),
  digest: values('digest', 'Digest', 'string'),
  cataloguedBy: values('cataloguedBy', 'Catalogued by', 'string', true),
  // Elements of which a page's own values are not believed.
  doubtful: values('doubtful', 'Doubtful', 'string', true),
  tagDigest: values('tagDigest', 'Digest of META tags', 'string'),
  series: values('series', 'Series', 'string', true),
  relation: values('relation', 'Related to', 'string'),
  // Dublin Core's `source`; that name belongs to the store.
  origin: words('origin', 'Derived from', 1, { type: 'string' }),
} as const satisfies Record<string, FieldSpec>;

export type CommonField = keyof typeof TABLE;

export const COMMON_FIELDS: Readonly<Record<CommonField, FieldSpec>> = TABLE;

type Reading = Partial<Pick<FormatField, 'parts' | 'joiner' | 'firstPath' | 'latitudeFirst'>>;

/** A common field with the paths by which one format gives its values. */
export function common(name: CommonField, paths: readonly string[], reading: Reading = {}): FormatField {
  return { ...TABLE[name], paths, ...reading };
}

/** A common field of which only the first path that gives a value counts. */
export function preferred(name: CommonField, ...paths: readonly string[]): FormatField {
  return common(name, paths, { firstPath: true });
}
