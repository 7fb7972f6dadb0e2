/**
 * Which encoding a document is in (XML 1.0, appendix F), and its bytes as UTF-8. Everything behind this
 * file sees UTF-8 only: a transcoded document's declaration is rewritten to say so, and the transcoded
 * bytes are what is kept as the raw record.
 */
import { TextDecoder } from 'node:util';
import { GarnerError } from '../core/errors.ts';

/** The XML declaration must fit in here; it is at most a hundred bytes in practice. */
const SNIFF_BYTES = 1024;
const DECLARATION = /^<\?xml(?:\s[^>]*?)?\?>/;
const DECLARED_ENCODING = /\sencoding\s*=\s*(?:"([^"]*)"|'([^']*)')/;
/** ASCII is a part of UTF-8. */
const UTF8_LABELS = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);

interface Detected {
  /** A label of the WHATWG encoding standard, or undefined for UTF-8. */
  readonly label: string | undefined;
}

/** Undefined while the head is too short to tell. */
function detect(head: Uint8Array, complete: boolean): Detected | undefined {
  if (head.length < 4 && !complete) return undefined;
  const [a, b, c, d] = head;
  if ((a === 0xff && b === 0xfe && c === 0 && d === 0) || (a === 0 && b === 0 && c === 0xfe && d === 0xff))
    throw new GarnerError('xml.encoding', 'UTF-32 is not supported');
  if (a === 0xff && b === 0xfe) return { label: 'utf-16le' };
  if (a === 0xfe && b === 0xff) return { label: 'utf-16be' };
  if (a === 0x3c && b === 0 && c !== 0) return { label: 'utf-16le' };
  if (a === 0 && b === 0x3c) return { label: 'utf-16be' };
  if (a === 0xef && b === 0xbb && c === 0xbf) return { label: undefined };

  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, SNIFF_BYTES)).toString(
    'latin1',
  );
  if (!text.startsWith('<?xml')) {
    if ('<?xml'.startsWith(text) && !complete) return undefined;
    return { label: undefined };
  }
  const declaration = DECLARATION.exec(text)?.[0];
  if (declaration === undefined)
    return complete || text.length >= SNIFF_BYTES ? { label: undefined } : undefined;
  const declared = DECLARED_ENCODING.exec(declaration);
  const name = (declared?.[1] ?? declared?.[2] ?? 'utf-8').trim().toLowerCase();
  if (UTF8_LABELS.has(name)) return { label: undefined };
  // An ASCII-compatible document cannot be in UTF-16: a converter forgot to change the declaration.
  if (name.startsWith('utf-16') || name.startsWith('ucs-2')) return { label: 'utf-8' };
  return { label: name };
}

function newDecoder(label: string): TextDecoder {
  try {
    // `iso-8859-1` means windows-1252 there, which is also what such documents mean in practice: the
    // C1 controls between 0x80 and 0x9F are of no use in text, the curly quotes in their place are.
    return new TextDecoder(label, { fatal: true });
  } catch (cause) {
    throw new GarnerError('xml.encoding', `unknown encoding "${label}"`, { cause });
  }
}

function decode(decoder: TextDecoder, bytes: Uint8Array, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch (cause) {
    throw new GarnerError('xml.encoding', `the bytes are not valid ${decoder.encoding}`, { cause });
  }
}

/** The same text with an XML declaration that says UTF-8, if it says anything. */
export function declareUtf8(text: string): string {
  return text.replace(DECLARATION, (declaration) =>
    declaration.replace(DECLARED_ENCODING, (attribute) => attribute.replace(/(["'])[^"']*\1$/, '$1UTF-8$1')),
  );
}

/** The whole document in UTF-8; the same array when it is already. */
export function toUtf8(bytes: Uint8Array): Uint8Array {
  const label = detect(bytes, true)?.label;
  return label === undefined ? bytes : Buffer.from(declareUtf8(decode(newDecoder(label), bytes, false)));
}

/** The document in UTF-8, chunk by chunk. */
export async function* utf8Chunks(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined;
  let decoder: TextDecoder | undefined;
  let known = false;
  /** Decoded text that may still hold a part of the declaration. */
  let opening: string | undefined = '';
  const openingComplete = (text: string) =>
    text.length >= SNIFF_BYTES ||
    text.includes('?>') ||
    !('<?xml'.startsWith(text) || text.startsWith('<?xml'));

  for await (const chunk of chunks) {
    let bytes = chunk;
    if (!known) {
      bytes = head ? Buffer.concat([head, chunk]) : chunk;
      const detected = detect(bytes, false);
      if (!detected) {
        head = bytes;
        continue;
      }
      known = true;
      if (detected.label !== undefined) decoder = newDecoder(detected.label);
    }
    if (!decoder) {
      yield bytes;
      continue;
    }
    let text = decode(decoder, bytes, true);
    if (opening !== undefined) {
      opening += text;
      if (!openingComplete(opening)) continue;
      text = declareUtf8(opening);
      opening = undefined;
    }
    yield Buffer.from(text);
  }
  if (!known && head) {
    yield toUtf8(head);
  } else if (decoder) {
    const rest = (opening ?? '') + decode(decoder, new Uint8Array(), false);
    yield Buffer.from(opening === undefined ? rest : declareUtf8(rest));
  }
}
