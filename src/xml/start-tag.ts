/** Names and namespaces in a start tag, read without a parser. */
import { tagName } from './scan.ts';

export interface NamespaceDeclaration {
  /** Empty for the default namespace. */
  readonly prefix: string;
  readonly namespace: string;
  /** The attribute as it was written, with a space before it. */
  readonly source: string;
}

export interface StartTag {
  /** The qualified name, as bytes and as text. */
  readonly nameBytes: Uint8Array;
  readonly name: string;
  readonly declarations: readonly NamespaceDeclaration[];
}

const ATTRIBUTE = /\s+([^\s=>/]+)\s*=\s*("[^"]*"|'[^']*')/gy;
const REFERENCE = /&(?:#x([0-9a-fA-F]+)|#([0-9]+)|(amp|lt|gt|quot|apos));/g;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Character and predefined references; others stay as they are (there is no DOCTYPE to define them). */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** `tag` from its `<` to its `>`. */
export function parseStartTag(tag: Buffer): StartTag {
  const nameBytes = new Uint8Array(tagName(tag));
  const name = Buffer.from(nameBytes).toString();
  if (!tag.includes('xmlns')) return { nameBytes, name, declarations: [] };
  const text = tag.toString();
  const declarations: NamespaceDeclaration[] = [];
  ATTRIBUTE.lastIndex = 1 + name.length;
  for (let match = ATTRIBUTE.exec(text); match; match = ATTRIBUTE.exec(text)) {
    const [, attribute = '', quoted = ''] = match;
    if (attribute !== 'xmlns' && !attribute.startsWith('xmlns:')) continue;
    declarations.push({
      prefix: attribute.slice(6),
      namespace: decodeReferences(quoted.slice(1, -1)),
      source: ` ${attribute}=${quoted}`,
    });
  }
  return { nameBytes, name, declarations };
}
