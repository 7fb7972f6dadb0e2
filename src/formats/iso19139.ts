/** ISO 19139: the XML of ISO 19115:2003 (gmd), with the extension for imagery (gmi) and services (srv). */
import { COMMON_CROSSWALK } from './crosswalk.ts';
import { common, preferred } from './fields.ts';
import type { MetadataFormat } from './format.ts';
import {
  CONTACT_ROLES,
  CREATED,
  CREATOR_ROLES,
  OTHER_KEYWORDS,
  PARAMETER_THESAURUS,
  PUBLISHED,
  PUBLISHER_ROLES,
  REVISED,
} from './iso-codes.ts';
import { anyNamespace as any, hasCode, LEAVES } from './xpath-parts.ts';

const INFO = '/*/gmd:identificationInfo/*';
const CITATION = `${INFO}/gmd:citation/gmd:CI_Citation`;
// gmd:extent of data, srv:extent of services.
const EXTENT = `${INFO}/*[local-name()='extent']/gmd:EX_Extent`;
const KEYWORDS = `${INFO}/gmd:descriptiveKeywords/gmd:MD_Keywords`;
const DISTRIBUTION = '/*/gmd:distributionInfo/gmd:MD_Distribution';
const ACQUISITION = '/*/gmi:acquisitionInformation/gmi:MI_AcquisitionInformation';

const CITED = `${CITATION}/gmd:citedResponsibleParty/gmd:CI_ResponsibleParty`;
const OF_DATA = `${INFO}/gmd:pointOfContact/gmd:CI_ResponsibleParty`;
const OF_DISTRIBUTION = `${DISTRIBUTION}/gmd:distributor/*/gmd:distributorContact/gmd:CI_ResponsibleParty`;
const role = (roles: readonly string[]) => `gmd:role/*[${hasCode(roles)}]`;

const persons = (parties: string) => [
  `${parties}/gmd:individualName/${LEAVES}`,
  `${parties}[not(normalize-space(gmd:individualName))]/gmd:organisationName/${LEAVES}`,
];
const organisations = (parties: string) => [
  `${parties}/gmd:organisationName/${LEAVES}`,
  `${parties}[not(normalize-space(gmd:organisationName))]/gmd:individualName/${LEAVES}`,
];

const date = (kind: string) => `${CITATION}/gmd:date/gmd:CI_Date[gmd:dateType/*[${kind}]]/gmd:date/*`;
const keywords = (kind: string) => `${KEYWORDS}[${kind}]/gmd:keyword/${LEAVES}`;
const code = (path: string) => [
  `${path}/gmd:code/${LEAVES}`,
  `${path}/gmd:code/*/@xlink:href[starts-with(.,'http')]`,
];

// An exclusion (extentTypeCode false) says where the data is not.
const BOX =
  "gmd:EX_GeographicBoundingBox[not(gmd:extentTypeCode[normalize-space(.)='0' or normalize-space(.)='false'])]";

export const iso19139: MetadataFormat = {
  name: 'iso19139',
  label: 'ISO 19139',
  syntax: 'xml',
  namespace: 'http://www.isotc211.org/2005/gmd',
  schemaLocation: 'http://schemas.opengis.net/iso/19139/20070417/gmd/gmd.xsd',
  namespaces: {
    gmd: 'http://www.isotc211.org/2005/gmd',
    gmi: 'http://www.isotc211.org/2005/gmi',
    gco: 'http://www.isotc211.org/2005/gco',
    srv: 'http://www.isotc211.org/2005/srv',
    xlink: 'http://www.w3.org/1999/xlink',
  },
  detect: [{ root: 'gmd:MD_Metadata' }, { root: 'gmi:MI_Metadata' }],
  identifier: [
    '/*/gmd:fileIdentifier',
    `${CITATION}/gmd:identifier/*/gmd:code`,
    '/*/gmd:dataSetURI',
    '/*/@uuid',
  ],
  fields: [
    common('title', [`${CITATION}/gmd:title/${LEAVES}`, `${CITATION}/gmd:alternateTitle/${LEAVES}`]),
    common('creator', persons(`(${CITED} | ${OF_DATA})[${role(CREATOR_ROLES)}]`)),
    common(
      'contributor',
      persons(
        `(${CITED} | ${OF_DATA})[not(${role([...CREATOR_ROLES, ...PUBLISHER_ROLES, ...CONTACT_ROLES])})]`,
      ),
    ),
    common(
      'publisher',
      organisations(`(${CITED} | ${OF_DATA} | ${OF_DISTRIBUTION})[${role(PUBLISHER_ROLES)}]`),
    ),
    common('contact', [`(${OF_DATA})[${role(CONTACT_ROLES)}]`, '/*/gmd:contact/gmd:CI_ResponsibleParty'], {
      parts: [
        'gmd:individualName/*[1]',
        'gmd:organisationName/*[1]',
        'gmd:contactInfo/*/gmd:address/*/gmd:electronicMailAddress/*[1]',
      ],
      joiner: ', ',
    }),
    common('subject', [
      keywords(`not(gmd:type/*[${OTHER_KEYWORDS}])`),
      `${INFO}/gmd:topicCategory/gmd:MD_TopicCategoryCode`,
    ]),
    common('variable', [
      keywords(`gmd:thesaurusName/*/gmd:title/${LEAVES}[${PARAMETER_THESAURUS}]`),
      `${KEYWORDS}/gmd:keyword/*[starts-with(normalize-space(.),'EARTH SCIENCE')]`,
      `/*/gmd:contentInfo/*/gmd:dimension/*/gmd:descriptor/${LEAVES}`,
    ]),
    common('description', [`${INFO}/gmd:abstract/${LEAVES}`]),
    preferred(
      'date',
      date(PUBLISHED),
      date(CREATED),
      date(REVISED),
      `${CITATION}/gmd:date/gmd:CI_Date/gmd:date/*`,
      '/*/gmd:dateStamp/*',
    ),
    common('published', [date(PUBLISHED)]),
    preferred('modified', date(REVISED), '/*/gmd:dateStamp/*'),
    // Both GML namespaces are in use, with TimePeriod and TimeInstant in either.
    common('time', [`${EXTENT}/gmd:temporalElement/*/gmd:extent/*`], {
      parts: [
        `${any('beginPosition')} | ${any('begin')}//${any('timePosition')} | ${any('timePosition')}`,
        `${any('endPosition')} | ${any('end')}//${any('timePosition')} | ${any('timePosition')}`,
      ],
    }),
    common('bbox', [`${EXTENT}/gmd:geographicElement/${BOX}`], {
      parts: [
        'gmd:westBoundLongitude',
        'gmd:southBoundLatitude',
        'gmd:eastBoundLongitude',
        'gmd:northBoundLatitude',
      ],
    }),
    common('place', [
      keywords(`gmd:type/*[${hasCode(['place'])}]`),
      `${EXTENT}/gmd:geographicElement/gmd:EX_GeographicDescription/gmd:geographicIdentifier/*/gmd:code/${LEAVES}`,
      `${EXTENT}/gmd:description/${LEAVES}`,
    ]),
    common('type', [
      '/*/gmd:hierarchyLevel/*/@codeListValue',
      '/*/gmd:hierarchyLevel/*[not(normalize-space(@codeListValue))]',
    ]),
    common('mediaType', [
      `${DISTRIBUTION}//gmd:MD_Format/gmd:name/${LEAVES}`,
      `${INFO}/gmd:resourceFormat/gmd:MD_Format/gmd:name/${LEAVES}`,
    ]),
    preferred(
      'language',
      `${INFO}/gmd:language/*/@codeListValue | ${INFO}/gmd:language/*[not(@codeListValue)]`,
      '/*/gmd:language/*/@codeListValue | /*/gmd:language/*[not(@codeListValue)]',
    ),
    common('identifier', [
      `/*/gmd:fileIdentifier/${LEAVES}`,
      ...code(`${CITATION}/gmd:identifier/*`),
      `/*/gmd:dataSetURI/${LEAVES}`,
    ]),
    common('link', [
      `${DISTRIBUTION}//gmd:onLine/*/gmd:linkage/gmd:URL`,
      `${INFO}/srv:containsOperations/*/srv:connectPoint/*/gmd:linkage/gmd:URL`,
      "/*/gmd:dataSetURI/*[starts-with(normalize-space(.),'http')]",
    ]),
    common('relation', [
      `/*/gmd:parentIdentifier/${LEAVES}`,
      `${INFO}/gmd:aggregationInfo/*/gmd:aggregateDataSetIdentifier/*/gmd:code/${LEAVES}`,
      `${INFO}/srv:operatesOn/@uuidref`,
    ]),
    common('rights', [
      `${INFO}/gmd:resourceConstraints/*/gmd:useLimitation/${LEAVES}`,
      `${INFO}/gmd:resourceConstraints/*/gmd:otherConstraints/${LEAVES}`,
    ]),
    common('lineage', [`/*/gmd:dataQualityInfo/*/gmd:lineage/*/gmd:statement/${LEAVES}`]),
    common('instrument', [
      keywords(`gmd:type/*[${hasCode(['instrument'])}]`),
      `${ACQUISITION}//gmi:MI_Instrument/gmi:identifier/*/gmd:code/${LEAVES}`,
      `${ACQUISITION}//gmi:MI_Instrument/gmi:identifier[not(*)]`,
    ]),
    common('platform', [
      keywords(`gmd:type/*[${hasCode(['platform'])}]`),
      `${ACQUISITION}//gmi:MI_Platform/gmi:identifier/*/gmd:code/${LEAVES}`,
      `${ACQUISITION}//gmi:MI_Platform/gmi:identifier[not(*)]`,
    ]),
    common('project', [
      keywords(`gmd:type/*[${hasCode(['project'])}]`),
      `${INFO}/gmd:aggregationInfo/*[gmd:initiativeType/*[${hasCode(['project', 'campaign'])}]]/gmd:aggregateDataSetName/*/gmd:title/${LEAVES}`,
    ]),
  ],
  dublinCore: COMMON_CROSSWALK,
};
