/**
 * Sort-friendly URI keys (SURT) of canonical URLs, equal to those that the Internet Archive's tools and pywb
 * make, so that index files go from one to the other:
 *
 * - the scheme, user name and fragment go; the host is turned round (`org,example)`), lower case, without
 *   `www.` or `www2.` in front and without the port that its scheme has by default;
 * - the path is lower case, without `.`, `..`, repeated slashes and a slash at its end;
 * - the query is lower case, its arguments sorted, known session numbers (Java, PHP, ASP, ColdFusion) gone;
 * - percent signs are undone as long as that changes something, then control characters, blanks, `#`, `%`
 *   and all bytes above ASCII are escaped once.
 *
 * So `http` and `https`, `www` and bare host, and spellings of one address share a key.
 */
import { domainToASCII } from 'node:url';

const URL_PARTS = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#.*)?$/s;
/** Those without an authority, whose name says all. */
const OPAQUE = /^(?:filedesc|warcinfo|urn|mailto|data|about|javascript):/i;
const HOST_WITH_SCHEME = /^(?:https?:\/\/)+(?=https?:\/\/)/i;

export function surtKey(url: string): string {
  // Bytes as Latin-1 letters, so that an escape is always one of them.
  let text = /^[!-~]*$/.test(url)
    ? url
    : Buffer.from(url, 'utf8')
        .toString('latin1')
        .replace(/[\t\n\r\f\v]/g, '')
        .trim();
  if (text === '') return '-';
  if (OPAQUE.test(text)) return text.replaceAll(' ', '%20');
  const dns = /^dns:(?:\/\/[^/]*\/)?([^?]*)/i.exec(text);
  if (dns) return `${reverseHost(dns[1]?.toLowerCase() ?? '')})`;
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:(?!\d)/.test(text)) text = `http://${text}`;
  const [, scheme = '', authority, path = '', query] =
    URL_PARTS.exec(text.replace(HOST_WITH_SCHEME, '')) ?? [];
  if (authority === undefined && !/^https?$/i.test(scheme)) return text.toLowerCase().replaceAll(' ', '%20');
  return writeKey(scheme.toLowerCase(), authority ?? '', path, query);
}

function writeKey(scheme: string, authority: string, rawPath: string, rawQuery: string | undefined): string {
  let hostAndPort = authority.slice(authority.lastIndexOf('@') + 1);
  let path = rawPath;
  // http:////www.example.org/
  if (hostAndPort === '' && /^https?$/.test(scheme)) {
    const [, host = '', rest = ''] = /^\/*([^/]*)(.*)$/s.exec(path) ?? [];
    hostAndPort = host;
    path = rest;
  }
  const [, rawHost = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?/.exec(hostAndPort) ?? [];
  const host = canonicalHost(rawHost);
  const isDefault = port === '' || Number(port) === DEFAULT_PORTS[scheme];
  const query = rawQuery === undefined ? '' : canonicalQuery(rawQuery);
  const hostKey = host === '' ? `${scheme}:` : `${reverseHost(host)}${isDefault ? '' : `:${Number(port)}`}`;
  return `${hostKey})${canonicalPath(path)}${query === '' ? '' : `?${query}`}`;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443 };

function canonicalHost(raw: string): string {
  const bytes = unescapeRepeatedly(raw);
  const name = /[\x80-\xff]/.test(bytes)
    ? domainToASCII(Buffer.from(bytes, 'latin1').toString('utf8')) || bytes
    : bytes;
  const host = name.replaceAll('..', '.').replace(/^\.+|\.+$/g, '');
  return escapeOnce(asAddress(host) ?? host.toLowerCase()).replace(/^www\d*\./, '');
}

/** Digits alone are an IPv4 address as one number; only its lower four bytes count. */
function asAddress(host: string): string | undefined {
  if (!/^\d+$/.test(host)) return undefined;
  const value = Number(BigInt(host) & 0xffffffffn);
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
}

const reverseHost = (host: string): string =>
  host.startsWith('[') ? host : host.split('.').reverse().join(',');

const ASPX_SESSIONS = [
  /^(.*\/)\((?:[a-z]\([0-9a-z]{24}\))+\)\/([^?]+\.aspx.*)$/is,
  /^(.*\/)\([0-9a-z]{24}\)\/([^?]+\.aspx.*)$/is,
];

function canonicalPath(raw: string): string {
  const kept: string[] = [];
  const segments = unescapeRepeatedly(raw).split('/').slice(1);
  for (const [i, segment] of segments.entries()) {
    if (segment === '.') continue;
    if (segment === '..' && kept.length > 0) kept.pop();
    else if (segment !== '' || i === segments.length - 1) kept.push(segment);
  }
  let path = escapeOnce(`/${kept.join('/')}`).toLowerCase();
  for (const pattern of ASPX_SESSIONS) path = path.replace(pattern, '$1$2');
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

const QUERY_SESSIONS = [
  /^(.*)jsessionid=[0-9a-z]{32}(?:&(.*))?$/is,
  /^(.*)phpsessid=[0-9a-z]{32}(?:&(.*))?$/is,
  /^(.*)sid=[0-9a-z]{32}(?:&(.*))?$/is,
  /^(.*)aspsessionid[a-z]{8}=[a-z]{24}(?:&(.*))?$/is,
  /^(.*)cfid=[^&]+&cftoken=[^&]+(?:&(.*))?$/is,
];

/** Without one of these none of the patterns fits. */
const SESSION_HINT = /sid=|sessionid|cfid=/i;

function canonicalQuery(raw: string): string {
  let query = escapeOnce(unescapeRepeatedly(raw));
  if (SESSION_HINT.test(query)) {
    for (const pattern of QUERY_SESSIONS)
      query = query.replace(pattern, (_, before: string, after = '') => before + after);
  }
  return query
    .toLowerCase()
    .split('&')
    .map((argument) => splitArgument(argument))
    .sort(compareArguments)
    .map(({ text }) => text)
    .join('&');
}

interface Argument {
  readonly text: string;
  readonly name: string;
  /** Undefined when there is no equals sign. */
  readonly value: string | undefined;
}

function splitArgument(text: string): Argument {
  const equals = text.indexOf('=');
  return equals < 0
    ? { text, name: text, value: undefined }
    : { text, name: text.slice(0, equals), value: text.slice(equals + 1) };
}

/** By name, then one without a value first, then by value: the order of the bytes. */
function compareArguments(a: Argument, b: Argument): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  if (a.value === b.value) return 0;
  if (a.value === undefined || b.value === undefined) return a.value === undefined ? -1 : 1;
  return a.value < b.value ? -1 : 1;
}

function unescapeRepeatedly(text: string): string {
  if (!text.includes('%')) return text;
  for (let before = text; ; ) {
    const after = before.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (after === before) return after;
    before = after;
  }
}

const escapeOnce = (text: string): string =>
  text.replace(
    /[^!"$&-~]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
