/** Labelled digests of archive records: `sha1:` in base32, and whatever else other tools write. */
import { hash } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 §6, without padding. */
export function writeBase32(bytes: Uint8Array): string {
  let text = '';
  let value = 0;
  let bits = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      text += ALPHABET[(value >>> (bits - 5)) & 31];
      bits -= 5;
    }
    value &= (1 << bits) - 1;
  }
  if (bits > 0) text += ALPHABET[(value << (5 - bits)) & 31];
  return text;
}

/** By character code, both cases; 255 for what is no digit. */
const DIGIT_VALUES = new Uint8Array(128).fill(255);
for (const [value, letter] of [...ALPHABET].entries()) {
  DIGIT_VALUES[letter.charCodeAt(0)] = value;
  DIGIT_VALUES[letter.toLowerCase().charCodeAt(0)] = value;
}

function readBase32(text: string): Buffer | undefined {
  const bytes = Buffer.allocUnsafe((text.length * 5) >> 3);
  let size = 0;
  let value = 0;
  let bits = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = DIGIT_VALUES[text.charCodeAt(i)] ?? 255;
    if (digit === 255) return undefined;
    value = ((value << 5) | digit) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes[size++] = value >> bits;
    }
  }
  return bytes;
}

export type DigestAlgorithm = 'sha1' | 'sha256' | 'sha512' | 'md5';

const SIZES: Readonly<Record<DigestAlgorithm, number>> = { sha1: 20, sha256: 32, sha512: 64, md5: 16 };

const isAlgorithm = (name: string): name is DigestAlgorithm => Object.hasOwn(SIZES, name);

export interface Digest {
  readonly algorithm: DigestAlgorithm;
  /** Lower case. */
  readonly hex: string;
}

/** Base32, hex and base64 differ in length, so that no label for the encoding is needed. */
export function parseDigest(text: string): Digest | undefined {
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  const algorithm = text.slice(0, colon).trim().toLowerCase().replace('-', '');
  const value = text.slice(colon + 1).trim();
  if (!isAlgorithm(algorithm)) return undefined;
  const size = SIZES[algorithm];
  if (value.length === size * 2 && /^[0-9a-f]+$/i.test(value)) return { algorithm, hex: value.toLowerCase() };
  const bare = value.replace(/=+$/, '');
  const bytes =
    bare.length === Math.ceil((size * 8) / 5)
      ? readBase32(bare)
      : bare.length === Math.ceil((size * 8) / 6)
        ? Buffer.from(bare, 'base64')
        : undefined;
  return bytes?.length === size ? { algorithm, hex: bytes.toString('hex') } : undefined;
}

export const digestHex = (algorithm: DigestAlgorithm, bytes: Buffer): string => hash(algorithm, bytes, 'hex');

/** As CDX files and most other tools have it. */
export const sha1Base32 = (bytes: Buffer): string => writeBase32(hash('sha1', bytes, 'buffer'));

/** SHA-1 in base32, all others in hex: what other tools expect to find. */
export function writeDigest({ algorithm, hex }: Digest): string {
  return `${algorithm}:${algorithm === 'sha1' ? writeBase32(Buffer.from(hex, 'hex')) : hex}`;
}
