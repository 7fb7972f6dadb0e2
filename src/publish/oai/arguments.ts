/** The arguments of a request, from the bytes of its query or form (application/x-www-form-urlencoded). */

export interface RawArgument {
  readonly name: string;
  /** Undefined when the bytes cannot be a text of XML: bad escapes, bad UTF-8, control characters. */
  readonly value: string | undefined;
}

const PLUS = 0x2b;
const PERCENT = 0x25;
const SPACE = 0x20;
const AMPERSAND = 0x26;
const EQUALS = 0x3d;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** XML 1.0 §2.2; half surrogate pairs cannot come out of UTF-8. */
const NOT_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** In the order of the request; a name may stand several times. */
export function parseArguments(form: Uint8Array): RawArgument[] {
  const found: RawArgument[] = [];
  for (let start = 0; start <= form.length; ) {
    let end = form.indexOf(AMPERSAND, start);
    if (end < 0) end = form.length;
    const pair = form.subarray(start, end);
    start = end + 1;
    if (pair.length === 0) continue;
    const equals = pair.indexOf(EQUALS);
    const name = decode(equals < 0 ? pair : pair.subarray(0, equals));
    found.push({ name: name ?? '', value: equals < 0 ? '' : decode(pair.subarray(equals + 1)) });
  }
  return found;
}

function decode(bytes: Uint8Array): string | undefined {
  const decoded = new Uint8Array(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    let byte = bytes[i] ?? 0;
    if (byte === PLUS) byte = SPACE;
    else if (byte === PERCENT) {
      const high = hexDigit(bytes[i + 1]);
      const low = hexDigit(bytes[i + 2]);
      if (high < 0 || low < 0) return undefined;
      byte = high * 16 + low;
      i += 2;
    }
    decoded[length++] = byte;
  }
  try {
    const text = utf8.decode(decoded.subarray(0, length));
    return NOT_XML.test(text) ? undefined : text;
  } catch {
    // Not UTF-8: the caller says so to the harvester.
    return undefined;
  }
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
