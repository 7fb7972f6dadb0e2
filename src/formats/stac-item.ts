/** Items of the SpatioTemporal Asset Catalog, versions 0.8 to 1.1. */
import { COMMON_CROSSWALK } from './crosswalk.ts';
import { common, preferred } from './fields.ts';
import type { MetadataFormat } from './format.ts';

const provider = (role: string) => [`/properties/providers/*?roles=${role}/name`];

export const stacItem: MetadataFormat = {
  name: 'stac-item',
  label: 'STAC item',
  syntax: 'json',
  namespace: 'https://stacspec.org/',
  schemaLocation: 'https://schemas.stacspec.org/v1.0.0/item-spec/json-schema/item.json',
  namespaces: {},
  detect: [{ test: '/stac_version and /type=Feature' }],
  identifier: ['/id'],
  fields: [
    preferred('title', '/properties/title', '/id'),
    common('creator', provider('producer')),
    common('contributor', [...provider('processor'), ...provider('licensor')]),
    common('publisher', provider('host')),
    common('subject', ['/properties/keywords']),
    common('variable', ['/properties/cf:parameter/*/name', '/assets/*/cf:parameter/*/name']),
    common('description', ['/properties/description']),
    preferred('date', '/properties/datetime', '/properties/start_datetime', '/properties/created'),
    common('published', ['/properties/published', '/properties/created']),
    common('modified', ['/properties/updated']),
    common('time', ['/properties'], { parts: ['/start_datetime', '/end_datetime'] }),
    common('time', ['/properties/datetime']),
    // The box knows about the antimeridian, where a geometry has to be cut in two.
    preferred('bbox', '/bbox', '/geometry'),
    preferred('type', '/properties/type', '/type'),
    common('mediaType', ['/assets/*/type']),
    common('language', ['/properties/language/code']),
    common('identifier', ['/id', '/properties/sci:doi']),
    common('link', [
      '/links/*?rel=self/href',
      '/links/*?rel=canonical/href',
      '/links/*?rel=via/href',
      '/assets/*/href',
    ]),
    common('relation', ['/collection', '/links/*?rel=derived_from/href']),
    common('rights', ['/properties/license', '/links/*?rel=license/href']),
    common('lineage', ['/properties/processing:lineage']),
    common('instrument', ['/properties/instruments']),
    common('platform', ['/properties/platform']),
    common('project', ['/properties/mission', '/properties/constellation']),
  ],
  dublinCore: COMMON_CROSSWALK,
};
