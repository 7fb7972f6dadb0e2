/** MODS 3.x, the Metadata Object Description Schema of libraries. */
import { COMMON_CROSSWALK } from './crosswalk.ts';
import { common, preferred } from './fields.ts';
import type { MetadataFormat } from './format.ts';
import { isOneOf } from './xpath-parts.ts';

/** One record, also when its collection holds nothing else. */
const MODS = '(/mods:mods | /mods:modsCollection/mods:mods)';
const ORIGIN = `${MODS}/mods:originInfo`;

/** MARC relator codes and terms. */
const role = (roles: readonly string[]) => `mods:role/mods:roleTerm[${isOneOf('normalize-space(.)', roles)}]`;
const CREATES = `${role(['cre', 'aut', 'creator', 'author', 'Creator', 'Author'])} or not(mods:role)`;
const PUBLISHES = role(['pbl', 'publisher', 'Publisher']);
const NAME_PARTS = [
  "mods:namePart[@type='family']",
  "mods:namePart[@type='given']",
  'mods:namePart[not(@type)]',
];
const name = (test: string) => [`${MODS}/mods:name[${test}]`];

const TITLE_PARTS = ['mods:nonSort', 'mods:title', 'mods:subTitle', 'mods:partNumber', 'mods:partName'];
// A range is given as two elements; its beginning counts as the date.
const date = (element: string) => [
  `${ORIGIN}/mods:${element}[@keyDate='yes']`,
  `${ORIGIN}/mods:${element}[@encoding][not(@point='end')]`,
  `${ORIGIN}/mods:${element}[not(@point='end')]`,
];

export const mods: MetadataFormat = {
  name: 'mods',
  label: 'MODS',
  syntax: 'xml',
  namespace: 'http://www.loc.gov/mods/v3',
  schemaLocation: 'http://www.loc.gov/standards/mods/v3/mods-3-7.xsd',
  namespaces: { mods: 'http://www.loc.gov/mods/v3', xlink: 'http://www.w3.org/1999/xlink' },
  // The collection is no root of a record, so that it is cut into its records.
  detect: [{ root: 'mods:mods' }, { test: '/mods:modsCollection[count(mods:mods)=1]' }],
  identifier: [
    `${MODS}/mods:recordInfo/mods:recordIdentifier`,
    `${MODS}/mods:identifier[not(@invalid='yes')]`,
    `${MODS}/@ID`,
  ],
  fields: [
    common('title', [`${MODS}/mods:titleInfo[not(@type)]`, `${MODS}/mods:titleInfo[@type]`], {
      parts: TITLE_PARTS,
    }),
    common('creator', name(CREATES), { parts: NAME_PARTS, joiner: ', ' }),
    common('contributor', name(`mods:role and not(${CREATES} or ${PUBLISHES})`), {
      parts: NAME_PARTS,
      joiner: ', ',
    }),
    common('publisher', [`${ORIGIN}/mods:publisher`]),
    common('publisher', name(PUBLISHES), { parts: NAME_PARTS, joiner: ', ' }),
    common('subject', [
      `${MODS}/mods:subject/mods:topic`,
      `${MODS}/mods:subject/mods:titleInfo/mods:title`,
      `${MODS}/mods:subject/mods:genre`,
      `${MODS}/mods:classification`,
    ]),
    common('subject', [`${MODS}/mods:subject/mods:name`], { parts: NAME_PARTS, joiner: ', ' }),
    common('description', [`${MODS}/mods:abstract`, `${MODS}/mods:tableOfContents`, `${MODS}/mods:note`]),
    preferred(
      'date',
      ...date('dateIssued'),
      ...date('copyrightDate'),
      ...date('dateCreated'),
      ...date('dateOther'),
      ...date('dateCaptured'),
      `${MODS}/mods:part/mods:date`,
    ),
    preferred('published', ...date('dateIssued'), ...date('copyrightDate')),
    preferred('modified', ...date('dateModified'), `${MODS}/mods:recordInfo/mods:recordChangeDate`),
    common('time', [`${MODS}/mods:subject[mods:temporal[@point]]`], {
      parts: ["mods:temporal[@point='start']", "mods:temporal[@point='end']"],
    }),
    common('time', [`${MODS}/mods:subject/mods:temporal[@encoding][not(@point)]`]),
    common('bbox', [`${MODS}/mods:subject/mods:cartographics/mods:coordinates`]),
    common('place', [`${MODS}/mods:subject/mods:geographic`]),
    common('place', [`${MODS}/mods:subject/mods:hierarchicalGeographic`], { parts: ['*'], joiner: ' > ' }),
    common('type', [`${MODS}/mods:typeOfResource`, `${MODS}/mods:genre`]),
    common('mediaType', [`${MODS}/mods:physicalDescription/mods:internetMediaType`]),
    preferred(
      'language',
      `${MODS}/mods:language/mods:languageTerm[@type='code']`,
      `${MODS}/mods:language/mods:languageTerm`,
    ),
    common('identifier', [
      `${MODS}/mods:identifier[not(@invalid='yes')]`,
      `${MODS}/mods:recordInfo/mods:recordIdentifier`,
    ]),
    common('link', [
      `${MODS}/mods:location/mods:url`,
      `${MODS}/mods:identifier[@type='uri'][starts-with(normalize-space(.),'http')]`,
    ]),
    common('relation', [
      `${MODS}/mods:relatedItem/mods:identifier`,
      `${MODS}/mods:relatedItem/@xlink:href`,
      `${MODS}/mods:relatedItem[not(mods:identifier)]/mods:titleInfo/mods:title`,
    ]),
    common('rights', [`${MODS}/mods:accessCondition`]),
  ],
  dublinCore: COMMON_CROSSWALK,
};
