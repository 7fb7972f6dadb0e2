/**
 * XML as JSON and back. JSON that was made of XML becomes that XML again, any other JSON the XML that the W3C has for
 * it, and that becomes the JSON again.
 */
import { parseJson } from '../../formats/extract-json.ts';
import { readXmlTree, type TreeElement, writeXmlTree } from '../../xml/tree.ts';
import type { Converter } from './converter.ts';
import { jsonToRoot, rootToJson } from './element-json.ts';
import { isMapRoot, jsonToMap, mapToJson } from './json-map.ts';

const IS_XML = /^(?:text|application)\/xml$|\+xml$/;
const IS_JSON = /^application\/json$|\+json$/;

export const xmlJsonConverter: Converter = {
  name: 'xml-json',
  targets: (mediaType) =>
    IS_XML.test(mediaType) ? ['application/json'] : IS_JSON.test(mediaType) ? ['application/xml'] : [],
  convert: async (bytes, { from }) => Buffer.from(IS_XML.test(from) ? xmlToJson(bytes) : jsonToXml(bytes)),
};

export function xmlToJson(bytes: Uint8Array): string {
  const root = readXmlTree(bytes);
  return `${JSON.stringify(isMapRoot(root) ? mapToJson(root) : rootToJson(root))}\n`;
}

export function jsonToXml(bytes: Uint8Array): string {
  const json = parseJson(bytes);
  const root = jsonToRoot(json);
  const element = root && isFaithful(root, json) ? root : jsonToMap(json);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${writeXmlTree(element)}\n`;
}

/** Only an element that reads back as the same JSON stands for it: names may be unbound, texts may need escapes. */
function isFaithful(root: TreeElement, json: unknown): boolean {
  try {
    const again = readXmlTree(Buffer.from(writeXmlTree(root)));
    return !isMapRoot(again) && JSON.stringify(rootToJson(again)) === JSON.stringify(json);
  } catch {
    // Not well-formed: then it is no element.
    return false;
  }
}
