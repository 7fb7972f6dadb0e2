/** Records of a Catalogue Service for the Web: csw:Record and its brief and summary forms (2.0.2 and 3.0). */
import { CROSSWALK_WITHOUT_LINKS } from './crosswalk.ts';
import { common, preferred } from './fields.ts';
import type { MetadataFormat } from './format.ts';
import { nthWord } from './xpath-parts.ts';

const LOWER = "*[local-name()='LowerCorner']";
const UPPER = "*[local-name()='UpperCorner']";

/** Geographic systems for which a URN or a URL demands latitude first (OGC Web Services Common 1.1 §10.2). */
const LATITUDE_FIRST =
  "(contains(@crs,':def:crs:EPSG:') or contains(@crs,'/def/crs/EPSG/')) and " +
  "(contains(@crs,'4326') or contains(@crs,'4258') or contains(@crs,'4269') or contains(@crs,'4283'))";
/** Short names of the same systems, and CRS84, have longitude first; so has WGS84BoundingBox. */
const LONGITUDE_FIRST =
  "not(@crs) or contains(@crs,'CRS84') or contains(@crs,'CRS:84') or @crs='EPSG:4326' or " +
  "contains(@crs,'epsg.xml#4326')";

export const cswRecord: MetadataFormat = {
  name: 'csw-record',
  label: 'CSW record',
  syntax: 'xml',
  namespace: 'http://www.opengis.net/cat/csw/2.0.2',
  schemaLocation: 'http://schemas.opengis.net/csw/2.0.2/record.xsd',
  namespaces: {
    csw: 'http://www.opengis.net/cat/csw/2.0.2',
    csw3: 'http://www.opengis.net/cat/csw/3.0',
    dc: 'http://purl.org/dc/elements/1.1/',
    dct: 'http://purl.org/dc/terms/',
  },
  detect: ['csw', 'csw3'].flatMap((prefix) =>
    ['Record', 'SummaryRecord', 'BriefRecord'].map((name) => ({ root: `${prefix}:${name}` })),
  ),
  identifier: ['/*/dc:identifier'],
  fields: [
    common('title', ['/*/dc:title', '/*/dct:alternative']),
    common('creator', ['/*/dc:creator']),
    common('contributor', ['/*/dc:contributor']),
    common('publisher', ['/*/dc:publisher']),
    common('subject', ['/*/dc:subject']),
    common('description', ['/*/dct:abstract', '/*/dc:description']),
    preferred('date', '/*/dc:date', '/*/dct:issued', '/*/dct:created', '/*/dct:modified'),
    common('published', ['/*/dct:issued']),
    common('modified', ['/*/dct:modified']),
    common('time', ['/*/dct:temporal']),
    common('bbox', [`/*/*[local-name()='BoundingBox'][${LATITUDE_FIRST}]`], {
      parts: [nthWord(LOWER, 2), nthWord(LOWER, 1), nthWord(UPPER, 2), nthWord(UPPER, 1)],
    }),
    common(
      'bbox',
      [`/*/*[local-name()='BoundingBox'][${LONGITUDE_FIRST}]`, "/*/*[local-name()='WGS84BoundingBox']"],
      { parts: [nthWord(LOWER, 1), nthWord(LOWER, 2), nthWord(UPPER, 1), nthWord(UPPER, 2)] },
    ),
    common('place', ['/*/dct:spatial', '/*/dc:coverage']),
    common('type', ['/*/dc:type']),
    common('mediaType', ['/*/dc:format']),
    common('language', ['/*/dc:language']),
    common('identifier', ['/*/dc:identifier', '/*/dct:bibliographicCitation']),
    common('link', ['/*/dct:references', '/*/dc:URI', "/*/dc:source[starts-with(.,'http')]"]),
    common('relation', ['/*/dc:relation', '/*/dct:isPartOf']),
    common('origin', ['/*/dc:source']),
    common('rights', ['/*/dc:rights', '/*/dct:accessRights', '/*/dct:license']),
    common('lineage', ['/*/dct:provenance']),
  ],
  dublinCore: CROSSWALK_WITHOUT_LINKS,
};
