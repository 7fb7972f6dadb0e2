/**
 * Names as numbers, for this thread. Documents may bring names without end, so the tables have room for more
 * than honest collections have, and no more: whoever finds them full leaves the document to libxml2.
 */

/** A namespace and a local name in one number; see `expandedName`. */
export type NameId = number;

const MAX_LOCAL_NAMES = 30_000;
const MAX_NAMESPACES = 10_000;
const MAX_QUALIFIED_NAMES = 30_000;
const MAX_NAME_LENGTH = 200;
const LOCAL_BITS = 16;
const LOCAL_MASK = (1 << LOCAL_BITS) - 1;

export const NO_NAMESPACE = 0;
export const XML_NAMESPACE = 1;

class Texts {
  readonly texts: string[];
  readonly #ids: Map<string, number>;
  readonly #limit: number;

  constructor(limit: number, texts: readonly string[]) {
    this.#limit = limit;
    this.texts = [...texts];
    this.#ids = new Map(texts.map((text, id) => [text, id]));
  }

  /** -1 when there is no room for it. */
  intern(text: string): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    if (this.texts.length >= this.#limit || text.length > MAX_NAME_LENGTH) return -1;
    // Joined, so that the table does not keep the whole document from which the name was cut.
    const own = Buffer.from(text).toString();
    this.texts.push(own);
    this.#ids.set(own, this.texts.length - 1);
    return this.texts.length - 1;
  }
}

const namespaces = new Texts(MAX_NAMESPACES, ['', 'http://www.w3.org/XML/1998/namespace']);
/** Prefixes, too; the empty one is 0. */
const localNames = new Texts(MAX_LOCAL_NAMES, ['']);

export const internNamespace = (uri: string): number => namespaces.intern(uri);
export const internLocalName = (name: string): number => localNames.intern(name);
export const expandedName = (namespace: number, localName: number): NameId =>
  (namespace << LOCAL_BITS) | localName;
export const namespaceOf = (name: NameId): number => name >> LOCAL_BITS;
export const localNameOf = (name: NameId): number => name & LOCAL_MASK;
export const namespaceText = (namespace: number): string => namespaces.texts[namespace] ?? '';
export const localNameText = (localName: number): string => localNames.texts[localName] ?? '';

export interface QualifiedName {
  readonly id: number;
  readonly text: string;
  readonly prefix: number;
  readonly localName: number;
}

/** Others are for libxml2 to judge. */
const PLAIN = /^[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?$/;

const SLOTS = 1 << 16;
const slots: (QualifiedName | undefined)[] = Array.from({ length: SLOTS }, () => undefined);
let qualifiedNames = 0;

export const MAX_QUALIFIED_NAME_ID = MAX_QUALIFIED_NAMES;

/** The name that stands in a text at `from`; undefined when it is not plain, or there is no room for it. */
export function qualifiedNameAt(
  text: string,
  from: number,
  to: number,
  hash: number,
): QualifiedName | undefined {
  let slot = hash & (SLOTS - 1);
  for (let name = slots[slot]; name; name = slots[slot]) {
    if (name.text.length === to - from && text.startsWith(name.text, from)) return name;
    slot = (slot + 1) & (SLOTS - 1);
  }
  const name = qualifiedNames < MAX_QUALIFIED_NAMES ? newName(text.slice(from, to)) : undefined;
  if (name) slots[slot] = name;
  return name;
}

function newName(text: string): QualifiedName | undefined {
  if (text.length > MAX_NAME_LENGTH || !PLAIN.test(text)) return undefined;
  const colon = text.indexOf(':');
  const prefix = internLocalName(colon < 0 ? '' : text.slice(0, colon));
  const localName = internLocalName(text.slice(colon + 1));
  if (prefix < 0 || localName < 0) return undefined;
  return { id: qualifiedNames++, text: Buffer.from(text).toString(), prefix, localName };
}
