/**
 * Files and their addresses. An entry is the address of a file below the base URL, percent-encoded, so that
 * it is plain ASCII: it sorts the same everywhere, and any byte that a file system allows in a name can be
 * written in it.
 */

/** RFC 3986 pchar without the percent sign: what may stand in a segment as it is. */
const PLAIN = /^[A-Za-z0-9\-._~!$&'()*+,;=:@]$/;

const ENCODED: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return PLAIN.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
});

const SAFE_NAME = /^[A-Za-z0-9\-._~!$&'()*+,;=:@]+$/;

/** One name of a file or folder, as the bytes that the file system gives. */
export function encodeSegment(name: Uint8Array): string {
  let encoded = '';
  for (const byte of name) encoded += ENCODED[byte];
  return encoded;
}

export function encodeText(name: string): string {
  return SAFE_NAME.test(name) ? name : encodeSegment(Buffer.from(name, 'utf8'));
}

/** The bytes of a path below the root, for the file system. */
export function decodeEntry(entry: string): Buffer {
  const bytes = Buffer.alloc(entry.length);
  let length = 0;
  for (let i = 0; i < entry.length; i++) {
    if (entry[i] === '%') {
      bytes[length++] = Number.parseInt(entry.slice(i + 1, i + 3), 16);
      i += 2;
    } else bytes[length++] = entry.charCodeAt(i);
  }
  return bytes.subarray(0, length);
}

export function fileNameOf(entry: string): string {
  return decodeEntry(entry.slice(entry.lastIndexOf('/') + 1)).toString('utf8');
}

/** A folder's index file is found at the folder's own address. */
export function identifierOf(baseUrl: string, entry: string, isIndex: boolean): string {
  return baseUrl + (isIndex ? entry.slice(0, entry.lastIndexOf('/') + 1) : entry);
}

/** With a slash at the end: what stands before every entry. */
export function normaliseBase(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/*$/, '/')}`;
}
