/**
 * Finds the markup in a stream of UTF-8 bytes without building anything: where each tag, comment, CDATA
 * section and instruction starts and ends. It is not a well-formedness check (the parser does that); on
 * broken input it recovers at the next `<`, so that one bad record does not swallow its neighbours.
 */
import { GarnerError } from '../core/errors.ts';

const LT = 0x3c;
const GT = 0x3e;
const SLASH = 0x2f;
const BANG = 0x21;
const COLON = 0x3a;
const QUESTION = 0x3f;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const NEWLINE = 0x0a;

const COMMENT_OPEN = Buffer.from('<!--');
const CDATA_OPEN = Buffer.from('<![CDATA[');
const DOCTYPE_OPEN = Buffer.from('<!DOCTYPE');
const START = Buffer.from('<');
const NO_BYTES = Buffer.alloc(0);

/** `other`: a `<` that starts nothing known. */
export type MarkupKind = 'start' | 'empty' | 'end' | 'comment' | 'cdata' | 'pi' | 'doctype' | 'other';

/** Sections that end with a fixed string and may be longer than what is kept in memory. */
const TERMINATORS = {
  comment: Buffer.from('-->'),
  cdata: Buffer.from(']]>'),
  pi: Buffer.from('?>'),
} as const;

type Mode = 'tag' | keyof typeof TERMINATORS;

/** libxml2's own limit for one tag is 10 MB. */
const MAX_TAG_BYTES = 10_000_000;

const isSpace = (byte: number | undefined) =>
  byte === 0x20 || byte === NEWLINE || byte === 0x09 || byte === 0x0d;
const endsName = (byte: number | undefined) => byte === GT || byte === SLASH || byte === LT || isSpace(byte);
const startsName = (byte: number) =>
  (byte >= 0x61 && byte <= 0x7a) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  byte === 0x5f ||
  byte === COLON ||
  byte >= 0x80;

/** A `<!`, looked for by its rarer half. */
function hasDeclaration(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(BANG); at >= 0; at = bytes.indexOf(BANG, at + 1))
    if (bytes[at - 1] === LT) return true;
  return false;
}

/** Whether any element has a name without a prefix. What only looks like one, in a comment, counts as well. */
export function hasUnprefixedTag(bytes: Uint8Array): boolean {
  const { length } = bytes;
  for (let at = 0; at < length; at++) {
    if (bytes[at] !== LT) continue;
    const first = bytes[at + 1];
    if (first === undefined || !startsName(first)) continue;
    for (at++; at < length && bytes[at] !== COLON; at++) if (endsName(bytes[at])) return true;
  }
  return false;
}

/** Offsets are counted from the first byte of the stream. */
export class MarkupScanner {
  /** The last markup that `next` found; `start` of a long section may no longer be in memory. */
  kind: MarkupKind = 'other';
  start = 0;
  end = 0;
  /** Bytes from this offset on stay readable by `slice`; the owner moves it. */
  keepFrom = Number.POSITIVE_INFINITY;

  #window: Buffer = NO_BYTES;
  /** What of the window is filled; a view of it. */
  #bytes: Buffer = this.#window;
  /** Offset of the window's first byte. */
  #base = 0;
  /** Index in the window of the next byte to look at, and of the markup being read. */
  #position = 0;
  #open = 0;
  #mode: Mode | 'text' = 'text';
  #quote = 0;
  #final = false;
  #line = 1;
  #counted = 0;

  /** Over bytes that are all there; they are looked at where they lie and must not change. */
  static over(bytes: Uint8Array): MarkupScanner {
    const scanner = new MarkupScanner();
    scanner.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    scanner.keepFrom = 0;
    scanner.#final = true;
    return scanner;
  }

  /** Offset after the last byte that came in. */
  get length(): number {
    return this.#base + this.#bytes.length;
  }

  /** True when the input ended inside a tag or section. */
  get truncated(): boolean {
    return this.#mode !== 'text';
  }

  push(chunk: Uint8Array): void {
    this.#drop();
    const filled = this.#bytes.length;
    const needed = filled + chunk.length;
    if (needed > this.#window.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, this.#window.length * 2));
      this.#bytes.copy(grown);
      this.#window = grown;
    } else if (this.#bytes.byteOffset !== this.#window.byteOffset) {
      this.#bytes.copy(this.#window);
    }
    this.#window.set(chunk, filled);
    this.#bytes = this.#window.subarray(0, needed);
  }

  /** No more chunks will come. */
  finish(): void {
    this.#final = true;
  }

  /** Moves to the next markup. `more`: push or finish, then call again. */
  next(): 'markup' | 'more' | 'end' {
    if (this.#mode === 'text') {
      this.#skipText();
      if (this.#position >= this.#bytes.length) return this.#final ? 'end' : 'more';
      this.#open = this.#position;
      const found = this.#classify();
      if (found === 'more') return this.#final ? this.#found('other', this.#open + 1) : 'more';
      if (found === 'doctype' || found === 'other') return this.#found(found, this.#open + 1);
      this.#mode = found;
    }
    if (this.#mode === 'tag') return this.#readTag();
    const kind = this.#mode;
    const terminator = TERMINATORS[kind];
    const at = this.#bytes.indexOf(terminator, this.#position);
    if (at >= 0) return this.#found(kind, at + terminator.length);
    this.#position = Math.max(this.#position, this.#bytes.length - terminator.length + 1);
    return this.#final ? 'end' : 'more';
  }

  /** Whether the tag found last has this qualified name. */
  isNamed(name: Uint8Array): boolean {
    const bytes = this.#bytes;
    const from = this.start - this.#base + (this.kind === 'end' ? 2 : 1);
    if (!endsName(bytes[from + name.length])) return false;
    for (let i = name.length - 1; i >= 0; i--) if (bytes[from + i] !== name[i]) return false;
    return true;
  }

  /**
   * Goes straight to the end tag of the start tag found last, if it is in memory and nothing on the way
   * could deceive: no other element of its name, no comment, no CDATA section. The next markup is then
   * that end tag; otherwise nothing happens, and everything is read in order.
   */
  skipToEndTag(name: Uint8Array): void {
    if (this.#mode !== 'text') return;
    const bytes = this.#bytes;
    const endTag = Buffer.allocUnsafe(name.length + 2);
    endTag[0] = LT;
    endTag[1] = SLASH;
    endTag.set(name, 2);
    const end = bytes.indexOf(endTag, this.#position);
    if (end < 0 || !endsName(bytes[end + endTag.length])) return;
    const between = bytes.subarray(this.#position, end);
    if (hasDeclaration(between) || between.includes(Buffer.concat([START, name]))) return;
    this.#position = end;
  }

  /** A view that holds until the next push. */
  slice(from: number, to: number): Buffer {
    return this.#bytes.subarray(from - this.#base, to - this.#base);
  }

  /** The line of an offset, from 1. Offsets must not go back. */
  lineAt(offset: number): number {
    if (offset <= this.#counted) return this.#line;
    const passed = this.#bytes.subarray(this.#counted - this.#base, offset - this.#base);
    for (let at = passed.indexOf(NEWLINE); at >= 0; at = passed.indexOf(NEWLINE, at + 1)) this.#line++;
    this.#counted = offset;
    return this.#line;
  }

  #skipText(): void {
    const bytes = this.#bytes;
    let at = this.#position;
    // Most texts are shorter than what a native search costs to start.
    const near = Math.min(at + 24, bytes.length);
    while (at < near && bytes[at] !== LT) at++;
    if (at === near && at < bytes.length) {
      at = bytes.indexOf(LT, at);
      if (at < 0) at = bytes.length;
    }
    this.#position = at;
  }

  #classify(): Mode | 'doctype' | 'other' | 'more' {
    const at = this.#open;
    const second = this.#bytes[at + 1];
    if (second === undefined) return 'more';
    if (startsName(second)) return this.#enter('tag', at + 1);
    if (second === SLASH) return this.#enter('tag', at + 2);
    if (second === QUESTION) return this.#enter('pi', at + 2);
    if (second !== BANG) return 'other';
    const comment = this.#startsWith(COMMENT_OPEN);
    if (comment === true) return this.#enter('comment', at + COMMENT_OPEN.length);
    const cdata = this.#startsWith(CDATA_OPEN);
    if (cdata === true) return this.#enter('cdata', at + CDATA_OPEN.length);
    const doctype = this.#startsWith(DOCTYPE_OPEN);
    if (doctype === true) return 'doctype';
    return comment === 'more' || cdata === 'more' || doctype === 'more' ? 'more' : 'other';
  }

  #enter(mode: Mode, position: number): Mode {
    this.#position = position;
    this.#quote = 0;
    return mode;
  }

  #startsWith(opening: Uint8Array): boolean | 'more' {
    for (let i = 0; i < opening.length; i++) {
      const byte = this.#bytes[this.#open + i];
      if (byte === undefined) return 'more';
      if (byte !== opening[i]) return false;
    }
    return true;
  }

  #readTag(): 'markup' | 'more' | 'end' {
    const bytes = this.#bytes;
    let quote = this.#quote;
    for (let at = this.#position; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === GT && quote === 0) return this.#found(this.#tagKind(at), at + 1);
      // Not allowed in a tag, not even in quotes: the tag is broken and something new begins.
      if (byte === LT) return this.#found(this.#tagKind(at), at);
      if (quote === 0 ? byte === QUOTE || byte === APOSTROPHE : byte === quote)
        quote = quote === 0 ? byte! : 0;
    }
    this.#position = bytes.length;
    this.#quote = quote;
    if (bytes.length - this.#open > MAX_TAG_BYTES)
      throw new GarnerError('xml.too-large', `a tag is larger than ${MAX_TAG_BYTES} bytes`);
    return this.#final ? 'end' : 'more';
  }

  #tagKind(closedAt: number): MarkupKind {
    if (this.#bytes[this.#open + 1] === SLASH) return 'end';
    return this.#bytes[closedAt - 1] === SLASH ? 'empty' : 'start';
  }

  #found(kind: MarkupKind, end: number): 'markup' {
    this.kind = kind;
    this.start = this.#base + this.#open;
    this.end = this.#base + end;
    this.#position = end;
    this.#mode = 'text';
    return 'markup';
  }

  /** Forgets what nobody needs: before the tag being read, or the byte to read next. */
  #drop(): void {
    const needed = this.#mode === 'tag' ? this.#open : this.#position;
    const drop = Math.min(needed, Math.max(this.keepFrom - this.#base, 0));
    if (drop === 0) return;
    this.lineAt(this.#base + drop);
    this.#bytes = this.#bytes.subarray(drop);
    this.#base += drop;
    this.#position -= drop;
    this.#open -= drop;
  }
}

/** Whether a complete UTF-8 document declares a document type, looking no further than its first tag. */
export function hasDoctype(bytes: Uint8Array): boolean {
  const document = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  for (;;) {
    at = document.indexOf(LT, at);
    if (at < 0) return false;
    const second = document[at + 1];
    const end =
      second === QUESTION
        ? TERMINATORS.pi
        : second === BANG && document[at + 2] === 0x2d
          ? TERMINATORS.comment
          : undefined;
    if (!end) return second === BANG;
    at = document.indexOf(end, at + 2);
    if (at < 0) return false;
  }
}

/** The qualified name at the start of a tag (given from its `<`). */
export function tagName(tag: Uint8Array): Uint8Array {
  const from = tag[1] === SLASH ? 2 : 1;
  let to = from;
  while (to < tag.length && !endsName(tag[to])) to++;
  return tag.subarray(from, to);
}
