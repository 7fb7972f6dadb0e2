/**
 * The format `http_header` of mod_oai: the headers with which a web server answers for a resource, one
 * element each. Its schema is no longer published; any element of the namespace may stand in it.
 */
import { escapeText } from '../xml/write.ts';

export type HttpHeader = readonly [name: string, value: string];

export const HTTP_HEADER = {
  prefix: 'http_header',
  namespace: 'http://www.modoai.org/OAI/2.0/http_header/',
  schema: 'http://www.modoai.org/OAI/2.0/http_header.xsd',
} as const;

const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

/** Says where the headers come from: `computed` from the file, or `live` from the web server's answer. */
export const HEADER_ORIGIN = 'X-Header-Origin';

/** About one connection (RFC 9110 §7.6.1), about one visitor, or secret: not about the resource. */
const WITHHELD = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'set-cookie',
  'set-cookie2',
  'cookie',
  'authorization',
  'www-authenticate',
  'authentication-info',
  'alt-svc',
  'nel',
  'report-to',
]);

/** Header names that can be names of elements; tokens such as `1-x` or `a*b` cannot. */
const ELEMENT_NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

/** What may be shown of an answer: names that `Connection` lists are hop-by-hop, too. */
export function presentableHeaders(headers: readonly HttpHeader[]): HttpHeader[] {
  const listed = headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(','))
    .map((name) => name.trim().toLowerCase());
  return headers.filter(([name]) => {
    const lower = name.toLowerCase();
    return !WITHHELD.has(lower) && !listed.includes(lower) && ELEMENT_NAME.test(name);
  });
}

/** One element without an XML declaration. */
export function writeHttpHeader(headers: readonly HttpHeader[]): string {
  let written =
    `<http:header xmlns:http="${HTTP_HEADER.namespace}" xmlns:xsi="${XSI}" ` +
    `xsi:schemaLocation="${HTTP_HEADER.namespace} ${HTTP_HEADER.schema}">`;
  for (const [name, value] of presentableHeaders(headers))
    written += `<http:${name}>${escapeText(value.trim())}</http:${name}>`;
  return `${written}</http:header>`;
}
