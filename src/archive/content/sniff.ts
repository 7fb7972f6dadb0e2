/**
 * What a capture really is: its Content-Type believed where that is reasonable, its bytes where it is not.
 * In the spirit of the WHATWG MIME Sniffing Standard, but an archive wants to know what it holds, not what
 * a browser would dare to run: a PDF labelled `text/html` is a PDF.
 */
import { typeByExtension } from './extensions.ts';
import { isTextualType, isXmlType, parseMediaType } from './media-type.ts';
import { signatureType } from './signatures.ts';

export interface SniffedType {
  /** `type/subtype`, lower case. */
  readonly type: string;
  readonly by: 'header' | 'content' | 'name' | 'default';
  /** What the header said, when it said a type. */
  readonly declared?: string;
}

/** mimesniff reads 1445 bytes; a tar header ends at 512, a zip directory of an office file within 4 KB. */
export const SNIFF_BYTES = 4096;

/** Declarations that say nothing: the defaults of careless servers. */
const SAYS_NOTHING = new Set([
  'application/octet-stream',
  'application/unknown',
  'application/x-unknown-content-type',
  'application/force-download',
  'binary/octet-stream',
  'content/unknown',
  'unknown/unknown',
  '*/*',
  'no-type',
  'text/plain',
]);

/** Container formats of which the header may know a more exact name. */
const FAMILIES: readonly (readonly [sniffed: RegExp, declared: RegExp])[] = [
  [
    /^application\/zip$/,
    /zip|vnd\.(?:openxml|oasis|google|android|ms-)|java-archive|epub|xpinstall|kmz|jar$/,
  ],
  [/^application\/x-ole-storage$/, /ms-?word|ms-?excel|ms-?powerpoint|vnd\.ms|vnd\.visio|x-ole/],
  [/^application\/gzip$/, /gzip|compress|tar|svg|warc|arc$/],
  [/^(?:video|audio)\/(?:mp4|quicktime|mpeg|3gpp|ogg|webm)$|^application\/ogg$/, /^(?:video|audio)\//],
  [/^image\/(?:tiff|x-icon|heif|jp2)$/, /^image\//],
  [/^font\//, /font/],
  [/^application\/x-tar$/, /tar/],
  [/^application\/x-hdf5$/, /hdf|netcdf/],
];

export function sniffType(bytes: Uint8Array, header?: string, url?: string): SniffedType {
  const declaredType = parseMediaType(header)?.essence;
  const declared = declaredType === undefined ? {} : { declared: declaredType };
  const head = latin1(bytes.subarray(0, SNIFF_BYTES));
  const strong = signatureType(head);
  if (strong !== undefined) {
    const refined =
      declaredType !== undefined &&
      FAMILIES.some(([ours, theirs]) => ours.test(strong) && theirs.test(declaredType));
    return refined
      ? { type: declaredType, by: 'header', ...declared }
      : { type: strong, by: 'content', ...declared };
  }
  const markup = markupType(head, bytes.length === 0);
  if (declaredType !== undefined && !SAYS_NOTHING.has(declaredType)) {
    // Error pages are served under every name; a feed or drawing under `text/xml` has a better one.
    if (markup !== undefined && (isBinaryFamily(declaredType) || betrayed(declaredType, markup)))
      return { type: markup, by: 'content', ...declared };
    return { type: declaredType, by: 'header', ...declared };
  }
  // Browsers show text/plain as it is, whatever tags it holds; only binary bytes contradict it.
  if (declaredType === 'text/plain')
    return looksBinary(bytes)
      ? { type: 'application/octet-stream', by: 'content', ...declared }
      : { type: 'text/plain', by: 'header', ...declared };
  if (markup !== undefined) return { type: markup, by: 'content', ...declared };
  const named = typeByName(url);
  if (looksBinary(bytes)) return { type: 'application/octet-stream', by: 'content', ...declared };
  if (named !== undefined) return { type: named, by: 'name', ...declared };
  return { type: 'text/plain', by: 'default', ...declared };
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

const isBinaryFamily = (type: string): boolean =>
  /^(?:image|audio|video|font)\//.test(type) && type !== 'image/svg+xml';

function betrayed(declared: string, markup: string): boolean {
  if (markup === 'text/html') return /^text\/css$|script$|json$|^application\/(?:pdf|x-shock)/.test(declared);
  return (declared === 'text/xml' || declared === 'application/xml') && isXmlType(markup);
}

const HTML_START =
  /^(?:<!doctype\s+html|<(?:html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|frameset|meta|link|center)(?:[\s>/]|$)|<!--)/i;

/** Root element and first namespace of an XML document, past its prolog. */
const XML_ROOTS: readonly (readonly [root: RegExp, type: string])[] = [
  [/^<(?:\w+:)?rss[\s>]/i, 'application/rss+xml'],
  [/^<(?:\w+:)?RDF\s[^>]*purl\.org\/rss|^<(?:\w+:)?RDF\s[^>]*netscape\.com\/rdf/i, 'application/rss+xml'],
  [/^<(?:\w+:)?RDF[\s>]/, 'application/rdf+xml'],
  [/^<(?:\w+:)?feed[\s>]/, 'application/atom+xml'],
  [/^<(?:\w+:)?svg[\s>]/, 'image/svg+xml'],
  [/^<html[\s>]/i, 'application/xhtml+xml'],
  [/^<math[\s>]/, 'application/mathml+xml'],
];

function markupType(head: string, empty: boolean): string | undefined {
  if (empty) return undefined;
  const text = asciiOf(head).trimStart();
  if (text.startsWith('<?xml')) return xmlFlavour(text) ?? 'application/xml';
  const flavour = xmlFlavour(text);
  if (flavour !== undefined && flavour !== 'application/xhtml+xml') return flavour;
  return HTML_START.test(text) ? 'text/html' : undefined;
}

/** UTF-16 and byte order marks out of the way: enough for tags. */
function asciiOf(head: string): string {
  if (head.startsWith('\xef\xbb\xbf')) return head.slice(3);
  if (head.startsWith('\xff\xfe') || head.startsWith('\xfe\xff') || /^(?:\0<|<\0)/.test(head))
    return head.replaceAll('\0', '').replace(/^(?:\xff\xfe|\xfe\xff)/, '');
  return head;
}

function xmlFlavour(text: string): string | undefined {
  const root = pastProlog(text);
  return XML_ROOTS.find(([pattern]) => pattern.test(root))?.[1];
}

function pastProlog(text: string): string {
  let at = 0;
  for (;;) {
    while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
    const end = text.startsWith('<?', at)
      ? text.indexOf('?>', at) + 1
      : text.startsWith('<!--', at)
        ? text.indexOf('-->', at) + 2
        : text.startsWith('<!', at)
          ? doctypeEnd(text, at)
          : -1;
    if (end < at + 2) return text.slice(at);
    at = end + 1;
  }
}

function doctypeEnd(text: string, from: number): number {
  const close = text.indexOf('>', from);
  const subset = text.indexOf('[', from);
  if (subset < 0 || subset > close) return close;
  const end = text.indexOf(']', subset);
  return end < 0 ? -1 : text.indexOf('>', end);
}

/** mimesniff §7.2: bytes that no text has. UTF-16 with a byte order mark is text. */
function looksBinary(bytes: Uint8Array): boolean {
  const [a, b] = bytes;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return false;
  for (const byte of bytes.subarray(0, 1445))
    if (byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f))
      return true;
  return false;
}

/** Only of types that text can have: what is no text has been told by its bytes. */
function typeByName(url: string | undefined): string | undefined {
  const type = typeByExtension((url?.split(/[?#]/, 1)[0] ?? '').slice(-20));
  return type !== undefined && isTextualType(type) ? type : undefined;
}
