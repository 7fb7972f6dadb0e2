/** Words of the ISO 19115 code lists, and of the thesauri used with it, that decide where a value belongs. */
import { hasCode, lowerCase } from './xpath-parts.ts';

export const CREATOR_ROLES = ['author', 'originator', 'principalInvestigator', 'coAuthor', 'creator'];
export const PUBLISHER_ROLES = ['publisher', 'distributor', 'resourceProvider'];
export const CONTACT_ROLES = ['pointOfContact', 'custodian'];

export const PUBLISHED = hasCode(['publication', 'issued', 'released', 'available']);
export const REVISED = hasCode(['revision', 'lastRevision', 'lastUpdate', 'updated']);
export const CREATED = hasCode(['creation', 'created', 'completed']);

/** Keywords of these types have fields of their own. */
export const OTHER_KEYWORDS = hasCode([
  'place',
  'project',
  'instrument',
  'platform',
  'dataCenter',
  'dataCentre',
]);

/** Thesauri whose words are measured parameters: GCMD science keywords, CF standard names, BODC and SeaDataNet parameters, essential variables. */
const title = lowerCase('.');
export const PARAMETER_THESAURUS = [
  `contains(${title},'science keyword')`,
  `contains(${title},'parameter')`,
  `contains(${title},'standard name')`,
  `contains(${title},'standard_name')`,
  `contains(${title},'essential') and contains(${title},'variable')`,
  `starts-with(${title},'cf-')`,
  `starts-with(${title},'cf ')`,
].join(' or ');
