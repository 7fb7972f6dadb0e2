/**
 * Cuts a JSON file into its records, byte for byte: the elements of a top-level array, of a feature or
 * item collection (`features`) or of `{ records: […] }`; the lines of newline-delimited JSON; else the
 * whole document.
 */
import { isUtf8 } from 'node:buffer';
import { GarnerError } from '../core/errors.ts';
import { type JsonSpan, type JsonTree, scanJson, skipBlank } from './json-scan.ts';

export interface JsonPiece {
  readonly bytes: Uint8Array;
  /** Where the record starts in the file, from 1. */
  readonly line: number;
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const NEWLINE = 0x0a;
const BRACKET = 0x5b;
const BRACE = 0x7b;

export function splitJson(file: Uint8Array): JsonPiece[] {
  const start = BYTE_ORDER_MARK.every((byte, index) => file[index] === byte) ? BYTE_ORDER_MARK.length : 0;
  if (!isUtf8(file)) throw new GarnerError('json.malformed', 'the file is not UTF-8');
  const first = skipBlank(file, start);
  if (first === file.length) return [];

  let document: JsonTree;
  try {
    document = scanJson(file, first);
  } catch (error) {
    const pieces = looksLineByLine(file, first) ? cutLines(file, first) : undefined;
    if (!pieces) throw error;
    return pieces;
  }
  if (skipBlank(file, document.end) < file.length) return splitLines(file, document);
  const lines = new LineCounter(file);
  const records = recordsOf(file, document) ?? [document];
  return records.map(({ start: from, end }) => ({ bytes: file.subarray(from, end), line: lines.at(from) }));
}

/** The records inside a document that is a collection. */
function recordsOf(file: Uint8Array, document: JsonTree): readonly JsonSpan[] | undefined {
  if (file[document.start] === BRACKET) return document.elements;
  const type = document.members.get('type');
  const isCollection =
    type && new TextDecoder().decode(file.subarray(type.start, type.end)) === '"FeatureCollection"';
  const list = document.members.get(isCollection ? 'features' : 'records');
  return list && file[list.start] === BRACKET ? scanJson(file, list.start).elements : undefined;
}

/** The first line is broken, but it and the next begin like records, and the next is a whole one. */
function looksLineByLine(file: Uint8Array, first: number): boolean {
  const second = skipBlank(file, endOfLine(file, first));
  if (file[first] !== BRACE || file[second] !== BRACE) return false;
  const end = endOfLine(file, second);
  try {
    return skipBlank(file.subarray(0, end), scanJson(file, second).end) === end;
  } catch (error) {
    if (error instanceof GarnerError) return false;
    throw error;
  }
}

/** Text that follows the first value on its own line is no newline-delimited file. */
function splitLines(file: Uint8Array, first: JsonSpan): JsonPiece[] {
  const lineEnd = endOfLine(file, first.end);
  const lines = new LineCounter(file);
  const extra = skipBlank(file, first.end);
  if (lines.at(first.start) !== lines.at(first.end) || extra < lineEnd)
    throw new GarnerError(
      'json.malformed',
      `line ${lines.at(extra)}: more text after the end of the document`,
      {
        details: { offset: extra, line: lines.at(extra) },
      },
    );
  return cutLines(file, first.start);
}

/** A line is a record whether or not it is good, so that a bad one spoils only itself. */
function cutLines(file: Uint8Array, first: number): JsonPiece[] {
  const pieces: JsonPiece[] = [];
  let line = new LineCounter(file).at(first);
  for (let from = first; from < file.length; line++) {
    const end = endOfLine(file, from);
    const start = skipBlank(file, from);
    if (start < end) pieces.push({ bytes: file.subarray(start, trimEnd(file, end)), line });
    from = end + 1;
  }
  return pieces;
}

function endOfLine(file: Uint8Array, from: number): number {
  const end = file.indexOf(NEWLINE, from);
  return end < 0 ? file.length : end;
}

function trimEnd(file: Uint8Array, end: number): number {
  let last = end;
  while (last > 0 && (file[last - 1] === 0x20 || file[last - 1] === 0x0d || file[last - 1] === 0x09)) last--;
  return last;
}

/** Line numbers of ascending offsets. */
class LineCounter {
  readonly #file: Uint8Array;
  #offset = 0;
  #line = 1;

  constructor(file: Uint8Array) {
    this.#file = file;
  }

  at(offset: number): number {
    for (;;) {
      const next = this.#file.indexOf(NEWLINE, this.#offset);
      if (next < 0 || next >= offset) return this.#line;
      this.#line++;
      this.#offset = next + 1;
    }
  }
}
