/** Dublin Core as OAI-PMH carries it. */
import { CROSSWALK_WITHOUT_LINKS } from './crosswalk.ts';
import { common } from './fields.ts';
import type { MetadataFormat } from './format.ts';

/** Structured values of dc:coverage (DCMI Box and Point, DCMI Period); the rest are names. */
export const BOX = "contains(.,'northlimit') or contains(.,'north=') or contains(.,'ENVELOPE(')";
export const PERIOD = "contains(.,'start=') or contains(.,'end=')";

export const oaiDc: MetadataFormat = {
  name: 'oai_dc',
  label: 'Dublin Core',
  syntax: 'xml',
  namespace: 'http://www.openarchives.org/OAI/2.0/oai_dc/',
  schemaLocation: 'http://www.openarchives.org/OAI/2.0/oai_dc.xsd',
  namespaces: {
    oai_dc: 'http://www.openarchives.org/OAI/2.0/oai_dc/',
    dc: 'http://purl.org/dc/elements/1.1/',
  },
  detect: [{ root: 'oai_dc:dc' }],
  identifier: ['/*/dc:identifier'],
  fields: [
    common('title', ['/*/dc:title']),
    common('creator', ['/*/dc:creator']),
    common('contributor', ['/*/dc:contributor']),
    common('publisher', ['/*/dc:publisher']),
    common('subject', ['/*/dc:subject']),
    common('description', ['/*/dc:description']),
    common('date', ['/*/dc:date']),
    common('type', ['/*/dc:type']),
    common('mediaType', ['/*/dc:format']),
    common('identifier', ['/*/dc:identifier']),
    common('origin', ['/*/dc:source']),
    common('language', ['/*/dc:language']),
    common('relation', ['/*/dc:relation']),
    common('link', [
      "(/*/dc:identifier | /*/dc:relation)[starts-with(.,'http://') or starts-with(.,'https://')]",
    ]),
    common('place', [`/*/dc:coverage[not(${BOX} or ${PERIOD})]`]),
    common('bbox', [`/*/dc:coverage[${BOX}]`]),
    common('time', [`/*/dc:coverage[${PERIOD}]`]),
    common('rights', ['/*/dc:rights']),
  ],
  dublinCore: CROSSWALK_WITHOUT_LINKS,
};
