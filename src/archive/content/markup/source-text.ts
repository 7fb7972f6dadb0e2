/**
 * A decoded piece of a page (an attribute's value, a style sheet, a script) that knows where each of its
 * characters stood. Entities and characters of several bytes have no inner positions: a span that starts
 * or ends inside one is widened to all of it.
 */
import type { PageText, Span } from './page-text.ts';

export interface SourceText {
  readonly text: string;
  readonly page: PageText;
  /** Into the page's `raw`. */
  readonly start: number;
  readonly end: number;
  /** Set when the text is not simply the page from `start` to `end`. */
  readonly pieces?: readonly Piece[];
}

/** `text` is what the page says from `start` to `end`; `exact` when character by character. */
export interface Piece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly exact: boolean;
}

interface Run {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
  readonly exact: boolean;
}

/** Their `raw` is UTF-8, where ASCII bytes are never a part of something else. */
const SELF_SYNCHRONISING = /^(?:utf-8|utf-16[lb]e|iso-2022-jp)$/;

const runTables = new WeakMap<SourceText, readonly Run[]>();

/** The bytes of the file that hold the characters `from` to `to`. */
export function spanOf(source: SourceText, from = 0, to = source.text.length): Span {
  const start = rawIndex(source, from, 'start');
  const end = Math.max(start, rawIndex(source, to, 'end'));
  const at = source.page.offsetOf(start);
  return { at, length: source.page.offsetOf(end) - at };
}

/** The same characters as `raw` has them. */
export function rawOf(source: SourceText, from: number, to: number): string {
  return source.page.raw.slice(rawIndex(source, from, 'start'), rawIndex(source, to, 'end'));
}

function rawIndex(source: SourceText, index: number, side: 'start' | 'end'): number {
  if (index <= 0) return source.start;
  if (index >= source.text.length) return source.end;
  let runs = runTables.get(source);
  if (!runs) {
    runs = listRuns(source);
    runTables.set(source, runs);
  }
  // A start belongs to the run that begins there, an end to the run that ends there.
  const wanted = side === 'start' ? index : index - 1;
  let low = 0;
  let high = runs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((runs[middle]?.from ?? 0) <= wanted) low = middle;
    else high = middle - 1;
  }
  const run = runs[low];
  if (!run) return source.start;
  if (run.exact) return run.start + index - run.from;
  return side === 'start' ? run.start : run.end;
}

function listRuns(source: SourceText): Run[] {
  const { page } = source;
  const pieces = source.pieces ?? [{ text: source.text, start: source.start, end: source.end, exact: false }];
  const runs: Run[] = [];
  let from = 0;
  for (const piece of pieces) {
    const to = from + piece.text.length;
    if (piece.exact || piece.text.length === piece.end - piece.start)
      // As many characters as bytes: one byte each, in every encoding that is read in place.
      runs.push({ from, to, start: piece.start, end: piece.end, exact: true });
    else if (SELF_SYNCHRONISING.test(page.encoding)) addRuns(runs, piece, page.raw, from);
    else if (!addEastAsianRuns(runs, piece, page, from))
      runs.push({ from, to, start: piece.start, end: piece.end, exact: false });
    from = to;
  }
  return runs;
}

/** Runs of ASCII and of everything else; both sides have the same ones, in the same order. */
function addRuns(runs: Run[], piece: Piece, raw: string, offset: number): void {
  const ascii = /[\0-\x7f]+|[^\0-\x7f]+/g;
  const rawAscii = /[\0-\x7f]+|[^\0-\x7f]+/g;
  const bytes = raw.slice(piece.start, piece.end);
  for (const match of piece.text.matchAll(ascii)) {
    const other = rawAscii.exec(bytes);
    const start = piece.start + (other?.index ?? bytes.length);
    runs.push({
      from: offset + match.index,
      to: offset + match.index + match[0].length,
      start,
      end: start + (other?.[0].length ?? 0),
      exact: match[0].charCodeAt(0) < 0x80,
    });
  }
}

const LEAD = 0x80;

/** Bytes of one character, by its first two bytes (Encoding Standard §§10–14). */
function sizeOf(encoding: string, lead: number, trail: number): number {
  if (lead < LEAD) return 1;
  if (encoding === 'shift_jis') return lead === LEAD || (lead >= 0xa1 && lead <= 0xdf) ? 1 : 2;
  if (encoding === 'euc-jp') return lead === 0x8f ? 3 : 2;
  if (encoding.startsWith('gb')) return lead === LEAD ? 1 : trail >= 0x30 && trail <= 0x39 ? 4 : 2;
  return 2;
}

/** Walks over bytes and characters together. False, with nothing added, when they lose each other on bad bytes. */
function addEastAsianRuns(runs: Run[], piece: Piece, { raw, encoding }: PageText, offset: number): boolean {
  const before = runs.length;
  let at = piece.start;
  let char = 0;
  while (at < piece.end && char < piece.text.length) {
    const [fromByte, fromChar] = [at, char];
    const exact = raw.charCodeAt(at) < LEAD;
    while (at < piece.end && char < piece.text.length && raw.charCodeAt(at) < LEAD === exact) {
      if (exact && raw.charCodeAt(at) !== piece.text.charCodeAt(char)) break;
      at += sizeOf(encoding, raw.charCodeAt(at), raw.charCodeAt(at + 1));
      char += (piece.text.codePointAt(char) ?? 0) > 0xffff ? 2 : 1;
    }
    if (char === fromChar) break;
    runs.push({ from: offset + fromChar, to: offset + char, start: fromByte, end: at, exact });
  }
  if (at === piece.end && char === piece.text.length) return true;
  runs.length = before;
  return false;
}

/** A part of a text that says something else than it reads: with escapes of CSS or JavaScript resolved. */
export function rereadPart(source: SourceText, from: number, to: number, text: string): SourceText {
  const start = rawIndex(source, from, 'start');
  const end = Math.max(start, rawIndex(source, to, 'end'));
  return { text, page: source.page, start, end, pieces: [{ text, start, end, exact: false }] };
}

/** The page, or a part of its `raw`, as one text. */
export function sourceOf(page: PageText, start = 0, end = page.raw.length): SourceText {
  return { text: page.decode(start, end), page, start, end };
}

/** Texts that follow each other, with only markup between, as one. */
export function joinPieces(page: PageText, pieces: readonly Piece[]): SourceText | undefined {
  const first = pieces[0];
  const last = pieces.at(-1);
  if (!first || !last) return undefined;
  if (pieces.length === 1) return { text: first.text, page, start: first.start, end: first.end };
  return {
    text: pieces.map(({ text }) => text).join(''),
    page,
    start: first.start,
    end: last.end,
    pieces,
  };
}
