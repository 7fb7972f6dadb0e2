/** The fifteen elements of simple Dublin Core (ISO 15836-1): always there, in words of ours. */
import { DC_ELEMENTS, type DcElement } from '../../core/dublin-core.ts';
import type { DataElementInput } from './data-element.ts';
import { type DataDictionary, readDictionary } from './dictionary.ts';

type Own = Pick<DataElementInput, 'definition'> & Partial<DataElementInput>;

const ELEMENTS: Readonly<Record<DcElement, Own>> = {
  title: { definition: 'What the resource is called.', keywords: ['name'] },
  creator: {
    definition: 'Who above all made the content: a person, an organization or a service.',
    synonyms: [{ name: 'author', context: 'DC before 1997' }],
  },
  subject: {
    definition: 'What the content is about, as keywords, phrases or codes of a classification.',
    keywords: ['topic', 'keyword'],
  },
  description: {
    definition: 'The content in words: an abstract, a list of contents, a free account.',
    keywords: ['abstract', 'summary'],
  },
  publisher: { definition: 'Who makes the resource available.' },
  contributor: { definition: 'Who else had a part in the content.' },
  date: {
    definition: 'When something happened in the life of the resource, mostly when it was made or published.',
    comments: 'ISO 8601 is recommended; other notations occur.',
  },
  type: {
    definition: 'What kind of thing the content is: its nature or genre.',
    permissibleReference: 'DCMI Type Vocabulary',
    related: [{ reference: 'format', relationship: 'see also' }],
  },
  format: {
    definition: 'In which physical or digital form the resource is there: media type, extent, medium.',
    permissibleReference: 'IANA media types',
  },
  identifier: {
    definition: 'What tells the resource from all others in its context.',
    keywords: ['URI', 'DOI', 'ISBN'],
  },
  source: { definition: 'Another resource from which this one comes, in whole or in part.' },
  language: {
    definition: 'The language in which the content is written or spoken.',
    permissibleReference: 'RFC 5646',
  },
  relation: { definition: 'Another resource that belongs to this one in some way.' },
  coverage: {
    definition: 'The places, the times or the jurisdictions that the content extends over.',
    keywords: ['place', 'period'],
  },
  rights: { definition: 'Who holds rights in the resource, and what may be done with it.' },
};

const NAMESPACE = 'http://purl.org/dc/elements/1.1/';

export const DUBLIN_CORE: DataDictionary = readDictionary({
  identifier: 'dublin-core',
  title: 'Dublin Core elements, version 1.1',
  elements: DC_ELEMENTS.map((name) => ({
    name,
    identifier: NAMESPACE + name,
    version: '1.1',
    registrationAuthority: 'Dublin Core Metadata Initiative',
    context: 'description of resources',
    category: 'character',
    form: 'text',
    datatype: 'CHARACTER',
    registrationStatus: 'standardized elsewhere',
    responsibleOrganization: 'Dublin Core Metadata Initiative',
    ...ELEMENTS[name],
  })),
});
