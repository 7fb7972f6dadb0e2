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
  /** Only what was changed on that day or later, as the catalogue's own property says. */
  readonly changedSince?: { readonly property: string; readonly day: string };
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

/** How many records the query finds; undefined when the catalogue does not count. */
export async function countRecords(
  client: HttpClient,
  query: CswQuery,
  signal?: AbortSignal,
): Promise<number | undefined> {
  return (await getRecords(client, query, 1, 1, signal)).matched;
}

const NAMESPACES = {
  csw: CSW_NAMESPACE,
  gmd: GMD_NAMESPACE,
  ogc: 'http://www.opengis.net/ogc',
  apiso: 'http://www.opengis.net/cat/csw/apiso/1.0',
  dct: 'http://purl.org/dc/terms/',
};

function writeRequest(query: CswQuery, startPosition: number, maxRecords: number): HttpRequest {
  const { url, method, outputSchema, typeNames } = query;
  const constraint = writeConstraint(query);
  if (method === 'get') {
    return {
      url: withParameters(url, {
        service: 'CSW',
        version: '2.0.2',
        request: 'GetRecords',
        resultType: 'results',
        typeNames,
        namespace: Object.entries(NAMESPACES)
          .map(([prefix, uri]) => `xmlns(${prefix}=${uri})`)
          .join(','),
        elementSetName: 'full',
        outputFormat: 'application/xml',
        outputSchema,
        startPosition: String(startPosition),
        maxRecords: String(maxRecords),
        ...(constraint && {
          constraintLanguage: constraint.language,
          constraint_language_version: '1.1.0',
          constraint: constraint.text,
        }),
      }),
    };
  }
  const inside =
    constraint &&
    (constraint.language === 'FILTER'
      ? rawXml(constraint.text)
      : rawXml(xml`<csw:CqlText>${constraint.text}</csw:CqlText>`));
  const constraintXml = inside ? xml`<csw:Constraint version="1.1.0">${inside}</csw:Constraint>` : '';
  const body = xml`<?xml version="1.0" encoding="UTF-8"?>
<csw:GetRecords ${rawXml(DECLARATIONS)} service="CSW" version="2.0.2" resultType="results" outputFormat="application/xml" outputSchema="${outputSchema}" startPosition="${startPosition}" maxRecords="${maxRecords}">
  <csw:Query typeNames="${typeNames}"><csw:ElementSetName>full</csw:ElementSetName>${rawXml(constraintXml)}</csw:Query>
</csw:GetRecords>
`;
  return {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/xml; charset=utf-8', accept: 'application/xml' },
    body,
  };
}

const DECLARATIONS = Object.entries(NAMESPACES)
  .map(([prefix, uri]) => xml`xmlns:${prefix}="${uri}"`)
  .join(' ');

/** A condition of the operator is CQL, and two conditions must be in one language; ours alone is a filter. */
function writeConstraint({
  cql,
  changedSince,
}: CswQuery): { readonly language: 'CQL_TEXT' | 'FILTER'; readonly text: string } | undefined {
  if (!changedSince) return cql === undefined ? undefined : { language: 'CQL_TEXT', text: cql };
  const { property, day } = changedSince;
  if (cql !== undefined) return { language: 'CQL_TEXT', text: `(${cql}) AND ${property} >= '${day}'` };
  return {
    language: 'FILTER',
    text: xml`<ogc:Filter xmlns:ogc="${NAMESPACES.ogc}"><ogc:PropertyIsGreaterThanOrEqualTo><ogc:PropertyName>${property}</ogc:PropertyName><ogc:Literal>${day}</ogc:Literal></ogc:PropertyIsGreaterThanOrEqualTo></ogc:Filter>`,
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
