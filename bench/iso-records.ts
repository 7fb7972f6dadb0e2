/** ISO 19139 records of about 2.7 kB, the same for the same number and edition. */
import { createRandom } from './records.ts';

const WORDS = (
  'sea ice extent drift salinity temperature profile mooring glacier runoff fjord shelf slope basin current ' +
  'chlorophyll nutrient oxygen carbon flux aerosol cloud radiance albedo snow permafrost lake sediment core ' +
  'isotope dating series monthly daily gridded satellite radiometer altimeter lidar buoy float station survey'
).split(' ');

const text = (value: string) => `<gco:CharacterString>${value}</gco:CharacterString>`;
const code = (name: string, value: string) =>
  `<gmd:${name} codeList="urn:code:${name}" codeListValue="${value}"/>`;

export function makeIsoRecord(number: number, edition = 0): string {
  const random = createRandom(number * 31 + edition);
  const words = (count: number) =>
    Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ');
  const degrees = (span: number) => (random() * span - span / 2).toFixed(3);
  const [west, east] = [degrees(360), degrees(360)].sort((a, b) => Number(a) - Number(b));
  const [south, north] = [degrees(180), degrees(180)].sort((a, b) => Number(a) - Number(b));
  const party = (role: string, organisation = '') =>
    `<gmd:CI_ResponsibleParty><gmd:individualName>${text(words(2))}</gmd:individualName>${organisation}<gmd:role>${code('CI_RoleCode', role)}</gmd:role></gmd:CI_ResponsibleParty>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<gmd:MD_Metadata xmlns:gmd="http://www.isotc211.org/2005/gmd" xmlns:gco="http://www.isotc211.org/2005/gco">
<gmd:fileIdentifier>${text(`bench-${number}`)}</gmd:fileIdentifier>
<gmd:language>${text('eng')}</gmd:language>
<gmd:contact>${party('pointOfContact', `<gmd:organisationName>${text(words(3))}</gmd:organisationName>`)}</gmd:contact>
<gmd:dateStamp><gco:Date>2020-01-01</gco:Date></gmd:dateStamp>
<gmd:identificationInfo><gmd:MD_DataIdentification>
<gmd:citation><gmd:CI_Citation><gmd:title>${text(`Edition ${edition} of ${number}: ${words(6)}`)}</gmd:title>
<gmd:date><gmd:CI_Date><gmd:date><gco:Date>${1990 + Math.floor(random() * 30)}-06-15</gco:Date></gmd:date><gmd:dateType>${code('CI_DateTypeCode', 'publication')}</gmd:dateType></gmd:CI_Date></gmd:date>
<gmd:citedResponsibleParty>${party('author')}</gmd:citedResponsibleParty></gmd:CI_Citation></gmd:citation>
<gmd:abstract>${text(words(25))}</gmd:abstract>
<gmd:descriptiveKeywords><gmd:MD_Keywords>${Array.from({ length: 3 }, () => `<gmd:keyword>${text(words(1))}</gmd:keyword>`).join('')}</gmd:MD_Keywords></gmd:descriptiveKeywords>
<gmd:language>${text('eng')}</gmd:language>
<gmd:extent><gmd:EX_Extent><gmd:geographicElement><gmd:EX_GeographicBoundingBox><gmd:westBoundLongitude><gco:Decimal>${west}</gco:Decimal></gmd:westBoundLongitude><gmd:eastBoundLongitude><gco:Decimal>${east}</gco:Decimal></gmd:eastBoundLongitude><gmd:southBoundLatitude><gco:Decimal>${south}</gco:Decimal></gmd:southBoundLatitude><gmd:northBoundLatitude><gco:Decimal>${north}</gco:Decimal></gmd:northBoundLatitude></gmd:EX_GeographicBoundingBox></gmd:geographicElement></gmd:EX_Extent></gmd:extent>
</gmd:MD_DataIdentification></gmd:identificationInfo>
</gmd:MD_Metadata>`;
}
