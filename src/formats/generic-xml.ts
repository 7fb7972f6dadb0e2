/** Any XML: what its element names suggest, by local name and in any namespace. */
import { COMMON_CROSSWALK } from './crosswalk.ts';
import { common, preferred } from './fields.ts';
import type { MetadataFormat } from './format.ts';
import { isOneOf, lowerCase } from './xpath-parts.ts';

/** Elements with text and no elements, by lower-case local name. */
const named = (...names: string[]) => `//*[not(*)][${isOneOf(lowerCase('local-name()'), names)}]`;
const NAME = lowerCase('local-name()');
const endsIn = (ending: string) =>
  `//*[not(*)][substring(${NAME},string-length(${NAME})-${ending.length - 1})='${ending}']`;
const first = (nodes: string) => `(${nodes})[normalize-space(.)][1]`;
/** Short and with a digit: the rest is prose about dates. */
const dates = (...names: string[]) =>
  `${named(...names)}[string-length(normalize-space(.))<=40][translate(.,'0123456789','')!=.]`;

const IDENTIFIERS = [
  'identifier',
  'fileidentifier',
  'entry_id',
  'recordidentifier',
  'eadid',
  'guid',
  'uuid',
  'doi',
];
const ATTRIBUTES = `/*/@*[${isOneOf(lowerCase('local-name()'), ['id', 'identifier', 'uuid', 'about'])}]`;
const ENDS = {
  west: ['westboundlongitude', 'westbc', 'westernmost_longitude', 'westlimit', 'minx'],
  south: ['southboundlatitude', 'southbc', 'southernmost_latitude', 'southlimit', 'miny'],
  east: ['eastboundlongitude', 'eastbc', 'easternmost_longitude', 'eastlimit', 'maxx'],
  north: ['northboundlatitude', 'northbc', 'northernmost_latitude', 'northlimit', 'maxy'],
};
const child = (names: readonly string[]) => `*[${isOneOf(lowerCase('local-name()'), names)}]`;

export const genericXml: MetadataFormat = {
  name: 'xml',
  label: 'XML',
  syntax: 'xml',
  namespace: '',
  schemaLocation: '',
  namespaces: {},
  detect: [],
  identifier: [...IDENTIFIERS.map((name) => first(named(name))), first(ATTRIBUTES), first(named('id'))],
  fields: [
    preferred(
      'title',
      first(named('title')),
      first(named('unittitle', 'entry_title', 'dataset_title', 'maintitle')),
      first(endsIn('title')),
      first(named('name', 'label', 'headline', 'heading')),
    ),
    common('creator', [named('creator', 'author', 'originator', 'creatorname', 'dataset_creator', 'origin')]),
    common('contributor', [named('contributor', 'editor')]),
    common('publisher', [named('publisher', 'publish', 'repository', 'dataset_publisher')]),
    common('subject', [named('subject', 'keyword', 'keywords', 'topic', 'category', 'themekey')]),
    common('description', [named('description', 'abstract', 'summary', 'scopecontent')]),
    preferred(
      'date',
      dates('issued', 'published', 'publicationdate', 'pubdate', 'dateissued', 'publicationyear'),
      dates('date', 'unitdate', 'year'),
      dates('created', 'creationdate', 'datecreated', 'modified', 'updated', 'datestamp'),
    ),
    common('modified', [dates('modified', 'updated', 'lastmodified', 'revisiondate', 'datemodified')]),
    common('bbox', [`//*[${child(ENDS.west)} and ${child(ENDS.east)}]`], {
      parts: [child(ENDS.west), child(ENDS.south), child(ENDS.east), child(ENDS.north)],
    }),
    common('place', [named('spatial', 'coverage', 'place', 'placename', 'location', 'geogname', 'placekey')]),
    common('type', [named('type', 'resourcetype', 'genre')]),
    common('mediaType', [named('format', 'mimetype', 'mediatype')]),
    common('language', [named('language', 'lang', 'langcode')]),
    common('identifier', [named(...IDENTIFIERS)]),
    common('link', [
      `(${named('link', 'url', 'uri', 'href', 'onlink')})[starts-with(normalize-space(.),'http')]`,
      "//@*[local-name()='href'][starts-with(.,'http')]",
    ]),
    common('rights', [named('rights', 'license', 'licence', 'accessconstraints', 'useconstraints')]),
  ],
  dublinCore: COMMON_CROSSWALK,
};
