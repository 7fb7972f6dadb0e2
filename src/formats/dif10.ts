/** Directory Interchange Format 10. */
import { COMMON_CROSSWALK } from './crosswalk.ts';
import {
  DIF_LOCATION,
  DIF_NAMESPACE,
  DIF_SIDES,
  DIF_SUMMARY,
  scienceKeywords,
  shortName,
} from './dif-parts.ts';
import { common, preferred } from './fields.ts';
import type { MetadataFormat } from './format.ts';
import { isOneOf } from './xpath-parts.ts';

const ENTRY = '/dif:DIF/dif:Entry_ID';
const CITATION = '/dif:DIF/dif:Dataset_Citation';
const DATES = '/dif:DIF/dif:Metadata_Dates';
const COVERAGE = '/dif:DIF/dif:Temporal_Coverage';
const GEOMETRY = '/dif:DIF/dif:Spatial_Coverage/dif:Geometry';
const ORGANIZATION = '/dif:DIF/dif:Organization';
const PERSON = ['dif:Last_Name', 'dif:First_Name', 'dif:Middle_Name'];
const INVESTIGATOR = "dif:Role[contains(.,'INVESTIGATOR')]";
const PUBLISHES = `dif:Organization_Type[${isOneOf('.', ['DISTRIBUTOR', 'ARCHIVER'])}]`;
const UNVERSIONED = `dif:Version[${isOneOf('normalize-space(.)', ['', 'Not provided', 'Not Provided'])}]`;
const CORNERS = [
  './/dif:Point_Longitude',
  './/dif:Point_Latitude',
  './/dif:Point_Longitude',
  './/dif:Point_Latitude',
];

export const dif10: MetadataFormat = {
  name: 'dif10',
  label: 'DIF 10',
  syntax: 'xml',
  namespace: DIF_NAMESPACE,
  schemaLocation: `${DIF_NAMESPACE}dif_v10.2.xsd`,
  namespaces: { dif: DIF_NAMESPACE },
  detect: [{ root: 'dif:DIF', test: '/dif:DIF/dif:Entry_ID/dif:Short_Name' }],
  // Several versions of a collection are several records; the directory joins both by an underscore.
  identifier: [
    `${ENTRY}[${UNVERSIONED} or not(dif:Version)]/dif:Short_Name`,
    `concat(normalize-space(${ENTRY}/dif:Short_Name),'_',normalize-space(${ENTRY}/dif:Version))`,
  ],
  fields: [
    common('title', ['/dif:DIF/dif:Entry_Title', `${CITATION}/dif:Dataset_Title`]),
    common('creator', [`${CITATION}/dif:Dataset_Creator`]),
    common('creator', [`/dif:DIF/dif:Personnel[${INVESTIGATOR}]/dif:Contact_Person`], {
      parts: PERSON,
      joiner: ', ',
    }),
    common('contributor', [`/dif:DIF/dif:Personnel[not(${INVESTIGATOR})]/dif:Contact_Person`], {
      parts: PERSON,
      joiner: ', ',
    }),
    common('publisher', [
      `${CITATION}/dif:Dataset_Publisher`,
      `${ORGANIZATION}[${PUBLISHES}]/dif:Organization_Name/dif:Long_Name`,
      `${ORGANIZATION}[${PUBLISHES}]/dif:Organization_Name[not(normalize-space(dif:Long_Name))]/dif:Short_Name`,
    ]),
    common(
      'contact',
      [`${ORGANIZATION}/dif:Personnel/*[self::dif:Contact_Person or self::dif:Contact_Group]`],
      {
        parts: [...PERSON, 'dif:Name', 'dif:Email'],
        joiner: ', ',
      },
    ),
    ...scienceKeywords('Science_Keywords'),
    common('subject', ['/dif:DIF/dif:ISO_Topic_Category', '/dif:DIF/dif:Ancillary_Keyword']),
    DIF_SUMMARY,
    preferred(
      'date',
      `${CITATION}/dif:Dataset_Release_Date`,
      `${DATES}/dif:Data_Creation`,
      `${DATES}/dif:Metadata_Creation`,
    ),
    common('published', [`${CITATION}/dif:Dataset_Release_Date`]),
    preferred('modified', `${DATES}/dif:Data_Last_Revision`, `${DATES}/dif:Metadata_Last_Revision`),
    common('time', [`${COVERAGE}/dif:Range_DateTime`], {
      parts: ['dif:Beginning_Date_Time', 'dif:Ending_Date_Time'],
    }),
    common('time', [`${COVERAGE}/dif:Periodic_DateTime`], { parts: ['dif:Start_Date', 'dif:End_Date'] }),
    common('time', [`${COVERAGE}/dif:Single_DateTime`]),
    common('bbox', [`${GEOMETRY}/dif:Bounding_Rectangle`], { parts: DIF_SIDES }),
    common(
      'bbox',
      [`${GEOMETRY}/dif:Polygon/dif:Boundary`, `${GEOMETRY}/dif:Line`, `${GEOMETRY}/dif:Point`],
      {
        parts: CORNERS,
      },
    ),
    DIF_LOCATION,
    common('type', ['/dif:DIF/dif:Collection_Data_Type', `${CITATION}/dif:Data_Presentation_Form`]),
    common('mediaType', ['/dif:DIF/dif:Distribution/dif:Distribution_Format']),
    common('language', ['/dif:DIF/dif:Dataset_Language']),
    common('identifier', [`${ENTRY}/dif:Short_Name`, `${CITATION}/dif:Persistent_Identifier/dif:Identifier`]),
    common('link', ['/dif:DIF/dif:Related_URL/dif:URL', `${CITATION}/dif:Online_Resource`]),
    common('relation', ['/dif:DIF/dif:Metadata_Association/dif:Entry_ID/dif:Short_Name']),
    common('rights', [
      '/dif:DIF/dif:Access_Constraints/descendant-or-self::*[not(*)]',
      '/dif:DIF/dif:Use_Constraints/descendant-or-self::*[not(*)][not(self::dif:Free_And_Open_Data)]',
    ]),
    common('lineage', ['/dif:DIF/dif:Quality']),
    common('instrument', shortName('/dif:DIF/dif:Platform/dif:Instrument')),
    common('platform', shortName('/dif:DIF/dif:Platform')),
    common('project', shortName('/dif:DIF/dif:Project')),
  ],
  dublinCore: COMMON_CROSSWALK,
};
