/** Descriptions in the vocabulary of schema.org, as JSON-LD: what web pages say of their subjects. */
import { COMMON_CROSSWALK } from './crosswalk.ts';
import { common, preferred } from './fields.ts';
import type { MetadataFormat } from './format.ts';

const CONTEXTS = ['https', 'http'].flatMap((scheme) =>
  ['', '/', '/docs/jsonldcontext.json', '/docs/jsonldcontext.jsonld'].map(
    (end) => `${scheme}://schema.org${end}`,
  ),
);

/** A member that is a thing, a name of one, or a list of either. */
const named = (...members: string[]) =>
  members.flatMap((member) => [`/${member}`, `/${member}/name`, `/${member}/*/name`]);
/** A member that is an address, or a thing that has one. */
const addressed = (...members: string[]) =>
  members.flatMap((member) => [
    `/${member}`,
    `/${member}/url`,
    `/${member}/*/url`,
    `/${member}/@id`,
    `/${member}/*/@id`,
  ]);

export const schemaOrg: MetadataFormat = {
  name: 'schema-org',
  label: 'schema.org (JSON-LD)',
  syntax: 'json',
  namespace: 'https://schema.org/',
  schemaLocation: '',
  namespaces: {},
  detect: CONTEXTS.flatMap((context) =>
    ['/@context', '/@context/*', '/@context/@vocab', '/@context/*/@vocab'].map((place) => ({
      test: `${place}=${context}`,
    })),
  ),
  identifier: ['/@id', '/identifier/value', '/identifier/*/value', '/identifier', '/url'],
  fields: [
    preferred('title', '/name', '/headline', '/alternateName'),
    common('creator', named('creator', 'author')),
    common('contributor', named('contributor', 'editor', 'sponsor', 'funder')),
    common('publisher', named('publisher', 'provider', 'sourceOrganization')),
    common('subject', named('keywords', 'about', 'genre')),
    common('variable', named('variableMeasured')),
    preferred('description', '/description', '/abstract'),
    common('lineage', ['/measurementTechnique', '/measurementMethod']),
    preferred('date', '/datePublished', '/dateCreated', '/dateModified'),
    common('published', ['/datePublished']),
    common('modified', ['/dateModified']),
    common('time', ['/temporalCoverage']),
    // GeoShape: the south-western corner first, each corner as latitude and longitude.
    common('bbox', ['/spatialCoverage/geo/box', '/spatialCoverage/*/geo/box', '/spatialCoverage/geo/*/box'], {
      latitudeFirst: true,
    }),
    common('bbox', ['/spatialCoverage/geo', '/spatialCoverage/*/geo', '/spatialCoverage/geo/*'], {
      parts: ['/longitude', '/latitude', '/longitude', '/latitude'],
    }),
    common('place', [
      '/spatialCoverage',
      '/spatialCoverage/name',
      '/spatialCoverage/*/name',
      '/contentLocation/name',
      '/spatialCoverage/address/addressCountry',
    ]),
    common('type', ['/@type']),
    common('mediaType', [
      '/encodingFormat',
      '/distribution/encodingFormat',
      '/distribution/*/encodingFormat',
    ]),
    common('language', ['/inLanguage', '/inLanguage/name', '/inLanguage/*/name']),
    common('identifier', ['/@id', '/identifier', '/identifier/value', '/identifier/*/value', '/sameAs']),
    common('link', [
      '/url',
      '/mainEntityOfPage',
      '/distribution/contentUrl',
      '/distribution/*/contentUrl',
      '/contentUrl',
    ]),
    common('relation', [...named('includedInDataCatalog', 'isPartOf'), '/isBasedOn', '/citation']),
    common('rights', [...addressed('license'), '/conditionsOfAccess', '/copyrightNotice']),
    common('instrument', named('instrument')),
    common('project', named('funding')),
  ],
  dublinCore: COMMON_CROSSWALK,
};
