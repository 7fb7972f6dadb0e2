/** DataCite kernels 2 to 4, alone or in the envelope `oai_datacite`; some repositories forget the namespace. */
import { COMMON_CROSSWALK } from './crosswalk.ts';
import { common, preferred } from './fields.ts';
import type { MetadataFormat } from './format.ts';
import { anyNamespace as any, isOneOf, nthWord } from './xpath-parts.ts';

const RESOURCE = `(/${any('resource')} | /*/${any('payload/resource')})`;
const at = (path: string) => `${RESOURCE}/${any(path)}`;
const CONTACT = "@contributorType='ContactPerson'";
const dated = (types: readonly string[]) => `${at('dates/date')}[${isOneOf('@dateType', types)}]`;
const isDescription = "not(@descriptionType='Methods' or @descriptionType='TechnicalInfo')";

/** Kernel 3 has coordinates in one text, latitude first: `south west north east`. */
const TEXT = '[not(*)]';
const LOCATION = at('geoLocations/geoLocation');

const DOI = `${at('identifier')}[@identifierType='DOI'][starts-with(normalize-space(.),'10.')]`;
/** XPath 1.0 has no conditions: without a DOI the substring starts behind the end of the text. */
const DOI_LINK = `substring(concat('https://doi.org/',normalize-space(${DOI})),1+999*number(not(${DOI})))`;

export const datacite: MetadataFormat = {
  name: 'datacite',
  label: 'DataCite',
  syntax: 'xml',
  namespace: 'http://datacite.org/schema/kernel-4',
  schemaLocation: 'http://schema.datacite.org/meta/kernel-4/metadata.xsd',
  namespaces: {
    k4: 'http://datacite.org/schema/kernel-4',
    k3: 'http://datacite.org/schema/kernel-3',
    k22: 'http://datacite.org/schema/kernel-2.2',
    k21: 'http://datacite.org/schema/kernel-2.1',
    oai10: 'http://schema.datacite.org/oai/oai-1.0/',
    oai11: 'http://schema.datacite.org/oai/oai-1.1/',
  },
  detect: [
    ...['k4', 'k3', 'k22', 'k21'].map((prefix) => ({ root: `${prefix}:resource` })),
    ...['oai10', 'oai11'].map((prefix) => ({ root: `${prefix}:oai_datacite` })),
    { test: '/resource[titles/title][identifier or creators]' },
  ],
  identifier: [at('identifier'), at('alternateIdentifiers/alternateIdentifier')],
  fields: [
    common('title', [`${at('titles/title')}[not(@titleType)]`, `${at('titles/title')}[@titleType]`]),
    common('creator', [at('creators/creator/creatorName')]),
    common('contributor', [`${at('contributors/contributor')}[not(${CONTACT})]/${any('contributorName')}`]),
    common('contact', [`${at('contributors/contributor')}[${CONTACT}]/${any('contributorName')}`]),
    common('publisher', [at('publisher')]),
    common('subject', [at('subjects/subject')]),
    common('description', [`${at('descriptions/description')}[${isDescription}]`]),
    common('lineage', [`${at('descriptions/description')}[not(${isDescription})]`]),
    preferred(
      'date',
      dated(['Issued', 'Available']),
      at('publicationYear'),
      dated(['Created', 'Submitted', 'Accepted', 'Updated']),
    ),
    preferred('published', dated(['Issued']), dated(['Available']), at('publicationYear')),
    common('modified', [dated(['Updated'])]),
    common('time', [dated(['Collected', 'Valid', 'Coverage'])]),
    common('bbox', [`${LOCATION}/${any('geoLocationBox')}[*]`], {
      parts: [
        any('westBoundLongitude'),
        any('southBoundLatitude'),
        any('eastBoundLongitude'),
        any('northBoundLatitude'),
      ],
    }),
    common('bbox', [`${LOCATION}/${any('geoLocationBox')}${TEXT}`], {
      parts: [nthWord('.', 2), nthWord('.', 1), nthWord('.', 4), nthWord('.', 3)],
    }),
    common(
      'bbox',
      [`${LOCATION}/${any('geoLocationPoint')}[*]`, `${LOCATION}/${any('geoLocationPolygon')}`],
      {
        parts: [
          `.//${any('pointLongitude')}`,
          `.//${any('pointLatitude')}`,
          `.//${any('pointLongitude')}`,
          `.//${any('pointLatitude')}`,
        ],
      },
    ),
    common('bbox', [`${LOCATION}/${any('geoLocationPoint')}${TEXT}`], {
      parts: [nthWord('.', 2), nthWord('.', 1), nthWord('.', 2), nthWord('.', 1)],
    }),
    common('place', [`${LOCATION}/${any('geoLocationPlace')}`]),
    preferred('type', `${at('resourceType')}/@resourceTypeGeneral`, at('resourceType')),
    common('mediaType', [at('formats/format')]),
    common('language', [at('language')]),
    common('identifier', [at('identifier'), at('alternateIdentifiers/alternateIdentifier')]),
    common('link', [
      `${at('identifier')}[starts-with(normalize-space(.),'http')]`,
      DOI_LINK,
      `${at('relatedIdentifiers/relatedIdentifier')}[@relatedIdentifierType='URL']`,
    ]),
    common('relation', [at('relatedIdentifiers/relatedIdentifier')]),
    common('rights', [at('rightsList/rights'), at('rights')]),
    common('project', [at('fundingReferences/fundingReference/awardTitle')]),
  ],
  dublinCore: COMMON_CROSSWALK,
};
