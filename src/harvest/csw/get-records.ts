/** GetRecords: asks for one page, and cuts the answer into records. */
import type { RecordProblem } from '../../core/model.ts';
import { splitRecords } from '../../xml/splitter.ts';
import { rawXml, xml } from '../../xml/write.ts';
import type { HttpClient, HttpRequest } from '../http/index.ts';
import type { RecordPiece } from '../ingest.ts';
import { withParameters } from '../remote/with-parameters.ts';
import { readSearchResults, type SearchResults } from './answer.ts';
import { CSW_NAMESPACE, GMD_NAMESPACE } from './capabilities.ts';

const MAX_PAGE_BYTES = 512 * 1024 * 1024;

export interface CswQuery {
  readonly url: string;
  readonly method: 'post' | 'get';
  readonly outputSchema: string;
  readonly typeNames: string;
  readonly cql: string | undefined;
}

export interface CswPage extends SearchResults {
  readonly pieces: readonly RecordPiece[];
  readonly problems: readonly RecordProblem[];
  readonly bytes: number;
}

export async function getRecords(
  client: HttpClient,
  query: CswQuery,
  startPosition: number,
  maxRecords: number,
  signal?: AbortSignal,
): Promise<CswPage> {
  const request = writeRequest(query, startPosition, maxRecords);
  const { bytes } = await client.read({ ...request, ...(signal && { signal }) }, MAX_PAGE_BYTES);
  const results = readSearchResults(bytes, request.url);
  const { pieces, problems } = await cutRecords(bytes, query.url, startPosition);
  return { ...results, pieces, problems, bytes: bytes.length };
}

export function writeRequest(query: CswQuery, startPosition: number, maxRecords: number): HttpRequest {
  const { url, method, outputSchema, typeNames, cql } = query;
  if (method === 'get') {
    return {
      url: withParameters(url, {
        service: 'CSW',
        version: '2.0.2',
        request: 'GetRecords',
        resultType: 'results',
        typeNames,
        namespace: `xmlns(csw=${CSW_NAMESPACE}),xmlns(gmd=${GMD_NAMESPACE})`,
        elementSetName: 'full',
        outputFormat: 'application/xml',
        outputSchema,
        startPosition: String(startPosition),
        maxRecords: String(maxRecords),
        ...(cql !== undefined && {
          constraintLanguage: 'CQL_TEXT',
          constraint_language_version: '1.1.0',
          constraint: cql,
        }),
      }),
    };
  }
  const constraint =
    cql === undefined
      ? ''
      : xml`<csw:Constraint version="1.1.0"><csw:CqlText>${cql}</csw:CqlText></csw:Constraint>`;
  const body = xml`<?xml version="1.0" encoding="UTF-8"?>
<csw:GetRecords xmlns:csw="${CSW_NAMESPACE}" xmlns:gmd="${GMD_NAMESPACE}" service="CSW" version="2.0.2" resultType="results" outputFormat="application/xml" outputSchema="${outputSchema}" startPosition="${startPosition}" maxRecords="${maxRecords}">
  <csw:Query typeNames="${typeNames}"><csw:ElementSetName>full</csw:ElementSetName>${rawXml(constraint)}</csw:Query>
</csw:GetRecords>
`;
  return {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/xml; charset=utf-8', accept: 'application/xml' },
    body,
  };
}

/** The children of SearchResults, whatever they are. */
async function cutRecords(
  bytes: Uint8Array,
  url: string,
  startPosition: number,
): Promise<Pick<CswPage, 'pieces' | 'problems'>> {
  const pieces: RecordPiece[] = [];
  const problems: RecordProblem[] = [];
  let inside = false;
  const isRecord = (_namespace: string, localName: string): boolean => {
    if (inside) return true;
    inside = localName === 'SearchResults';
    return false;
  };
  for await (const cut of splitRecords(oneChunk(bytes), { isRecord })) {
    const where = `${url}#${startPosition + pieces.length}`;
    if (cut.kind === 'problem') {
      problems.push({ code: cut.code, message: cut.message, where, line: cut.line });
      // Without a record in it, the whole answer is taken for one.
    } else if (cut.name !== 'GetRecordsResponse') {
      const { bytes: record, line } = cut;
      pieces.push({ bytes: record, syntax: 'xml', where, line, fallbackIdentifier: where });
    }
  }
  return { pieces, problems };
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
