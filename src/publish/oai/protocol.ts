/** The words of OAI-PMH 2.0 (§3.6, §4): verbs, their arguments, the errors. */

export const OAI_NAMESPACE = 'http://www.openarchives.org/OAI/2.0/';
export const OAI_SCHEMA = 'http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd';
export const XSI_NAMESPACE = 'http://www.w3.org/2001/XMLSchema-instance';

export type OaiErrorCode =
  | 'badArgument'
  | 'badResumptionToken'
  | 'badVerb'
  | 'cannotDisseminateFormat'
  | 'idDoesNotExist'
  | 'noMetadataFormats'
  | 'noRecordsMatch'
  | 'noSetHierarchy';

/** What a harvester did wrong, or what there is not: part of an answer, not a failure of ours. */
export interface OaiProblem {
  readonly code: OaiErrorCode;
  readonly message: string;
}

interface VerbRules {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** Whether `resumptionToken` may stand instead of all others. */
  readonly resumable: boolean;
}

const LIST: VerbRules = { required: ['metadataPrefix'], optional: ['from', 'until', 'set'], resumable: true };

export const VERBS = {
  Identify: { required: [], optional: [], resumable: false },
  ListMetadataFormats: { required: [], optional: ['identifier'], resumable: false },
  ListSets: { required: [], optional: [], resumable: true },
  GetRecord: { required: ['identifier', 'metadataPrefix'], optional: [], resumable: false },
  ListIdentifiers: LIST,
  ListRecords: LIST,
} as const satisfies Record<string, VerbRules>;

export type OaiVerb = keyof typeof VERBS;
export type ListVerb = 'ListIdentifiers' | 'ListRecords';

export const isVerb = (text: string): text is OaiVerb => Object.hasOwn(VERBS, text);

/** Unreserved characters of RFC 2396, as the schema has them. */
export const PREFIX_PATTERN = /^[A-Za-z0-9\-_.!~*'()]+$/;
