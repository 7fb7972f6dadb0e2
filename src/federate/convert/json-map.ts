/** Any JSON as XML: the representation of W3C XPath and XQuery Functions 3.1, §17.4.2 (`json-to-xml`), and back. */
import { GarnerError } from '../../core/errors.ts';
import type { TreeElement } from '../../xml/tree.ts';

const NAMESPACE = 'http://www.w3.org/2005/xpath-functions';
/** What XML 1.0 cannot hold, and carriage returns, which few parsers keep. */
const UNFIT = /[\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]/u;
const UNFIT_ALL = new RegExp(UNFIT.source, 'gu');

export function jsonToMap(json: unknown): TreeElement {
  const { attributes, ...root } = toNode(json);
  return { ...root, attributes: [['xmlns', NAMESPACE], ...attributes] };
}

function toNode(json: unknown, key?: string): TreeElement {
  const keyed = key === undefined ? [] : named('key', key);
  const node = (
    name: string,
    content: TreeElement['content'] = [],
    more: TreeElement['attributes'] = [],
  ): TreeElement => ({ name, attributes: [...keyed, ...more], content });
  if (json === null) return node('null');
  if (typeof json === 'boolean' || typeof json === 'number') return node(typeof json, [String(json)]);
  if (typeof json === 'string') {
    const [[, text] = ['', ''], ...flags] = named('text', json);
    return node('string', text === '' ? [] : [text], flags.length > 0 ? [['escaped', 'true']] : []);
  }
  if (Array.isArray(json))
    return node(
      'array',
      json.map((value: unknown) => toNode(value)),
    );
  return node(
    'map',
    Object.entries(json as object).map(([name, value]: [string, unknown]) => toNode(value, name)),
  );
}

/** An attribute, and where the text needs JSON's escapes another one that says so. */
function named(name: string, text: string): (readonly [string, string])[] {
  if (!UNFIT.test(text)) return [[name, text]];
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replace(UNFIT_ALL, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [
    [name, escaped],
    [`escaped-${name}`, 'true'],
  ];
}

export function isMapRoot({ name, attributes }: TreeElement): boolean {
  const at = name.indexOf(':');
  const declared = at < 0 ? 'xmlns' : `xmlns:${name.slice(0, at)}`;
  return attributes.some(([key, value]) => key === declared && value === NAMESPACE);
}

export function mapToJson(element: TreeElement): unknown {
  const { content } = element;
  const children = content.filter((part): part is TreeElement => typeof part !== 'string');
  const text = content.filter((part) => typeof part === 'string').join('');
  switch (localName(element)) {
    case 'map': {
      const json = Object.create(null) as Record<string, unknown>;
      for (const child of children)
        json[unescapeText(attribute(child, 'key') ?? '', attribute(child, 'escaped-key'))] = mapToJson(child);
      return json;
    }
    case 'array':
      return children.map(mapToJson);
    case 'string':
      return unescapeText(text, attribute(element, 'escaped'));
    case 'number':
    case 'boolean':
      return parse(text.trim());
    case 'null':
      return null;
    default:
      throw new GarnerError('product.conversion', `<${element.name}> stands for no JSON`);
  }
}

const localName = ({ name }: TreeElement): string => name.slice(name.indexOf(':') + 1);
const attribute = ({ attributes }: TreeElement, name: string): string | undefined =>
  attributes.find(([key]) => key === name)?.[1];

function unescapeText(text: string, escaped: string | undefined): string {
  if (escaped !== 'true' && escaped !== '1') return text;
  return String(parse(`"${text.replace(/\\.|"/gs, (sign) => (sign === '"' ? '\\"' : sign))}"`));
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (cause) {
    throw new GarnerError('product.conversion', `"${text}" stands for no JSON`, { cause });
  }
}
