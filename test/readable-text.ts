/** For tests: all that can be read in an answer, whatever it is packed in: gzip, zip, base64, one in the other. */
import { gunzipSync, inflateRawSync } from 'node:zlib';

const MAX_DEPTH = 4;
/** From here on base64 is no word. */
const BASE64 = /[A-Za-z0-9+/]{24,}={0,2}/g;
const LOCAL_HEADER = Buffer.from('PK\u0003\u0004');
const CENTRAL_HEADER = Buffer.from('PK\u0001\u0002');

export function readableText(bytes: Uint8Array, depth = 0): string {
  const buffer = Buffer.from(bytes);
  const text = buffer.toString('utf8');
  if (depth >= MAX_DEPTH) return text;
  const parts = [text];
  if (buffer[0] === 0x1f && buffer[1] === 0x8b) parts.push(readableText(gunzipSync(buffer), depth + 1));
  else if (buffer.subarray(0, 4).equals(LOCAL_HEADER))
    for (const entry of entriesOf(buffer)) parts.push(readableText(entry, depth + 1));
  else
    for (const [packed] of text.matchAll(BASE64)) {
      const inner = Buffer.from(packed, 'base64');
      if (inner[0] === 0x1f && inner[1] === 0x8b) parts.push(readableText(inner, depth + 1));
      else parts.push(inner.toString('utf8'));
    }
  return parts.join('\n');
}

/** By the directory at the end: sizes before the content may be left out. */
function* entriesOf(zip: Buffer): Generator<Uint8Array> {
  for (let at = zip.indexOf(CENTRAL_HEADER); at >= 0; at = zip.indexOf(CENTRAL_HEADER, at + 4)) {
    const method = zip.readUInt16LE(at + 10);
    const size = zip.readUInt32LE(at + 20);
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const packed = zip.subarray(start, start + size);
    yield method === 0 ? packed : inflateRawSync(packed);
  }
}
