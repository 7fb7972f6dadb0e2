/** JSON-LD of a page: parsed, flattened out of lists and graphs, bounded. Nothing is fetched or expanded. */
import type { FoundLicence, JsonObject, JsonValue } from './extracted.ts';

const MAX_LENGTH = 1 << 20;
/** Deeper nesting is an attack on whoever walks over it. */
const MAX_DEPTH = 64;

export type JsonLdReading = { readonly objects: readonly JsonObject[] } | { readonly problem: string };

export function parseJsonLd(text: string): JsonLdReading {
  const json = unwrap(text);
  if (json === '') return { objects: [] };
  if (json.length > MAX_LENGTH) return { problem: `JSON-LD of ${json.length} characters was left out` };
  if (nestingOf(json) > MAX_DEPTH) return { problem: `JSON-LD is nested deeper than ${MAX_DEPTH}` };
  try {
    const value: JsonValue = JSON.parse(json);
    return { objects: flatten(value) };
  } catch (cause) {
    return { problem: `JSON-LD is malformed: ${cause instanceof Error ? cause.message : 'unknown'}` };
  }
}

/** Old templates wrap scripts in comments, or in CDATA for XHTML. */
function unwrap(text: string): string {
  const trimmed = text.trim();
  const head =
    /^(?:<!--|(?:\/\*|\/\/)?[ \t]{0,9}<!\[CDATA\[[ \t]{0,9}(?:\*\/)?)/.exec(trimmed.slice(0, 50))?.[0] ?? '';
  const tail =
    /(?:-->|(?:\/\*|\/\/)?[ \t]{0,9}\]\]>[ \t]{0,9}(?:\*\/)?)$/.exec(trimmed.slice(-50))?.[0] ?? '';
  return trimmed.slice(head.length, trimmed.length - tail.length).trim();
}

function nestingOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < json.length; at++) {
    const char = json[at];
    if (char === '"') {
      at++;
      while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
    } else if (char === '{' || char === '[') deepest = Math.max(deepest, ++depth);
    else if (char === '}' || char === ']') depth--;
  }
  return deepest;
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lists and `@graph`s hold objects that are all on the same footing. */
function flatten(value: JsonValue): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap((one: JsonValue) => flatten(one));
  if (!isObject(value)) return [];
  const graph = Object.hasOwn(value, '@graph') ? value['@graph'] : undefined;
  return Array.isArray(graph) ? graph.flatMap((one: JsonValue) => flatten(one)) : [value];
}

export function licencesOfJsonLd(object: JsonObject): FoundLicence[] {
  const licence = Object.hasOwn(object, 'license') ? object.license : undefined;
  const values: readonly (JsonValue | undefined)[] = Array.isArray(licence) ? licence : [licence];
  return values.flatMap((value): FoundLicence[] => {
    const text = isObject(value) ? (value.url ?? value['@id'] ?? value.name) : value;
    if (typeof text !== 'string' || text === '') return [];
    return [{ ...(/^https?:/i.test(text) ? { url: text } : { text }), origin: 'json-ld license' }];
  });
}
