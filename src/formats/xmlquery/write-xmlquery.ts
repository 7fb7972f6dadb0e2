/** XMLQuery documents in the order of their DTD, which is not named: nobody can fetch it any more. */
import { escapeText, type RawXml, rawXml, xml } from '../../xml/write.ts';
import { codecOf, encodeResult } from './result-codec.ts';
import type { QueryToken, XmlQuery, XmlQueryResult } from './xmlquery.ts';

/** The names of the DTD, with its spelling of propagation. */
export function writeXmlQuery(query: XmlQuery): string {
  return xml`<?xml version="1.0" encoding="UTF-8"?>
<query>
<queryAttributes>
${lines('queryId', [query.id])}${lines('queryTitle', [query.title])}${lines('queryDesc', [query.description])}${lines('queryType', [query.type])}${lines('queryStatusId', [query.status])}${lines('querySecurityType', [query.securityType])}${lines('queryParentId', query.parentIds)}${lines('queryChildId', query.childIds)}${lines('queryRevisionNote', query.revisionNotes)}${lines('queryDataDictId', [query.dataDictionaryId])}</queryAttributes>
<queryResultModeId>${query.resultMode}</queryResultModeId>
<queryPropogationType>${query.propagationType}</queryPropogationType>
<queryPropogationLevels>${query.propagationLevels}</queryPropogationLevels>
${lines('queryMimeAccept', query.mimeAccept)}<queryMaxResults>${query.maxResults}</queryMaxResults>
<queryResults>${query.results}</queryResults>
<queryKWQString>${query.expression}</queryKWQString>
<queryStatistics>${rawXml(query.statistics.map(({ url, timeMs }) => xml`<statistic><url>${url}</url><time>${timeMs}</time></statistic>`))}</queryStatistics>
<querySelectSet>${tokens(query.select)}</querySelectSet>
<queryFromSet>${tokens(query.from)}</queryFromSet>
<queryWhereSet>${tokens(query.where)}</queryWhereSet>
<queryResultSet>${rawXml(query.resultSet.map(writeResult))}</queryResultSet>
</query>
`;
}

const lines = (name: string, texts: readonly string[]): RawXml =>
  rawXml(texts.map((text) => `<${name}>${escapeText(text)}</${name}>\n`));

const tokens = (list: readonly QueryToken[]): RawXml =>
  rawXml(
    list.map(
      ({ role, value }) =>
        xml`<queryElement><tokenRole>${role}</tokenRole><tokenValue>${value}</tokenValue></queryElement>`,
    ),
  );

function writeResult(result: XmlQueryResult): string {
  const { id, mediaType, profileId, resourceId, header, classified, validityMs } = result;
  const heads = header.map(
    ({ name, type, unit }) =>
      xml`<headerElement><elemName>${name}</elemName>${optional('elemType', type)}${optional('elemUnit', unit)}</headerElement>`,
  );
  return xml`<resultElement classified="${classified}" validity="${validityMs}"><resultId>${id}</resultId><resultMimeType>${mediaType}</resultMimeType><profId>${profileId}</profId><identifier>${resourceId}</identifier><resultHeader>${rawXml(heads)}</resultHeader>${rawXml(writeContent(result))}</resultElement>`;
}

const optional = (name: string, text: string | undefined): RawXml | undefined =>
  text === undefined ? undefined : rawXml(`<${name}>${escapeText(text)}</${name}>`);

/** Characters that XML cannot hold are replaced in texts; send such content as bytes. */
function writeContent({ mediaType, content }: XmlQueryResult): string {
  const codec = codecOf(mediaType);
  if (codec === 'text')
    return xml`<resultValue xml:space="preserve">${Buffer.from(content).toString()}</resultValue>`;
  return `<resultValue><![CDATA[${encodeResult(codec, content)}]]></resultValue>`;
}
