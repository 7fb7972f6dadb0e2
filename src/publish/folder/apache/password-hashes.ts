/** The salted hashes of password files: Apache's MD5 (`$apr1$`) and SHA-crypt (`$5$`, `$6$`; Drepper 2007). */
import { createHash, hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Least significant six bits first. */
function writeBits(value: number, characters: number): string {
  let written = '';
  for (let i = 0, rest = value; i < characters; i++, rest >>= 6) written += ALPHABET[rest & 63];
  return written;
}

const byteAt = (bytes: Uint8Array, index: number): number => bytes[index] ?? 0;

/** The hash of a password with the salt of `stored`. */
export function verifyApr1(password: string, stored: string): string {
  const salt = (stored.split('$')[2] ?? '').slice(0, 8);
  const key = Buffer.from(password, 'utf8');
  const inner = hash('md5', Buffer.concat([key, Buffer.from(salt), key]), 'buffer');
  const first = createHash('md5').update(key).update(`$apr1$${salt}`);
  for (let left = key.length; left > 0; left -= 16) first.update(inner.subarray(0, Math.min(16, left)));
  for (let bits = key.length; bits > 0; bits >>= 1)
    first.update(bits & 1 ? Buffer.from([0]) : key.subarray(0, 1));
  let digest: Buffer = first.digest();
  for (let round = 0; round < 1000; round++) {
    const next = createHash('md5').update(round & 1 ? key : digest);
    if (round % 3) next.update(salt);
    if (round % 7) next.update(key);
    digest = next.update(round & 1 ? digest : key).digest();
  }
  let written = '';
  for (const [a, b, c] of [
    [0, 6, 12],
    [1, 7, 13],
    [2, 8, 14],
    [3, 9, 15],
    [4, 10, 5],
  ] as const)
    written += writeBits((byteAt(digest, a) << 16) | (byteAt(digest, b) << 8) | byteAt(digest, c), 4);
  return `$apr1$${salt}$${written}${writeBits(byteAt(digest, 11), 2)}`;
}

const MAX_ROUNDS = 200_000;
/** A few milliseconds; then others get their turn. */
const ROUNDS_AT_ONCE = 1000;

export async function verifyShaCrypt(password: string, stored: string): Promise<string> {
  const [, scheme = '', ...parts] = stored.split('$');
  const algorithm = scheme === '5' ? 'sha256' : 'sha512';
  const size = scheme === '5' ? 32 : 64;
  const given = /^rounds=(\d+)$/.exec(parts[0] ?? '')?.[1];
  const rounds = Math.min(Math.max(Number(given ?? 5000), 1000), 999_999_999);
  // A file that asks for minutes of work per try is not obeyed.
  if (rounds > MAX_ROUNDS) return '';
  const salt = Buffer.from((given === undefined ? parts[0] : parts[1]) ?? '').subarray(0, 16);
  const key = Buffer.from(password, 'utf8');
  const b = createHash(algorithm).update(key).update(salt).update(key).digest();
  const a = createHash(algorithm).update(key).update(salt).update(repeat(b, key.length));
  for (let bits = key.length; bits > 0; bits >>= 1) a.update(bits & 1 ? b : key);
  let digest: Buffer = a.digest();
  const dp = createHash(algorithm);
  for (let i = 0; i < key.length; i++) dp.update(key);
  const p = repeat(dp.digest(), key.length);
  const ds = createHash(algorithm);
  for (let i = 0; i < 16 + byteAt(digest, 0); i++) ds.update(salt);
  const s = repeat(ds.digest(), salt.length);
  for (let round = 0; round < rounds; round++) {
    if (round % ROUNDS_AT_ONCE === 0) await setImmediate();
    const next = createHash(algorithm).update(round & 1 ? p : digest);
    if (round % 3) next.update(s);
    if (round % 7) next.update(p);
    digest = next.update(round & 1 ? digest : p).digest();
  }
  return `$${scheme}$${given === undefined ? '' : `rounds=${rounds}$`}${salt.toString()}$${writeSha(digest, size)}`;
}

/** `bytes` again and again, cut to a length. */
function repeat(bytes: Buffer, length: number): Buffer {
  const repeated = Buffer.alloc(length);
  for (let at = 0; at < length; at += bytes.length)
    bytes.copy(repeated, at, 0, Math.min(bytes.length, length - at));
  return repeated;
}

/** Bytes go out three at a time, one third of the digest apart, each time starting one place further on. */
function writeSha(digest: Buffer, size: 32 | 64): string {
  const third = size === 32 ? 10 : 21;
  let written = '';
  let triple: [number, number, number] = [0, third, 2 * third];
  for (let i = 0; i < third; i++) {
    const [x, y, z] = triple;
    written += writeBits((byteAt(digest, x) << 16) | (byteAt(digest, y) << 8) | byteAt(digest, z), 4);
    triple = size === 32 ? [z + 1, x + 1, y + 1] : [y + 1, z + 1, x + 1];
  }
  return size === 32
    ? written + writeBits((byteAt(digest, 31) << 8) | byteAt(digest, 30), 3)
    : written + writeBits(byteAt(digest, 63), 2);
}
