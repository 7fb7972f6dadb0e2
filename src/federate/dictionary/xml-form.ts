/** A dictionary as XML, in a form of ours that is read strictly: every element in its group and order. */
import { nearestNames } from '../../core/nearest.ts';
import { compilePath, parseXml, type XmlDocument, type XmlNode } from '../../xml/engine.ts';
import { escapeAttribute, rawXml, xml } from '../../xml/write.ts';
import {
  ATTRIBUTE_GROUPS,
  ATTRIBUTES,
  type Attribute,
  type AttributeEntry,
  attributeEntries,
  attributeValue,
} from './attributes.ts';
import type { DataElement } from './data-element.ts';
import { type DataDictionary, invalidDictionary, readDictionary } from './dictionary.ts';

const NAMESPACE = 'urn:garner:data-dictionary';

export function writeXmlDictionary({ identifier, title, elements }: DataDictionary): string {
  return xml`<?xml version="1.0" encoding="UTF-8"?>
<dataDictionary xmlns="${NAMESPACE}" identifier="${identifier}" title="${title}">
${rawXml(elements.map(writeElement))}</dataDictionary>
`;
}

function writeElement(element: DataElement): string {
  const groups = ATTRIBUTE_GROUPS.flatMap((group) => {
    const written = ATTRIBUTES.filter((attribute) => attribute.group === group).flatMap((attribute) =>
      attributeEntries(element, attribute).map((entry) => writeEntry(attribute, entry)),
    );
    return written.length === 0 ? [] : [`    <${group}>\n`, ...written, `    </${group}>\n`];
  });
  return `  <dataElement>\n${groups.join('')}  </dataElement>\n`;
}

function writeEntry({ tag, pair }: Attribute, { text, beside }: AttributeEntry): string {
  const attribute = beside === undefined ? '' : ` ${pair?.[1]}="${escapeAttribute(beside)}"`;
  return xml`      <${rawXml(tag, attribute)}>${text}</${rawXml(tag)}>\n`;
}

const CHILDREN = compilePath('*');
const ATTRIBUTE_NODES = compilePath('@*');
const OWN_TEXT = compilePath('text()[normalize-space() != ""]');

/** Throws `dictionary.invalid` with lines, or what `parseXml` throws. */
export function readXmlDictionary(bytes: Uint8Array): DataDictionary {
  using document = parseXml(bytes);
  const reader = new FormReader(document);
  const value = reader.read();
  if (reader.mistakes.length > 0)
    throw invalidDictionary(
      reader.mistakes
        .toSorted((a, b) => a.line - b.line)
        .map(({ line, message }) => ({ message, place: `line ${line}` })),
    );
  return readDictionary(value, ([, index]) =>
    typeof index === 'number' ? `line ${reader.lines[index] ?? 1}` : undefined,
  );
}

/** Collects all mistakes of form before anything is judged by its content. */
class FormReader {
  readonly mistakes: { readonly line: number; readonly message: string }[] = [];
  /** Of the data elements, in order. */
  readonly lines: number[] = [];
  readonly #document: XmlDocument;

  constructor(document: XmlDocument) {
    this.#document = document;
  }

  read(): unknown {
    const { root } = this.#document;
    if (root.localName !== 'dataDictionary' || root.namespace !== NAMESPACE) {
      this.#refuse(root, `expected dataDictionary in the namespace ${NAMESPACE}`);
      return undefined;
    }
    const elements = this.#children(root, ['dataElement']).map((element) => {
      this.lines.push(element.line);
      return this.#readElement(element);
    });
    return { ...this.#attributes(root, ['identifier', 'title']), elements };
  }

  #readElement(element: XmlNode): Record<string, unknown> {
    const value: Record<string, unknown> = {};
    this.#attributes(element, []);
    for (const group of this.#children(element, ATTRIBUTE_GROUPS, 'once')) {
      const attributes = ATTRIBUTES.filter((attribute) => attribute.group === group.localName);
      const tags = attributes.map(({ tag }) => tag);
      this.#attributes(group, []);
      const nodes = this.#children(group, tags, 'in order');
      for (const attribute of attributes) {
        const found = nodes.filter(({ localName }) => localName === attribute.tag);
        if (found.length === 0) continue;
        const isSingle = attribute.form === 'text' || attribute.form === 'count';
        if (isSingle && found[1]) this.#refuse(found[1], 'stands twice');
        value[attribute.key] = attributeValue(
          attribute,
          found.map((node) => this.#readEntry(node, attribute)),
        );
      }
    }
    return value;
  }

  #readEntry(node: XmlNode, { pair }: Attribute): AttributeEntry {
    for (const child of this.#document.select(CHILDREN, node)) this.#refuse(child, 'may not stand here');
    const beside = this.#attributes(node, pair ? [pair[1]] : [])[pair?.[1] ?? ''];
    return { text: node.text, ...(beside !== undefined && { beside }) };
  }

  #children(
    parent: XmlNode,
    expected: readonly string[],
    order: 'any' | 'in order' | 'once' = 'any',
  ): XmlNode[] {
    const [stray] = this.#document.select(OWN_TEXT, parent);
    if (stray) this.#refuse(parent, `has text: "${stray.text.slice(0, 40)}"`);
    let last = -1;
    return this.#document.select(CHILDREN, parent).filter((child) => {
      const place = child.namespace === NAMESPACE ? expected.indexOf(child.localName) : -1;
      if (place < 0) {
        const near = nearestNames(child.localName, expected);
        this.#refuse(child, `expected ${(near.length > 0 ? near : expected).join(' or ')}`);
        return false;
      }
      if (order !== 'any' && (place < last || (order === 'once' && place === last)))
        this.#refuse(child, `may not stand after ${expected[last]}`);
      last = Math.max(last, place);
      return true;
    });
  }

  #attributes(node: XmlNode, expected: readonly string[]): Record<string, string> {
    const found: Record<string, string> = {};
    for (const attribute of this.#document.select(ATTRIBUTE_NODES, node))
      if (attribute.namespace === '' && expected.includes(attribute.localName))
        found[attribute.localName] = attribute.text;
      else this.#refuse(node, `has no attribute ${attribute.localName}`);
    return found;
  }

  #refuse(node: XmlNode, message: string): void {
    this.mistakes.push({ message: `${node.localName}: ${message}`, line: node.line });
  }
}
