/** What DIF 9 and DIF 10 have in common: they share a namespace and most of their words. */
import { common } from './fields.ts';
import type { FormatField } from './format.ts';

export const DIF_NAMESPACE = 'http://gcmd.gsfc.nasa.gov/Aboutus/xml/dif/';

/** The four sides, relative to the element that holds them. */
export const DIF_SIDES = [
  'dif:Westernmost_Longitude',
  'dif:Southernmost_Latitude',
  'dif:Easternmost_Longitude',
  'dif:Northernmost_Latitude',
];

const LEVELS = [
  'Category',
  'Topic',
  'Term',
  'Variable',
  'Variable_Level_1',
  'Variable_Level_2',
  'Variable_Level_3',
  'Detailed_Variable',
];

/** Stands where the schema demands something that nobody told. */
export const NOT_PROVIDED = 'NOT PROVIDED';
const TOLD = `[not(.='${NOT_PROVIDED}')]`;

/** Science keywords: the whole path is a subject, the levels below the term are the variable. */
export function scienceKeywords(element: string): FormatField[] {
  const keyword = `/dif:DIF/dif:${element}`;
  const variable = "*[starts-with(local-name(),'Variable') or local-name()='Detailed_Variable']";
  return [
    common('subject', [keyword], { parts: LEVELS.map((level) => `dif:${level}${TOLD}`), joiner: ' > ' }),
    common('variable', [`${keyword}/${variable}`, `${keyword}[not(${variable})]/dif:Term${TOLD}`]),
  ];
}

/** The short name, or the long one where there is no other. */
export const shortName = (path: string): string[] => [
  `${path}/dif:Short_Name`,
  `${path}[not(normalize-space(dif:Short_Name))]/dif:Long_Name`,
];

export const DIF_LOCATION = common('place', ['/dif:DIF/dif:Location'], {
  parts: [
    'dif:Location_Category',
    'dif:Location_Type',
    'dif:Location_Subregion1',
    'dif:Location_Subregion2',
    'dif:Location_Subregion3',
    'dif:Detailed_Location',
  ],
  joiner: ' > ',
});

/** DIF 9 has plain text in Summary, or Abstract and Purpose below it. */
export const DIF_SUMMARY = common('description', [
  '/dif:DIF/dif:Summary/dif:Abstract',
  '/dif:DIF/dif:Summary[not(dif:Abstract)]',
]);
