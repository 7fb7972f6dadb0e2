/**
 * Reads a document in one pass into a `QuickTree`, when it is surely well-formed: what is not plain
 * (instructions, names beyond ASCII, unknown references, a DOCTYPE, whatever looks wrong) is not judged
 * here but left to libxml2, which accepts it or says what is wrong with it.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { afterReference, isNameCharacter, isPlainText, isPlainValue, isSpace } from './characters.ts';
import {
  expandedName,
  internLocalName,
  internNamespace,
  MAX_QUALIFIED_NAME_ID,
  NO_NAMESPACE,
  type QualifiedName,
  qualifiedNameAt,
  XML_NAMESPACE,
} from './names.ts';
import { ATTRIBUTE, ATTRIBUTE_CODED, CDATA, DOCUMENT, ELEMENT, QuickTree, TEXT, TEXT_CODED } from './tree.ts';

/** Larger documents are rare, and libxml2 has limits of its own for them. */
const MAX_BYTES = 256 * 1024;
/** libxml2 takes 256. */
const MAX_DEPTH = 200;
const MAX_ATTRIBUTES = 64;

const TAB = 0x09;
const NEWLINE = 0x0a;
const BANG = 0x21;
const QUOTE = 0x22;
const AMPERSAND = 0x26;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;
const LT = 0x3c;
const EQUALS = 0x3d;
const GT = 0x3e;
const CLOSING_BRACKET = 0x5d;

const DECLARATION =
  /^<\?xml version=(["'])1\.0\1(?: encoding=(["'])[Uu][Tt][Ff]-8\2)?(?: standalone=(["'])(?:yes|no)\3)? ?\?>/;
/** libxml2 refuses what is no URI; these surely are, and name nothing reserved. */
const SURE_NAMESPACE =
  /^(?:https?:\/\/[A-Za-z0-9.-]+(?:\/[\w.~/-]*)?(?:\?[\w.~=/-]*)?(?:#[\w.~/-]*)?|urn:[A-Za-z0-9][\w:.-]*)$/;
const RESERVED_NAMESPACE = /^http:\/\/www\.w3\.org\/(?:XML\/1998\/namespace|2000\/xmlns\/)$/;

const XML = internLocalName('xml');
const XMLNS = internLocalName('xmlns');
const LANG = internLocalName('lang');

const NOT_SURE = -1;

class Reader {
  readonly tree = new QuickTree();
  #xml = '';
  #depth = 0;
  readonly #openNodes = new Int32Array(MAX_DEPTH);
  readonly #openNames: string[] = [];
  readonly #openBindings = new Int32Array(MAX_DEPTH);
  /** Prefixes in scope, the innermost last, and their namespaces. */
  readonly #prefixes: number[] = [];
  readonly #namespaces: number[] = [];
  /** What a qualified name meant, and in which scope; scopes are numbered in the order of their beginnings and ends. */
  readonly #meant = new Int32Array(MAX_QUALIFIED_NAME_ID);
  readonly #meantIn = new Float64Array(MAX_QUALIFIED_NAME_ID);
  #scope = 0;
  /** The name that `#readName` found. */
  #name: QualifiedName | undefined;
  /** Of the attributes of one tag, in the order of their nodes. */
  readonly #attributes: QualifiedName[] = [];

  /** Whether the document is surely well-formed; it is then in the tree. */
  read(xml: string): boolean {
    this.#xml = xml;
    this.#depth = 0;
    this.#prefixes.length = 0;
    this.#namespaces.length = 0;
    this.#scope += 1;
    const { tree } = this;
    tree.reset(xml);
    tree.add(DOCUMENT, 0, 1, 0);
    let at = xml.startsWith('<?') ? (DECLARATION.exec(xml)?.[0].length ?? NOT_SURE) : 0;
    if (at === NOT_SURE) return false;
    while (at < xml.length) {
      at = xml.charCodeAt(at) === LT ? this.#readMarkup(at) : this.#readText(at);
      if (at === NOT_SURE) return false;
    }
    tree.ends[0] = tree.count;
    return this.#depth === 0 && tree.count > 1;
  }

  #readMarkup(at: number): number {
    const xml = this.#xml;
    const second = xml.charCodeAt(at + 1);
    if (second === SLASH) return this.#readEndTag(at);
    if (second !== BANG) return this.#readStartTag(at);
    if (xml.startsWith('<!--', at)) return this.#readComment(at);
    return xml.startsWith('<![CDATA[', at) && this.#depth > 0 ? this.#readCdata(at) : NOT_SURE;
  }

  #readText(from: number): number {
    const xml = this.#xml;
    let at = from;
    let coded = false;
    for (; at < xml.length; at++) {
      const code = xml.charCodeAt(at);
      if (isPlainText(code)) continue;
      if (code === LT) break;
      if (code === AMPERSAND) {
        at = afterReference(xml, at) - 1;
        if (at < 0) return NOT_SURE;
        coded = true;
      } else if (code !== CLOSING_BRACKET || xml.startsWith(']]>', at)) return NOT_SURE;
    }
    if (this.#depth > 0) this.tree.add(coded ? TEXT_CODED : TEXT, 0, from, at);
    else for (let i = from; i < at; i++) if (!isSpace(xml.charCodeAt(i))) return NOT_SURE;
    return at;
  }

  #readComment(from: number): number {
    const close = this.#xml.indexOf('--', from + 4);
    if (close < 0 || this.#xml.charCodeAt(close + 2) !== GT) return NOT_SURE;
    if (!this.#isLegal(from + 4, close)) return NOT_SURE;
    return close + 3;
  }

  #readCdata(from: number): number {
    const start = from + 9;
    const close = this.#xml.indexOf(']]>', start);
    if (close <= start || !this.#isLegal(start, close)) return NOT_SURE;
    this.tree.add(CDATA, 0, start, close);
    return close + 3;
  }

  /** Whether XML has these characters; markup means nothing here. */
  #isLegal(from: number, to: number): boolean {
    for (let at = from; at < to; at++) {
      const code = this.#xml.charCodeAt(at);
      if (!isPlainText(code) && code !== LT && code !== AMPERSAND && code !== CLOSING_BRACKET) return false;
    }
    return true;
  }

  #readEndTag(from: number): number {
    const xml = this.#xml;
    const depth = --this.#depth;
    if (depth < 0) return NOT_SURE;
    const name = this.#openNames[depth] as string;
    if (!xml.startsWith(name, from + 2)) return NOT_SURE;
    let at = from + 2 + name.length;
    while (isSpace(xml.charCodeAt(at))) at++;
    if (xml.charCodeAt(at) !== GT) return NOT_SURE;
    this.tree.ends[this.#openNodes[depth] as number] = this.tree.count;
    this.#leaveScope(this.#openBindings[depth] as number);
    return at + 1;
  }

  #readStartTag(from: number): number {
    const xml = this.#xml;
    const { tree } = this;
    let at = this.#readName(from + 1);
    const name = this.#name;
    if (!name || (this.#depth === 0 && tree.count > 1)) return NOT_SURE;
    const bindings = this.#prefixes.length;
    const node = tree.add(ELEMENT, 0, 0, 0);
    this.#attributes.length = 0;
    let code = xml.charCodeAt(at);
    while (code !== GT && code !== SLASH) {
      if (!isSpace(code)) return NOT_SURE;
      while (isSpace(code)) code = xml.charCodeAt(++at);
      if (code === GT || code === SLASH) break;
      at = this.#readAttribute(at, bindings);
      if (at === NOT_SURE) return NOT_SURE;
      code = xml.charCodeAt(at);
    }
    if (this.#prefixes.length > bindings) this.#scope += 1;
    if (!this.#nameNodes(node, name)) return NOT_SURE;
    tree.starts[node] = tree.count;
    if (code === SLASH) {
      if (xml.charCodeAt(at + 1) !== GT) return NOT_SURE;
      tree.ends[node] = tree.count;
      this.#leaveScope(bindings);
      return at + 2;
    }
    if (this.#depth === MAX_DEPTH) return NOT_SURE;
    this.#openNodes[this.#depth] = node;
    this.#openNames[this.#depth] = name.text;
    this.#openBindings[this.#depth] = bindings;
    this.#depth += 1;
    return at + 1;
  }

  /** A declaration goes into scope, another attribute into the tree, by its qualified name for now. */
  #readAttribute(from: number, outerBindings: number): number {
    const xml = this.#xml;
    let at = this.#readName(from);
    const name = this.#name;
    if (!name) return NOT_SURE;
    while (isSpace(xml.charCodeAt(at))) at++;
    if (xml.charCodeAt(at) !== EQUALS) return NOT_SURE;
    do at++;
    while (isSpace(xml.charCodeAt(at)));
    const quote = xml.charCodeAt(at);
    if (quote !== QUOTE && quote !== APOSTROPHE) return NOT_SURE;
    const start = ++at;
    let coded = false;
    for (; ; at++) {
      const code = xml.charCodeAt(at);
      if (code === quote) break;
      if (isPlainValue(code)) continue;
      if (code === AMPERSAND) {
        at = afterReference(xml, at) - 1;
        if (at < 0) return NOT_SURE;
      } else if (code !== TAB && code !== NEWLINE) return NOT_SURE;
      coded = true;
    }
    const isDefault = name.prefix === 0 && name.localName === XMLNS;
    if (isDefault || name.prefix === XMLNS) {
      const prefix = isDefault ? 0 : name.localName;
      if (coded || !this.#declare(prefix, xml.slice(start, at), outerBindings)) return NOT_SURE;
    } else {
      this.#attributes.push(name);
      this.tree.add(coded ? ATTRIBUTE_CODED : ATTRIBUTE, 0, start, at);
    }
    return at + 1;
  }

  #readName(from: number): number {
    const xml = this.#xml;
    let at = from;
    let hash = 0;
    for (let code = xml.charCodeAt(at); isNameCharacter(code); code = xml.charCodeAt(++at))
      hash = (Math.imul(hash, 31) + code) | 0;
    this.#name = at === from ? undefined : qualifiedNameAt(xml, from, at, hash);
    return at;
  }

  #declare(prefix: number, uri: string, outerBindings: number): boolean {
    const takesAway = prefix === 0 && uri === '';
    if (!takesAway && (!SURE_NAMESPACE.test(uri) || RESERVED_NAMESPACE.test(uri))) return false;
    if (prefix === XML || prefix === XMLNS || this.#prefixes.indexOf(prefix, outerBindings) >= 0)
      return false;
    const namespace = internNamespace(uri);
    this.#prefixes.push(prefix);
    this.#namespaces.push(namespace);
    return namespace >= 0;
  }

  #leaveScope(bindings: number): void {
    if (this.#prefixes.length === bindings) return;
    this.#prefixes.length = bindings;
    this.#namespaces.length = bindings;
    this.#scope += 1;
  }

  /** Gives an element and its attributes their names; false when a prefix is unknown, or an attribute stands twice. */
  #nameNodes(element: number, name: QualifiedName): boolean {
    const { names } = this.tree;
    const attributes = this.#attributes;
    const elementName = this.#expand(name);
    if (elementName < 0 || attributes.length > MAX_ATTRIBUTES) return false;
    names[element] = elementName;
    for (let i = 0; i < attributes.length; i++) {
      const node = element + 1 + i;
      const attribute = attributes[i] as QualifiedName;
      const expanded = this.#expandAttribute(attribute);
      if (expanded < 0) return false;
      for (let other = element + 1; other < node; other++) if (names[other] === expanded) return false;
      names[node] = expanded;
    }
    return true;
  }

  #expandAttribute(name: QualifiedName): number {
    if (name.prefix === 0) return expandedName(NO_NAMESPACE, name.localName);
    if (name.prefix !== XML) return this.#expand(name);
    // libxml2 looks into the others of this prefix.
    return name.localName === LANG ? expandedName(XML_NAMESPACE, LANG) : NOT_SURE;
  }

  #expand({ id, prefix, localName }: QualifiedName): number {
    if (this.#meantIn[id] === this.#scope) return this.#meant[id] as number;
    const at = this.#prefixes.lastIndexOf(prefix);
    if (at < 0 && prefix !== 0) return NOT_SURE;
    const meant = expandedName(at < 0 ? NO_NAMESPACE : (this.#namespaces[at] as number), localName);
    this.#meant[id] = meant;
    this.#meantIn[id] = this.#scope;
    return meant;
  }
}

let idleReader: Reader | undefined;

export interface QuickRead extends Disposable {
  readonly tree: QuickTree;
}

/** Undefined when libxml2 has to judge. The tree's memory is used again after its disposal. */
export function readQuickly(bytes: Uint8Array): QuickRead | undefined {
  if (bytes.length > MAX_BYTES) return undefined;
  const xml = decode(bytes);
  if (xml === undefined) return undefined;
  const reader = idleReader ?? new Reader();
  idleReader = undefined;
  if (!reader.read(xml)) {
    idleReader = reader;
    return undefined;
  }
  return {
    tree: reader.tree,
    [Symbol.dispose]: () => {
      idleReader = reader;
    },
  };
}

/** With line ends as XML 1.0 §2.11 wants them. */
function decode(bytes: Uint8Array): string | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = isAscii(bytes)
    ? buffer.toString('latin1')
    : isUtf8(bytes)
      ? buffer.toString('utf8')
      : undefined;
  return text?.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}
