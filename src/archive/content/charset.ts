/**
 * In which encoding a text is: byte order mark, then the HTTP header, then what the text says of itself,
 * then its bytes (HTML Standard §13.2.3.2; XML 1.0 appendix F). Names are those of the WHATWG Encoding
 * Standard, in lower case, as TextDecoder gives them.
 */
import { parseMediaType } from './media-type.ts';

export type TextKind = 'html' | 'xml' | 'css' | 'text';

export interface Charset {
  readonly encoding: string;
  readonly by: 'bom' | 'header' | 'declaration' | 'bytes' | 'default';
  /** A label that no decoder knows, or one that the text contradicts. */
  readonly refused?: string;
}

/** The HTML Standard looks at 1024 bytes; pages with long comments before their META are common. */
const DECLARATION_BYTES = 8192;
const FALLBACK = 'windows-1252';

export function detectCharset(bytes: Uint8Array, kind: TextKind, contentType?: string): Charset {
  const bom = bomEncoding(bytes);
  if (bom !== undefined) return { encoding: bom, by: 'bom' };
  let refused: string | undefined;
  const header = parseMediaType(contentType)?.parameters.get('charset');
  if (header !== undefined) {
    const encoding = encodingOf(header);
    if (encoding !== undefined) return { encoding, by: 'header' };
    refused = header;
  }
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return { encoding: wide, by: 'bytes', ...(refused && { refused }) };
  const label = declaredLabel(bytes, kind);
  if (label !== undefined) {
    const encoding = encodingOf(label);
    if (encoding !== undefined) return { encoding: asDeclared(encoding), by: 'declaration' };
    refused ??= label;
  }
  const notes = refused === undefined ? {} : { refused: refused.slice(0, 100) };
  if (kind === 'xml') return { encoding: 'utf-8', by: 'default', ...notes };
  const guess = guessEncoding(bytes);
  return guess === undefined
    ? { encoding: FALLBACK, by: 'default', ...notes }
    : { encoding: guess, by: 'bytes', ...notes };
}

const known = new Map<string, string | undefined>();

/** The encoding that a label means, if there is a decoder for it. */
export function encodingOf(label: string): string | undefined {
  const name = label.trim().toLowerCase();
  if (name === '' || name.length > 40) return undefined;
  if (known.has(name)) return known.get(name);
  let encoding: string | undefined;
  try {
    ({ encoding } = new TextDecoder(name));
  } catch {
    // An unknown label, or one of the encodings that the standard replaces because they are unsafe.
    encoding = undefined;
  }
  // Labels come from outside: the memory of them must not grow with every page.
  if (known.size < 1000) known.set(name, encoding);
  return encoding;
}

function bomEncoding([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  return a === 0xfe && b === 0xff ? 'utf-16be' : undefined;
}

/** UTF-16 without a mark: markup whose every other byte is zero. */
function wideEncoding([a, b, c, d]: Uint8Array): string | undefined {
  if (b === 0 && d === 0 && a !== 0 && c !== 0 && a !== undefined) return 'utf-16le';
  return a === 0 && c === 0 && b !== 0 && d !== 0 && b !== undefined && d !== undefined
    ? 'utf-16be'
    : undefined;
}

/** A declaration that could be read as ASCII is not in UTF-16, whatever it says. */
function asDeclared(encoding: string): string {
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return 'utf-8';
  return encoding === 'x-user-defined' ? FALLBACK : encoding;
}

const XML_DECLARATION = /^\s{0,20}<\?xml\s[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([^"']{1,40})["']/i;
const CSS_CHARSET = /^@charset "([^"]{1,40})";/;

function declaredLabel(bytes: Uint8Array, kind: TextKind): string | undefined {
  const head = Buffer.from(
    bytes.buffer,
    bytes.byteOffset,
    Math.min(bytes.length, DECLARATION_BYTES),
  ).toString('latin1');
  if (kind === 'css') return CSS_CHARSET.exec(head)?.[1];
  if (kind === 'text') return undefined;
  const declared = XML_DECLARATION.exec(head)?.[1];
  return kind === 'xml' ? declared : (metaLabel(head) ?? declared);
}

/** The prescan of HTML Standard §13.2.3.2: the first META with a charset, outside of comments. */
function metaLabel(head: string): string | undefined {
  for (let at = head.indexOf('<'); at >= 0; at = head.indexOf('<', at)) {
    if (head.startsWith('<!--', at)) {
      const end = head.indexOf('-->', at + 2);
      if (end < 0) return undefined;
      at = end + 3;
      continue;
    }
    const close = head.indexOf('>', at);
    const end = close < 0 ? head.length : close;
    if (/^<meta[\s/]/i.test(head.slice(at, at + 6))) {
      const label = labelInTag(head.slice(at + 5, end));
      if (label !== undefined) return label;
    }
    at = end;
  }
  return undefined;
}

const LABEL = /charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:+-]{1,40})/i;

function labelInTag(tag: string): string | undefined {
  const label = LABEL.exec(tag);
  if (!label) return undefined;
  // `charset=` inside `content` counts only with http-equiv; alone it is an attribute.
  const inContent = /content\s{0,9}=[^=]{0,200}charset/i.test(tag);
  return !inContent || /http-equiv/i.test(tag) ? label[1] : undefined;
}

const GUESS_BYTES = 1 << 20;

function guessEncoding(bytes: Uint8Array): string | undefined {
  const part = bytes.subarray(0, GUESS_BYTES);
  const text = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  if (text.includes('\x1b$B') || text.includes('\x1b$@')) return 'iso-2022-jp';
  return isUtf8(part, part.length < bytes.length) ? 'utf-8' : undefined;
}

function isUtf8(bytes: Uint8Array, cut: boolean): boolean {
  try {
    // The cut may go through a character.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut });
    return true;
  } catch {
    // Not valid UTF-8: the answer, not a failure.
    return false;
  }
}
