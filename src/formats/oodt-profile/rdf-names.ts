/** How the parts of a profile are called in RDF. */
import { DC_ELEMENTS } from '../../core/dublin-core.ts';

export const PROFILE_NAMESPACE = 'urn:garner:oodt-profile#';
export const DC_NAMESPACE = 'http://purl.org/dc/elements/1.1/';
export const RDF_TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';

/** Between the profile and what it describes, between it and its elements, and the number of an element. */
export const DESCRIBES = 'describes';
export const HAS_ELEMENT = 'profElement';
export const ORDER = 'order';

/** `dc:title` for Title, `prof:resClass` for what OODT added. */
export function rdfName(name: string): { prefix: 'dc' | 'prof'; local: string } {
  const local = name.toLowerCase();
  return DC_ELEMENTS.some((element) => element === local) && name !== local
    ? { prefix: 'dc', local }
    : { prefix: 'prof', local: name };
}

/** A node's address, when the identifier gives one: a URI as it is, an object identifier as `urn:oid:`. */
export function rdfAddress(identifier: string | undefined): string | undefined {
  if (identifier === undefined) return undefined;
  if (/^\d+(?:\.\d+)+$/.test(identifier)) return `urn:oid:${identifier}`;
  return /^[a-z][a-z0-9+.-]+:[^\s<>"{}|\\^`]+$/i.test(identifier) ? identifier : undefined;
}
