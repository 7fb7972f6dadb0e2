/**
 * ISO 19115-3: the XML of ISO 19115-1:2014 (mdb). Its parts are versioned one by one in their namespaces,
 * so that the paths go by local names.
 */
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

const INFO = `/*/${any('identificationInfo')}/*`;
const CITATION = `${INFO}/${any('citation/CI_Citation')}`;
const EXTENT = `${INFO}/${any('extent/EX_Extent')}`;
const KEYWORDS = `${INFO}/${any('descriptiveKeywords/MD_Keywords')}`;
const DISTRIBUTION = `/*/${any('distributionInfo/MD_Distribution')}`;
const ACQUISITION = `/*/${any('acquisitionInformation')}`;

const CITED = `${CITATION}/${any('citedResponsibleParty/CI_Responsibility')}`;
const OF_DATA = `${INFO}/${any('pointOfContact/CI_Responsibility')}`;
const OF_DISTRIBUTION = `${DISTRIBUTION}/${any('distributor/MD_Distributor/distributorContact/CI_Responsibility')}`;
const OF_METADATA = `/*/${any('contact/CI_Responsibility')}`;
const role = (roles: readonly string[]) => `${any('role')}/*[${hasCode(roles)}]`;

const PERSON = any('party/CI_Individual/name');
const MEMBER = any('party/CI_Organisation/individual/CI_Individual/name');
const ORGANISATION = any('party/CI_Organisation/name');
const persons = (parties: string) => [
  `${parties}/${PERSON}/${LEAVES}`,
  `${parties}/${MEMBER}/${LEAVES}`,
  `${parties}[not(normalize-space(${MEMBER}))]/${ORGANISATION}/${LEAVES}`,
];
const organisations = (parties: string) => [
  `${parties}/${ORGANISATION}/${LEAVES}`,
  `${parties}/${PERSON}/${LEAVES}`,
];

const typed = (kind: string) => `[${any('dateType')}/*[${kind}]]`;
const date = (kind: string) => `${CITATION}/${any('date/CI_Date')}${typed(kind)}/${any('date')}/*`;
const metadataDate = (kind: string) => `/*/${any('dateInfo/CI_Date')}${typed(kind)}/${any('date')}/*`;
const keywords = (kind: string) => `${KEYWORDS}[${kind}]/${any('keyword')}/${LEAVES}`;
const keywordType = (codes: readonly string[]) => `${any('type')}/*[${hasCode(codes)}]`;
const CODE = any('MD_Identifier/code');

const BOX = `${any('EX_GeographicBoundingBox')}[not(${any('extentTypeCode')}[normalize-space(.)='0' or normalize-space(.)='false'])]`;
const LANGUAGE = any('defaultLocale/PT_Locale/language');

export const iso19115v3: MetadataFormat = {
  name: 'iso19115-3',
  label: 'ISO 19115-3',
  syntax: 'xml',
  namespace: 'http://standards.iso.org/iso/19115/-3/mdb/2.0',
  schemaLocation: 'https://schemas.isotc211.org/19115/-3/mdb/2.0/mdb.xsd',
  namespaces: {
    mdb: 'http://standards.iso.org/iso/19115/-3/mdb/2.0',
    mdb1: 'http://standards.iso.org/iso/19115/-3/mdb/1.0',
    mdb3: 'http://standards.iso.org/iso/19115/-3/mdb/3.0',
    xlink: 'http://www.w3.org/1999/xlink',
  },
  detect: [{ root: 'mdb:MD_Metadata' }, { root: 'mdb1:MD_Metadata' }, { root: 'mdb3:MD_Metadata' }],
  identifier: [
    `/*/${any('metadataIdentifier')}/${CODE}`,
    `${CITATION}/${any('identifier')}/${CODE}`,
    '/*/@uuid',
  ],
  fields: [
    common('title', [
      `${CITATION}/${any('title')}/${LEAVES}`,
      `${CITATION}/${any('alternateTitle')}/${LEAVES}`,
    ]),
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
    common('contact', [`(${OF_DATA})[${role(CONTACT_ROLES)}]`, OF_METADATA], {
      parts: [
        `${PERSON}/*[1] | ${MEMBER}/*[1]`,
        `${ORGANISATION}/*[1]`,
        `${any('party')}//${any('electronicMailAddress')}/*[1]`,
      ],
      joiner: ', ',
    }),
    common('subject', [
      keywords(`not(${any('type')}/*[${OTHER_KEYWORDS}])`),
      `${INFO}/${any('topicCategory/MD_TopicCategoryCode')}`,
    ]),
    common('variable', [
      keywords(`${any('thesaurusName')}/*/${any('title')}/${LEAVES}[${PARAMETER_THESAURUS}]`),
      `${KEYWORDS}/${any('keyword')}/*[starts-with(normalize-space(.),'EARTH SCIENCE')]`,
      `/*/${any('contentInfo')}/*/${any('attributeGroup')}/*/${any('attribute')}/*/${any('name')}/${CODE}/${LEAVES}`,
      `/*/${any('contentInfo')}/*/${any('attributeGroup')}/*/${any('attribute')}/*/${any('description')}/${LEAVES}`,
    ]),
    common('description', [`${INFO}/${any('abstract')}/${LEAVES}`]),
    preferred(
      'date',
      date(PUBLISHED),
      date(CREATED),
      date(REVISED),
      `${CITATION}/${any('date/CI_Date/date')}/*`,
      metadataDate(REVISED),
      metadataDate(CREATED),
    ),
    common('published', [date(PUBLISHED)]),
    preferred('modified', date(REVISED), metadataDate(REVISED), metadataDate(CREATED)),
    common('time', [`${EXTENT}/${any('temporalElement')}/*/${any('extent')}/*`], {
      parts: [
        `${any('beginPosition')} | ${any('begin')}//${any('timePosition')} | ${any('timePosition')}`,
        `${any('endPosition')} | ${any('end')}//${any('timePosition')} | ${any('timePosition')}`,
      ],
    }),
    common('bbox', [`${EXTENT}/${any('geographicElement')}/${BOX}`], {
      parts: [
        any('westBoundLongitude'),
        any('southBoundLatitude'),
        any('eastBoundLongitude'),
        any('northBoundLatitude'),
      ],
    }),
    common('place', [
      keywords(keywordType(['place'])),
      `${EXTENT}/${any('geographicElement/EX_GeographicDescription/geographicIdentifier')}/${CODE}/${LEAVES}`,
      `${EXTENT}/${any('description')}/${LEAVES}`,
    ]),
    common('type', [
      `/*/${any('metadataScope/MD_MetadataScope/resourceScope')}/*/@codeListValue`,
      `/*/${any('metadataScope/MD_MetadataScope/resourceScope')}/*[not(normalize-space(@codeListValue))]`,
    ]),
    common('mediaType', [
      `${DISTRIBUTION}//${any('formatSpecificationCitation/CI_Citation/title')}/${LEAVES}`,
      `${INFO}/${any('resourceFormat/MD_Format/formatSpecificationCitation/CI_Citation/title')}/${LEAVES}`,
    ]),
    preferred('language', `${INFO}/${LANGUAGE}/*/@codeListValue`, `/*/${LANGUAGE}/*/@codeListValue`),
    common('identifier', [
      `/*/${any('metadataIdentifier')}/${CODE}/${LEAVES}`,
      `${CITATION}/${any('identifier')}/${CODE}/${LEAVES}`,
      `${CITATION}/${any('identifier')}/${CODE}/*/@xlink:href[starts-with(.,'http')]`,
    ]),
    common('link', [
      `${DISTRIBUTION}//${any('onLine')}/*/${any('linkage')}/*`,
      `${INFO}/${any('containsOperations')}/*/${any('connectPoint')}/*/${any('linkage')}/*`,
    ]),
    common('relation', [
      `/*/${any('parentMetadata')}//${any('MD_Identifier/code')}/${LEAVES}`,
      `/*/${any('parentMetadata')}/@uuidref`,
      `${INFO}/${any('associatedResource')}/*/${any('metadataReference')}/@uuidref`,
      `${INFO}/${any('associatedResource')}/*/${any('metadataReference')}//${any('MD_Identifier/code')}/${LEAVES}`,
      `${INFO}/${any('operatesOn')}/@uuidref`,
    ]),
    common('rights', [
      `${INFO}/${any('resourceConstraints')}/*/${any('useLimitation')}/${LEAVES}`,
      `${INFO}/${any('resourceConstraints')}/*/${any('otherConstraints')}/${LEAVES}`,
    ]),
    common('lineage', [`/*/${any('resourceLineage')}/*/${any('statement')}/${LEAVES}`]),
    common('instrument', [
      keywords(keywordType(['instrument'])),
      `${ACQUISITION}//${any('MI_Instrument/identifier')}/${CODE}/${LEAVES}`,
    ]),
    common('platform', [
      keywords(keywordType(['platform'])),
      `${ACQUISITION}//${any('MI_Platform/identifier')}/${CODE}/${LEAVES}`,
    ]),
    common('project', [
      keywords(keywordType(['project'])),
      `${INFO}/${any('associatedResource')}/*[${any('initiativeType')}/*[${hasCode(['project', 'campaign'])}]]/${any('name/CI_Citation/title')}/${LEAVES}`,
    ]),
  ],
  dublinCore: COMMON_CROSSWALK,
};
