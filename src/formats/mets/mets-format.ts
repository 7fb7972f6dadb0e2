/** METS as a metadata format: what its first description says, in MODS or Dublin Core. */
import { COMMON_CROSSWALK } from '../crosswalk.ts';
import { common, preferred } from '../fields.ts';
import type { MetadataFormat } from '../format.ts';
import { METS } from './mets-document.ts';

const ROOT = '/mets:mets';
/** The one that the root of the structure names; without one, the first. */
const DESCRIPTION = `(${ROOT}/mets:dmdSec[@ID=${ROOT}/mets:structMap[1]/mets:div/@DMDID] | ${ROOT}/mets:dmdSec[1][not(../mets:structMap[1]/mets:div/@DMDID)])/mets:mdWrap/mets:xmlData`;
const MODS = `${DESCRIPTION}/mods:mods`;
const DC = `${DESCRIPTION}/descendant::dc`;
const dc = (element: string) => `${DC}:${element}`;

export const mets: MetadataFormat = {
  name: METS.prefix,
  label: 'METS',
  syntax: 'xml',
  namespace: METS.namespace,
  schemaLocation: METS.schema,
  namespaces: {
    mets: METS.namespace,
    mods: 'http://www.loc.gov/mods/v3',
    dc: 'http://purl.org/dc/elements/1.1/',
    xlink: 'http://www.w3.org/1999/xlink',
  },
  detect: [{ root: 'mets:mets' }],
  identifier: [`${ROOT}/@OBJID`, `${ROOT}/mets:metsHdr/mets:metsDocumentID`],
  fields: [
    preferred(
      'title',
      `${MODS}/mods:titleInfo[not(@type)]/mods:title`,
      dc('title'),
      `${ROOT}/@LABEL`,
      `${ROOT}/mets:structMap[1]/mets:div/@LABEL`,
    ),
    common('creator', [`${MODS}/mods:name/mods:namePart`, dc('creator')]),
    common('publisher', [`${MODS}/mods:originInfo/mods:publisher`, dc('publisher')]),
    common('description', [`${MODS}/mods:abstract`, dc('description')]),
    common('subject', [`${MODS}/mods:subject/mods:topic`, dc('subject')]),
    common('bbox', [`${MODS}/mods:subject/mods:cartographics/mods:coordinates`]),
    common('place', [`${MODS}/mods:subject/mods:geographic`]),
    preferred(
      'date',
      `${MODS}/mods:originInfo/mods:dateIssued`,
      `${MODS}/mods:originInfo/mods:dateCaptured`,
      dc('date'),
      `${ROOT}/mets:metsHdr/@CREATEDATE`,
    ),
    preferred('modified', `${ROOT}/mets:metsHdr/@LASTMODDATE`),
    common('type', [`${MODS}/mods:genre`, `${ROOT}/@TYPE`]),
    common('mediaType', [`${MODS}/mods:physicalDescription/mods:internetMediaType`]),
    common('language', [`${MODS}/mods:language/mods:languageTerm`, dc('language')]),
    common('rights', [`${MODS}/mods:accessCondition`, dc('rights')]),
    common('identifier', [`${ROOT}/@OBJID`, `${MODS}/mods:identifier`, dc('identifier')]),
    common('link', [
      `${MODS}/mods:location/mods:url`,
      `${MODS}/mods:identifier[@type='uri'][starts-with(normalize-space(.),'http')]`,
    ]),
    common('relation', [`${MODS}/mods:relatedItem/mods:identifier`]),
  ],
  dublinCore: COMMON_CROSSWALK,
};
