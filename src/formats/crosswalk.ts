/** The crosswalk to Dublin Core that follows from the common fields; formats change single elements of it. */
import type { CommonField } from './fields.ts';
import type { DcElement, MetadataFormat } from './format.ts';

type Crosswalk = MetadataFormat['dublinCore'];

const from = (...names: CommonField[]) => names.map((field) => ({ field }));

export const COMMON_CROSSWALK = {
  title: from('title'),
  creator: from('creator'),
  subject: from('subject', 'variable'),
  description: from('description'),
  publisher: from('publisher'),
  contributor: from('contributor'),
  date: from('date'),
  type: from('type'),
  format: from('mediaType'),
  identifier: from('identifier'),
  source: from('origin'),
  language: from('language'),
  relation: from('relation', 'link'),
  coverage: from('place', 'bbox', 'time'),
  rights: from('rights'),
} as const satisfies Record<DcElement, readonly { readonly field: CommonField }[]>;

/** For formats whose links are a reading of their identifiers and relations: no value is said twice. */
export const CROSSWALK_WITHOUT_LINKS: Crosswalk = { ...COMMON_CROSSWALK, relation: from('relation') };
