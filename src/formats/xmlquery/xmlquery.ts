/** XMLQuery: a query with its options, what servers did with it, and its results, as one document. */
export const QUERY_TOKEN_ROLES = ['elemName', 'LITERAL', 'RELOP', 'LOGOP'] as const;

export interface QueryToken {
  readonly role: (typeof QUERY_TOKEN_ROLES)[number];
  readonly value: string;
}

export interface XmlQuery {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly type: string;
  readonly status: string;
  readonly securityType: string;
  readonly parentIds: readonly string[];
  readonly childIds: readonly string[];
  readonly revisionNotes: readonly string[];
  /** The data dictionary that the names are of. */
  readonly dataDictionaryId: string;
  /** `ATTRIBUTE`, `INSTANCE` …: what is wanted of each match. */
  readonly resultMode: string;
  readonly propagationType: string;
  readonly propagationLevels: string;
  /** Media types in the order of preference, with wildcards. */
  readonly mimeAccept: readonly string[];
  readonly maxResults: number;
  /** How many results there were, of which `resultSet` may hold fewer. */
  readonly results: number;
  /** As a person wrote it. */
  readonly expression: string;
  readonly statistics: readonly { readonly url: string; readonly timeMs: number }[];
  readonly select: readonly QueryToken[];
  readonly from: readonly QueryToken[];
  /** The conditions, in postfix. */
  readonly where: readonly QueryToken[];
  readonly resultSet: readonly XmlQueryResult[];
}

export interface XmlQueryResult {
  readonly id: string;
  readonly mediaType: string;
  readonly profileId: string;
  readonly resourceId: string;
  readonly header: readonly { readonly name: string; readonly type?: string; readonly unit?: string }[];
  readonly classified: boolean;
  /** Milliseconds for which the result may be kept; -1: for ever. */
  readonly validityMs: number;
  readonly content: Uint8Array;
}

/** What old servers take where nothing was said. */
export const XMLQUERY_DEFAULTS: Omit<XmlQuery, 'expression' | 'select' | 'from' | 'where'> = {
  id: 'UNKNOWN',
  title: 'UNKNOWN',
  description: 'UNKNOWN',
  type: 'QUERY',
  status: 'ACTIVE',
  securityType: 'UNKNOWN',
  parentIds: [],
  childIds: [],
  revisionNotes: [],
  dataDictionaryId: 'UNKNOWN',
  resultMode: 'ATTRIBUTE',
  propagationType: 'BROADCAST',
  propagationLevels: 'N/A',
  mimeAccept: ['*/*'],
  maxResults: 100,
  results: 0,
  statistics: [],
  resultSet: [],
};
