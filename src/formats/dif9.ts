/** Directory Interchange Format 9 (and the older ones that look like it). */
import { COMMON_CROSSWALK } from './crosswalk.ts';
import {
  DIF_LOCATION,
  DIF_NAMESPACE,
  DIF_SIDES,
  DIF_SUMMARY,
  NOT_PROVIDED,
  scienceKeywords,
  shortName,
} from './dif-parts.ts';
import { common, preferred } from './fields.ts';
import type { MetadataFormat } from './format.ts';

const CITATION = '/dif:DIF/dif:Data_Set_Citation';
const PERSON = ['dif:Last_Name', 'dif:First_Name', 'dif:Middle_Name'];
const INVESTIGATOR = "dif:Role[contains(.,'NVESTIGATOR') or contains(.,'nvestigator')]";

export const dif9: MetadataFormat = {
  name: 'dif9',
  label: 'DIF 9',
  syntax: 'xml',
  namespace: DIF_NAMESPACE,
  schemaLocation: `${DIF_NAMESPACE}dif_v9.9.3.xsd`,
  namespaces: { dif: DIF_NAMESPACE },
  // Metadata_Version is often wrong; the shape of Entry_ID tells the two apart.
  detect: [{ root: 'dif:DIF', test: 'not(/dif:DIF/dif:Entry_ID/dif:Short_Name)' }],
  identifier: ['/dif:DIF/dif:Entry_ID'],
  fields: [
    common('title', ['/dif:DIF/dif:Entry_Title', `${CITATION}/dif:Dataset_Title`]),
    common('creator', [`${CITATION}/dif:Dataset_Creator`]),
    common('creator', [`/dif:DIF/dif:Personnel[${INVESTIGATOR}]`], { parts: PERSON, joiner: ', ' }),
    common('contributor', [`/dif:DIF/dif:Personnel[not(${INVESTIGATOR})]`], { parts: PERSON, joiner: ', ' }),
    common('publisher', [
      `${CITATION}/dif:Dataset_Publisher`,
      '/dif:DIF/dif:Data_Center/dif:Data_Center_Name/dif:Long_Name',
      `/dif:DIF/dif:Data_Center/dif:Data_Center_Name[not(normalize-space(dif:Long_Name))]/dif:Short_Name[not(.='${NOT_PROVIDED}')]`,
    ]),
    common(
      'contact',
      [
        `/dif:DIF/dif:Data_Center/dif:Personnel[not(dif:Last_Name='${NOT_PROVIDED}')]`,
        '/dif:DIF/dif:Personnel[dif:Email]',
      ],
      {
        parts: [...PERSON, 'dif:Email'],
        joiner: ', ',
      },
    ),
    ...scienceKeywords('Parameters'),
    common('subject', ['/dif:DIF/dif:ISO_Topic_Category', '/dif:DIF/dif:Keyword']),
    DIF_SUMMARY,
    preferred(
      'date',
      `${CITATION}/dif:Dataset_Release_Date`,
      '/dif:DIF/dif:DIF_Creation_Date',
      '/dif:DIF/dif:Last_DIF_Revision_Date',
    ),
    common('published', [`${CITATION}/dif:Dataset_Release_Date`]),
    common('modified', ['/dif:DIF/dif:Last_DIF_Revision_Date']),
    common('time', ['/dif:DIF/dif:Temporal_Coverage'], { parts: ['dif:Start_Date', 'dif:Stop_Date'] }),
    common('bbox', ['/dif:DIF/dif:Spatial_Coverage'], { parts: DIF_SIDES }),
    common('place', ['/dif:DIF/dif:Location/dif:Location_Name']),
    DIF_LOCATION,
    common('type', [`${CITATION}/dif:Data_Presentation_Form`]),
    common('mediaType', ['/dif:DIF/dif:Distribution/dif:Distribution_Format']),
    common('language', ['/dif:DIF/dif:Data_Set_Language']),
    common('identifier', ['/dif:DIF/dif:Entry_ID', `${CITATION}/dif:Dataset_DOI`]),
    common('link', ['/dif:DIF/dif:Related_URL/dif:URL', `${CITATION}/dif:Online_Resource`]),
    common('relation', ['/dif:DIF/dif:Parent_DIF']),
    common('rights', ['/dif:DIF/dif:Access_Constraints', '/dif:DIF/dif:Use_Constraints']),
    common('lineage', ['/dif:DIF/dif:Quality']),
    common('instrument', shortName('/dif:DIF/dif:Sensor_Name')),
    common('platform', shortName('/dif:DIF/dif:Source_Name')),
    common('project', shortName('/dif:DIF/dif:Project')),
  ],
  dublinCore: COMMON_CROSSWALK,
};
