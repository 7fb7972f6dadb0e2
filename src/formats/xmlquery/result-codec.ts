/** How results stand in XML, by their media type: as text, as packed text in base64, or as bytes in base64. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { GarnerError } from '../../core/errors.ts';

type Codec = 'text' | 'packed' | 'bytes';

const CODECS: Readonly<Record<string, Codec>> = {
  'application/vnd.jpl.large-product': 'text',
  'text/html': 'packed',
  'text/sgml': 'packed',
  'text/css': 'packed',
  'message/rfc822': 'packed',
  'message/news': 'packed',
};

const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

export function codecOf(mediaType: string): Codec {
  const plain = mediaType.replace(/;.*$/s, '').trim().toLowerCase();
  return CODECS[plain] ?? (plain.startsWith('text/') ? 'text' : 'bytes');
}

export function encodeResult(codec: 'packed' | 'bytes', content: Uint8Array): string {
  return Buffer.from(codec === 'packed' ? gzipSync(content) : content).toString('base64');
}

/** Throws `xml.invalid` for what is no base64 or does not unpack. */
export function decodeResult(codec: Codec, text: string): Buffer {
  if (codec === 'text') return Buffer.from(text);
  const base64 = text.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) throw invalid('is no base64');
  const bytes = Buffer.from(base64, 'base64');
  if (codec === 'bytes' || bytes.length === 0) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (cause) {
    throw invalid('does not unpack', cause);
  }
}

function invalid(what: string, cause?: unknown): GarnerError {
  return new GarnerError('xml.invalid', `the value of a result ${what}`, { cause });
}
