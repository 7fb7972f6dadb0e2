/** Records of OGC API – Records, part 1: GeoJSON features with a title. */
import { COMMON_CROSSWALK } from './crosswalk.ts';
import { common, preferred } from './fields.ts';
import type { MetadataFormat } from './format.ts';

const contact = (roles: readonly string[]) =>
  roles.flatMap((role) => [
    `/properties/contacts/*?roles=${role}/name`,
    `/properties/contacts/*?roles=${role}/organization`,
  ]);

export const ogcRecord: MetadataFormat = {
  name: 'ogc-record',
  label: 'OGC API record',
  syntax: 'json',
  namespace: 'http://www.opengis.net/spec/ogcapi-records-1/1.0',
  schemaLocation: 'https://schemas.opengis.net/ogcapi/records/part1/1.0/openapi/schemas/recordGeoJSON.yaml',
  namespaces: {},
  detect: [{ test: '/type=Feature and /properties/title' }, { test: '/type=Feature and /conformsTo' }],
  identifier: ['/id'],
  fields: [
    common('title', ['/properties/title']),
    common('creator', contact(['author', 'originator', 'principalInvestigator', 'creator'])),
    common('contributor', contact(['contributor', 'processor', 'owner', 'editor'])),
    common('publisher', [...contact(['publisher', 'distributor']), '/properties/publisher']),
    common('contact', ['/properties/contacts/*'], {
      parts: ['/name', '/organization', '/emails/*/value'],
      joiner: ', ',
    }),
    common('subject', [
      '/properties/keywords',
      '/properties/themes/*/concepts/*/title',
      '/properties/themes/*/concepts/*/id',
    ]),
    common('variable', ['/properties/variables/*/name', '/properties/cf:parameter/*/name']),
    common('description', ['/properties/description']),
    preferred('date', '/properties/issued', '/properties/created', '/properties/updated', '/time/date'),
    common('published', ['/properties/issued']),
    common('modified', ['/properties/updated']),
    common('time', ['/time/interval', '/time/date', '/time/timestamp', '/properties/time/interval']),
    preferred('bbox', '/bbox', '/geometry'),
    common('type', ['/properties/type']),
    common('mediaType', [
      '/properties/formats/*/mediaType',
      '/properties/formats/*/name',
      '/properties/formats',
    ]),
    common('language', ['/properties/language/code', '/properties/language']),
    common('identifier', ['/id', '/properties/externalIds/*/value']),
    common('link', ['/links/*/href']),
    common('relation', ['/links/*?rel=related/href', '/links/*?rel=collection/href']),
    common('rights', ['/properties/license', '/properties/rights', '/links/*?rel=license/href']),
    common('lineage', ['/properties/lineage']),
  ],
  dublinCore: COMMON_CROSSWALK,
};
