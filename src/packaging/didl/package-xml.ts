/** Elements of our own namespace: what a package tells that no standard element says. */
import { type EscapeTally, escapeAttribute, escapeText } from '../../xml/write.ts';

export const PACKAGE_NAMESPACE = 'urn:garner:package';

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** Writes elements and counts characters that XML cannot hold; those become U+FFFD. */
export class PackageXml {
  readonly tally: EscapeTally = { replaced: 0 };

  /** Empty when there is no text. */
  text(name: string, text: string | number | undefined, attributes: Attributes = {}): string {
    if (text === undefined) return '';
    return `<g:${name}${this.#attributes(attributes)}>${escapeText(String(text), this.tally)}</g:${name}>`;
  }

  element(name: string, content: string, attributes: Attributes = {}): string {
    const start = `<g:${name}${this.#attributes(attributes)}`;
    return content === '' ? `${start}/>` : `${start}>${content}</g:${name}>`;
  }

  /** The outermost element, with the namespace and the number of replaced characters. */
  root(name: string, content: string, attributes: Attributes = {}): string {
    const { replaced } = this.tally;
    return this.element(name, content, {
      'xmlns:g': PACKAGE_NAMESPACE,
      ...attributes,
      replacedCharacters: replaced > 0 ? replaced : undefined,
    });
  }

  #attributes(attributes: Attributes): string {
    return Object.entries(attributes)
      .map(([name, value]) =>
        value === undefined ? '' : ` ${name}="${escapeAttribute(String(value), this.tally)}"`,
      )
      .join('');
  }
}
