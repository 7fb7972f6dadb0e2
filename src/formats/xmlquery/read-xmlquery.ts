/**
 * XMLQuery documents as old clients send them: with or without their DTD named, in any order, with parts
 * missing. What is there must be right: a bad number or token is an error, never something else to ask.
 */
import { GarnerError } from '../../core/errors.ts';
import { toUtf8 } from '../../xml/encoding.ts';
import { parseXml, type XmlLimits } from '../../xml/engine.ts';
import { childText, childTexts, parseSmallTree, type SmallElement } from '../../xml/small-tree.ts';
import { blankDoctype } from '../oodt-profile/doctype.ts';
import { codecOf, decodeResult } from './result-codec.ts';
import {
  QUERY_TOKEN_ROLES,
  type QueryToken,
  XMLQUERY_DEFAULTS,
  type XmlQuery,
  type XmlQueryResult,
} from './xmlquery.ts';

/** Throws `xml.invalid`, or what `parseXml` throws; entities and internal subsets are `xml.forbidden`. */
export function readXmlQuery(bytes: Uint8Array, limits?: XmlLimits): XmlQuery {
  const plain = blankDoctype(toUtf8(bytes));
  parseXml(plain, limits).dispose();
  const root = parseSmallTree(plain);
  if (root?.name !== 'query') throw invalid(`expected a query, found <${root?.name ?? ''}>`);
  const own = child(root, 'queryAttributes');
  const text = (parent: SmallElement | undefined, name: string, otherwise: string): string =>
    (parent && childText(parent, name)) ?? otherwise;
  const texts = (name: string): string[] => (own ? childTexts(own, name) : []);
  const types = childTexts(root, 'queryMimeAccept');
  const usual = XMLQUERY_DEFAULTS;
  return {
    id: text(own, 'queryId', usual.id),
    title: text(own, 'queryTitle', usual.title),
    description: text(own, 'queryDesc', usual.description),
    type: text(own, 'queryType', usual.type),
    status: text(own, 'queryStatusId', usual.status),
    securityType: text(own, 'querySecurityType', usual.securityType),
    parentIds: texts('queryParentId'),
    childIds: texts('queryChildId'),
    revisionNotes: texts('queryRevisionNote'),
    dataDictionaryId: text(own, 'queryDataDictId', usual.dataDictionaryId),
    resultMode: text(root, 'queryResultModeId', usual.resultMode),
    propagationType: text(root, 'queryPropogationType', usual.propagationType),
    propagationLevels: text(root, 'queryPropogationLevels', usual.propagationLevels),
    mimeAccept: types.length > 0 ? types : usual.mimeAccept,
    maxResults: readInteger(root, 'queryMaxResults', usual.maxResults),
    results: readInteger(root, 'queryResults', usual.results),
    expression: text(root, 'queryKWQString', ''),
    statistics: children(child(root, 'queryStatistics'), 'statistic').map((statistic) => ({
      url: text(statistic, 'url', ''),
      timeMs: readInteger(statistic, 'time', 0),
    })),
    select: readTokens(root, 'querySelectSet'),
    from: readTokens(root, 'queryFromSet'),
    where: readTokens(root, 'queryWhereSet'),
    resultSet: children(child(root, 'queryResultSet'), 'resultElement').map(readResult),
  };
}

const child = (parent: SmallElement, name: string): SmallElement | undefined =>
  parent.children.find((element) => element.name === name);

const children = (parent: SmallElement | undefined, name: string): SmallElement[] =>
  parent?.children.filter((element) => element.name === name) ?? [];

function readInteger(parent: SmallElement, name: string, otherwise: number): number {
  const text = childText(parent, name);
  if (text === undefined) return otherwise;
  if (!/^[+-]?\d{1,15}$/.test(text)) throw invalid(`${name}: "${text.slice(0, 40)}" is no whole number`);
  return Number(text);
}

function readTokens(root: SmallElement, name: string): QueryToken[] {
  return children(child(root, name), 'queryElement').map((element) => {
    const given = childText(element, 'tokenRole') ?? '';
    const role = QUERY_TOKEN_ROLES.find((known) => known.toLowerCase() === given.toLowerCase());
    if (!role)
      throw invalid(
        `${name}: "${given.slice(0, 40)}" is no role of a token; expected ${QUERY_TOKEN_ROLES.join(', ')}`,
      );
    const value = child(element, 'tokenValue')?.text ?? '';
    // Blanks around names and operators come from indentation; a literal is what it is.
    return { role, value: role === 'LITERAL' ? value : value.trim() };
  });
}

function readResult(element: SmallElement): XmlQueryResult {
  const mediaType = childText(element, 'resultMimeType') ?? 'text/plain';
  const validity = element.attributes.get('validity') ?? '-1';
  if (!/^-?\d{1,15}$/.test(validity))
    throw invalid(`validity: "${validity.slice(0, 40)}" is no whole number`);
  return {
    id: childText(element, 'resultId') ?? '',
    mediaType,
    profileId: childText(element, 'profId') ?? '',
    resourceId: childText(element, 'identifier') ?? '',
    header: children(child(element, 'resultHeader'), 'headerElement').map((head) => {
      const type = childText(head, 'elemType');
      const unit = childText(head, 'elemUnit');
      return {
        name: childText(head, 'elemName') ?? '',
        ...(type !== undefined && { type }),
        ...(unit !== undefined && { unit }),
      };
    }),
    classified: element.attributes.get('classified') === 'true',
    validityMs: Number(validity),
    content: decodeResult(codecOf(mediaType), child(element, 'resultValue')?.text ?? ''),
  };
}

function invalid(message: string): GarnerError {
  return new GarnerError('xml.invalid', `XMLQuery: ${message}`);
}
