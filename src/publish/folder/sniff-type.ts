/** The media type of a file from its first bytes and its name: bytes decide between families, names within. */
import { typeByExtension } from './media-types.ts';

/** How many bytes are looked at. */
export const SNIFF_BYTES = 4096;

interface Signature {
  readonly at: number;
  /** Latin-1; `.` in it is any byte. */
  readonly bytes: string;
  readonly type: string;
}

const SIGNATURES: readonly Signature[] = [
  { at: 0, bytes: '\xff\xd8\xff', type: 'image/jpeg' },
  { at: 0, bytes: '\x89PNG\r\n\x1a\n', type: 'image/png' },
  { at: 0, bytes: 'GIF87a', type: 'image/gif' },
  { at: 0, bytes: 'GIF89a', type: 'image/gif' },
  { at: 8, bytes: 'WEBP', type: 'image/webp' },
  { at: 8, bytes: 'WAVE', type: 'audio/wav' },
  { at: 0, bytes: 'II*\0', type: 'image/tiff' },
  { at: 0, bytes: 'MM\0*', type: 'image/tiff' },
  { at: 0, bytes: 'AT&TFORM', type: 'image/vnd.djvu' },
  { at: 0, bytes: '\0\0\x01\0', type: 'image/vnd.microsoft.icon' },
  { at: 0, bytes: '\0\0\0\x0cjP  \r\n', type: 'image/jp2' },
  { at: 4, bytes: 'ftypavif', type: 'image/avif' },
  { at: 4, bytes: 'ftyphei', type: 'image/heic' },
  { at: 4, bytes: 'ftypqt  ', type: 'video/quicktime' },
  { at: 4, bytes: 'ftypM4A', type: 'audio/mp4' },
  { at: 4, bytes: 'ftyp', type: 'video/mp4' },
  { at: 0, bytes: '%PDF-', type: 'application/pdf' },
  { at: 0, bytes: '%!PS', type: 'application/postscript' },
  { at: 0, bytes: '{\\rtf', type: 'application/rtf' },
  { at: 0, bytes: '\x1f\x8b', type: 'application/gzip' },
  { at: 0, bytes: 'BZh', type: 'application/x-bzip2' },
  { at: 0, bytes: '\xfd7zXZ\0', type: 'application/x-xz' },
  { at: 0, bytes: '\x28\xb5\x2f\xfd', type: 'application/zstd' },
  { at: 0, bytes: '7z\xbc\xaf\x27\x1c', type: 'application/x-7z-compressed' },
  { at: 0, bytes: 'Rar!\x1a\x07', type: 'application/vnd.rar' },
  { at: 0, bytes: 'PK\x03\x04', type: 'application/zip' },
  { at: 257, bytes: 'ustar', type: 'application/x-tar' },
  { at: 0, bytes: 'OggS', type: 'audio/ogg' },
  { at: 0, bytes: 'fLaC', type: 'audio/flac' },
  { at: 0, bytes: 'ID3', type: 'audio/mpeg' },
  { at: 0, bytes: 'MThd', type: 'audio/midi' },
  { at: 0, bytes: '\x1a\x45\xdf\xa3', type: 'video/webm' },
  { at: 0, bytes: '\0\0\x01\xba', type: 'video/mpeg' },
  { at: 8, bytes: 'AVI ', type: 'video/x-msvideo' },
  { at: 0, bytes: 'wOFF', type: 'font/woff' },
  { at: 0, bytes: 'wOF2', type: 'font/woff2' },
  { at: 0, bytes: 'OTTO', type: 'font/otf' },
  { at: 0, bytes: '\0asm', type: 'application/wasm' },
  { at: 0, bytes: 'CDF', type: 'application/netcdf' },
  { at: 0, bytes: '\x89HDF\r\n\x1a\n', type: 'application/x-hdf5' },
  { at: 0, bytes: 'SIMPLE  =', type: 'application/fits' },
  { at: 0, bytes: 'SQLite format 3\0', type: 'application/vnd.sqlite3' },
  { at: 0, bytes: 'PAR1', type: 'application/vnd.apache.parquet' },
  { at: 0, bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', type: 'application/x-ole-storage' },
];

/** Containers whose name tells what is inside: the name wins when it is of the family. */
const FAMILIES: Readonly<Record<string, RegExp>> = {
  'application/zip': /^application\/(?:vnd\.|epub|java-archive|zip)|^application\/vnd\.google-earth\.kmz$/,
  'application/x-ole-storage': /^application\/(?:msword|vnd\.ms-)/,
  'application/gzip': /^application\/gzip$/,
  'application/x-hdf5': /^application\/(?:netcdf|x-hdf5)$/,
  'audio/ogg': /^(?:audio|video)\/ogg$/,
  'video/mp4': /^(?:video|audio)\//,
  'video/webm': /^video\/(?:webm|x-matroska)$/,
};

const HTML_START =
  /^(?:\s|<!--[\s\S]*?-->)*<(?:!doctype\s+html|html|head|body|title|script|h1|div|p|table)\b/i;
const XML_START = /^\s*<\?xml\s/;
const SVG_ROOT = /<svg[\s>]/;
const XHTML_ROOT = /<html[^>]+xmlns=["']http:\/\/www\.w3\.org\/1999\/xhtml["']/;

export interface SniffedType {
  readonly mediaType: string;
  /** `utf-8` when the bytes are text in it; undefined for anything else. */
  readonly charset?: string;
}

export function sniffType(head: Uint8Array, fileName: string): SniffedType {
  const byName = typeByExtension(fileName);
  const latin1 = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, SNIFF_BYTES)).toString(
    'latin1',
  );
  const signature = SIGNATURES.find(({ at, bytes }) => latin1.startsWith(bytes, at))?.type;
  if (signature !== undefined) {
    const family = FAMILIES[signature];
    if (byName !== undefined && family?.test(byName)) return { mediaType: byName };
    // Text formats never begin like that; a longer signature would be needed to doubt a known name.
    if (byName !== undefined && isTextual(byName) && decodeText(head) !== undefined)
      return textType(byName, head);
    return { mediaType: signature === 'application/x-ole-storage' ? 'application/octet-stream' : signature };
  }
  const text = decodeText(head);
  if (text === undefined) {
    const named = byName !== undefined && !isTextual(byName) ? byName : undefined;
    // Old pages in Latin-1 are no UTF-8, and still pages.
    if (named === undefined && byName !== undefined && !latin1.includes('\0')) return { mediaType: byName };
    return { mediaType: named ?? 'application/octet-stream' };
  }
  if (byName !== undefined && isTextual(byName)) return textType(byName, head);
  if (byName !== undefined && head.length === 0) return { mediaType: byName };
  return { mediaType: typeByText(text), charset: 'utf-8' };
}

function typeByText(text: string): string {
  if (XML_START.test(text)) {
    if (SVG_ROOT.test(text)) return 'image/svg+xml';
    return XHTML_ROOT.test(text) ? 'application/xhtml+xml' : 'application/xml';
  }
  if (/^\s*<svg[\s>]/.test(text)) return 'image/svg+xml';
  return HTML_START.test(text) ? 'text/html' : 'text/plain';
}

const isTextual = (type: string): boolean =>
  type.startsWith('text/') || /[/+](?:xml|json|yaml|javascript|n-triples|x-tex|x-bibtex)$/.test(type);

function textType(mediaType: string, head: Uint8Array): SniffedType {
  return decodeText(head) === undefined ? { mediaType } : { mediaType, charset: 'utf-8' };
}

/** Undefined when the bytes are not UTF-8, or hold control characters that no text has. */
function decodeText(head: Uint8Array): string | undefined {
  const bytes = head.subarray(0, SNIFF_BYTES);
  try {
    // A character that the cut went through is no mistake: streaming decoders wait for the rest.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, {
      stream: head.length >= SNIFF_BYTES,
    });
    return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text;
  } catch {
    // Not UTF-8.
    return undefined;
  }
}
