/** The fifteen elements of simple Dublin Core (ISO 15836-1), in the order of its schema for OAI. */
export const DC_ELEMENTS = [
  'title',
  'creator',
  'subject',
  'description',
  'publisher',
  'contributor',
  'date',
  'type',
  'format',
  'identifier',
  'source',
  'language',
  'relation',
  'coverage',
  'rights',
] as const;
export type DcElement = (typeof DC_ELEMENTS)[number];
