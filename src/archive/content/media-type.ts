/** Media types as they stand in a Content-Type header (RFC 9110 §8.3). */
export interface MediaType {
  /** `type/subtype` in lower case, without parameters. */
  readonly essence: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const ESSENCE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/;
/** Nobody needs more, and a header may be hostile. */
const MAX_LENGTH = 1024;

/** Undefined when there is no `type/subtype` at the start. */
export function parseMediaType(header: string | undefined): MediaType | undefined {
  if (header === undefined) return undefined;
  const text = header.slice(0, MAX_LENGTH);
  const parts = splitParameters(text);
  const essence = (parts[0] ?? '').trim().toLowerCase();
  if (!ESSENCE.test(essence)) return undefined;
  const parameters = new Map<string, string>();
  for (const part of parts.slice(1)) {
    const equals = part.indexOf('=');
    if (equals < 0) continue;
    const name = part.slice(0, equals).trim().toLowerCase();
    if (name !== '' && !parameters.has(name)) parameters.set(name, unquote(part.slice(equals + 1).trim()));
  }
  return { essence, parameters };
}

function splitParameters(text: string): string[] {
  const parts: string[] = [];
  let quoted = false;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (quoted && char === '\\') at++;
    else if (char === '"') quoted = !quoted;
    else if (char === ';' && !quoted) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

function unquote(value: string): string {
  if (!value.startsWith('"')) return value.replace(/^'(.*)'$/, '$1');
  const end = value.endsWith('"') && value.length > 1 ? -1 : undefined;
  return value.slice(1, end).replace(/\\(.)/g, '$1');
}

const SCRIPT =
  /^(?:application|text)\/(?:x-)?(?:java|ecma|live|j)script(?:1\.[0-5])?$|^text\/(?:typescript|babel)$/;

/** Written in characters. */
export const isTextualType = (essence: string): boolean =>
  essence.startsWith('text/') || /[/+](?:xml|json|yaml|javascript|n-triples|x-tex|x-bibtex)$/.test(essence);

export const isHtmlType = (essence: string): boolean => essence === 'text/html';
export const isXhtmlType = (essence: string): boolean =>
  essence === 'application/xhtml+xml' || essence === 'application/vnd.wap.xhtml+xml';
export const isXmlType = (essence: string): boolean =>
  essence === 'text/xml' || essence === 'application/xml' || essence.endsWith('+xml');
export const isCssType = (essence: string): boolean => essence === 'text/css';
export const isScriptType = (essence: string): boolean => SCRIPT.test(essence);
export const isJsonType = (essence: string): boolean =>
  essence === 'application/json' || essence === 'text/json' || essence.endsWith('+json');

/** The OAI set of a type: `image/jpeg` → `mime:image:jpeg`; characters that a set spec cannot have become dots. */
export function setOfType(mediaType: string): string {
  const [type = 'application', subtype = 'octet-stream'] = mediaType.toLowerCase().split('/');
  const clean = (part: string) => part.replace(/[^a-z0-9\-_.!~*'()]/g, '.');
  return `mime:${clean(type)}:${clean(subtype)}`;
}
