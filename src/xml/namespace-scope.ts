/** Namespaces in scope, for elements that are cut out of the document around them. */
import type { NamespaceDeclaration, StartTag } from './start-tag.ts';

/** By prefix. */
export type NamespaceScope = ReadonlyMap<string, NamespaceDeclaration>;

export interface ExpandedName {
  readonly namespace: string;
  readonly name: string;
}

const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';
const NOTHING = new Uint8Array();

export function expandName(tag: StartTag, scope: NamespaceScope | undefined): ExpandedName {
  const colon = tag.name.indexOf(':');
  const prefix = colon < 0 ? '' : tag.name.slice(0, colon);
  const name = tag.name.slice(colon + 1);
  if (prefix === 'xml') return { namespace: XML_NAMESPACE, name };
  const declared = tag.declarations.find((declaration) => declaration.prefix === prefix);
  return { namespace: (declared ?? scope?.get(prefix))?.namespace ?? '', name };
}

export function innerScope(
  outer: NamespaceScope | undefined,
  declarations: readonly NamespaceDeclaration[],
): NamespaceScope {
  if (outer && declarations.length === 0) return outer;
  const inner = new Map(outer);
  for (const declaration of declarations) {
    // xmlns="" takes the default namespace away: there is nothing to hand down.
    if (declaration.namespace === '') inner.delete(declaration.prefix);
    else inner.set(declaration.prefix, declaration);
  }
  return inner;
}

/** A copy of the record that declares what it inherited from the elements around it. */
export function withInheritedNamespaces(
  record: Buffer,
  tag: StartTag,
  scope: NamespaceScope | undefined,
): Uint8Array {
  let inherited = '';
  for (const [prefix, { source }] of scope ?? [])
    if (!tag.declarations.some((declaration) => declaration.prefix === prefix)) inherited += source;
  const after = 1 + tag.nameBytes.length;
  const injected = inherited === '' ? NOTHING : Buffer.from(inherited);
  const copy = new Uint8Array(record.length + injected.length);
  copy.set(record.subarray(0, after));
  copy.set(injected, after);
  copy.set(record.subarray(after), after + injected.length);
  return copy;
}
