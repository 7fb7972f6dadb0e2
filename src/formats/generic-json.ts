/** Any JSON object: what its usual member names suggest, at the top or under `properties`. */
import { COMMON_CROSSWALK } from './crosswalk.ts';
import { common, preferred } from './fields.ts';
import type { MetadataFormat } from './format.ts';

/** Members at the top and below `properties` (GeoJSON) or `attributes` (JSON:API). */
const at = (...names: string[]) =>
  names.flatMap((name) => [`/${name}`, `/properties/${name}`, `/attributes/${name}`]);
/** A thing, or a list of things, that is a name or has one. */
const namesAt = (...names: string[]) => [
  ...at(...names),
  ...at(...names.flatMap((name) => [`${name}/name`, `${name}/*/name`])),
];

export const genericJson: MetadataFormat = {
  name: 'json',
  label: 'JSON',
  syntax: 'json',
  namespace: '',
  schemaLocation: '',
  namespaces: {},
  detect: [],
  identifier: at('id', 'identifier', '@id', 'uuid', 'doi'),
  fields: [
    preferred('title', ...at('title', 'name', 'headline', 'label', 'titles/*/title')),
    common('creator', namesAt('creator', 'creators', 'author', 'authors')),
    common('contributor', namesAt('contributor', 'contributors', 'editor')),
    common('publisher', namesAt('publisher')),
    common('subject', at('keywords', 'subject', 'subjects', 'tags', 'tags/*/name', 'subjects/*/subject')),
    common('variable', namesAt('variableMeasured')),
    preferred('description', ...at('description', 'abstract', 'summary', 'notes')),
    preferred(
      'date',
      ...at('datePublished', 'published', 'issued', 'date', 'datetime', 'created', 'dateCreated'),
    ),
    common('published', at('datePublished', 'issued', 'published')),
    common('modified', at('dateModified', 'modified', 'updated')),
    common('time', [...at('temporalCoverage', 'temporal'), '/extent/temporal/interval/*']),
    preferred('bbox', '/bbox', '/extent/spatial/bbox/*', '/geometry'),
    common('place', namesAt('spatialCoverage', 'spatial', 'place', 'location')),
    preferred('type', ...at('@type', 'type', 'resourceType')),
    common('mediaType', at('encodingFormat', 'format', 'mediaType')),
    common('language', at('inLanguage', 'language')),
    common('identifier', at('identifier', 'doi', 'id', '@id')),
    common('link', [...at('url', 'contentUrl', 'landingPage', 'distribution/*/contentUrl'), '/links/*/href']),
    common('relation', at('isPartOf', 'collection')),
    common('rights', at('license', 'rights')),
  ],
  dublinCore: COMMON_CROSSWALK,
};
