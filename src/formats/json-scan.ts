/** Where the values of a JSON text (RFC 8259) begin and end, found without building them. */
import { GarnerError } from '../core/errors.ts';

export interface JsonSpan {
  readonly start: number;
  /** One behind the last byte. */
  readonly end: number;
}

export interface JsonTree extends JsonSpan {
  /** Of an array. */
  readonly elements: readonly JsonSpan[];
  /** Of an object; of a name that stands twice, the last, as JSON.parse has it. */
  readonly members: ReadonlyMap<string, JsonSpan>;
}

/** Deeper nesting is an attack or an accident. */
const MAX_DEPTH = 512;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [COMMA, COLON] = [0x2c, 0x3a];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const isBlank = (byte: number | undefined) =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

export function skipBlank(file: Uint8Array, from: number): number {
  let offset = from;
  while (isBlank(file[offset])) offset++;
  return offset;
}

/** The value that starts at `start`, checked to its end, with the places of its direct children. */
export function scanJson(file: Uint8Array, start: number): JsonTree {
  const elements: JsonSpan[] = [];
  const members = new Map<string, JsonSpan>();
  const first = file[start];
  let end: number;
  if (first === OPEN_ARRAY)
    end = scanArray(file, start, 1, (from, to) => elements.push({ start: from, end: to }));
  else if (first === OPEN_OBJECT)
    end = scanObject(file, start, 1, (name, from, to) => members.set(name, { start: from, end: to }));
  else end = scanValue(file, start, 1);
  return { start, end, elements, members };
}

function scanValue(file: Uint8Array, start: number, depth: number): number {
  if (depth > MAX_DEPTH) fail(file, start, `nested deeper than ${MAX_DEPTH}`);
  switch (file[start]) {
    case OPEN_ARRAY:
      return scanArray(file, start, depth);
    case OPEN_OBJECT:
      return scanObject(file, start, depth);
    case QUOTE:
      return scanString(file, start);
    default:
      return scanWord(file, start);
  }
}

function scanArray(
  file: Uint8Array,
  start: number,
  depth: number,
  found?: (start: number, end: number) => void,
): number {
  let offset = skipBlank(file, start + 1);
  if (file[offset] === CLOSE_ARRAY) return offset + 1;
  for (;;) {
    const end = scanValue(file, offset, depth + 1);
    found?.(offset, end);
    offset = skipBlank(file, end);
    if (file[offset] === CLOSE_ARRAY) return offset + 1;
    if (file[offset] !== COMMA) fail(file, offset, 'expected "," or "]"');
    offset = skipBlank(file, offset + 1);
  }
}

function scanObject(
  file: Uint8Array,
  start: number,
  depth: number,
  found?: (name: string, start: number, end: number) => void,
): number {
  let offset = skipBlank(file, start + 1);
  if (file[offset] === CLOSE_OBJECT) return offset + 1;
  for (;;) {
    if (file[offset] !== QUOTE) fail(file, offset, 'expected a member name in quotes');
    const nameEnd = scanString(file, offset);
    const colon = skipBlank(file, nameEnd);
    if (file[colon] !== COLON) fail(file, colon, 'expected ":"');
    const value = skipBlank(file, colon + 1);
    const end = scanValue(file, value, depth + 1);
    if (found) found(String(JSON.parse(decode(file, offset, nameEnd))), value, end);
    offset = skipBlank(file, end);
    if (file[offset] === CLOSE_OBJECT) return offset + 1;
    if (file[offset] !== COMMA) fail(file, offset, 'expected "," or "}"');
    offset = skipBlank(file, offset + 1);
  }
}

function scanString(file: Uint8Array, start: number): number {
  for (let offset = start + 1; offset < file.length; offset++) {
    const byte = file[offset] ?? 0;
    if (byte === QUOTE) return offset + 1;
    if (byte < 0x20) fail(file, offset, 'a control character stands in a string');
    if (byte !== BACKSLASH) continue;
    const code = /^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(decode(file, offset + 1, offset + 6));
    if (!code) fail(file, offset, 'an unknown escape stands in a string');
    offset += code[0].length;
  }
  return fail(file, file.length, 'a string does not end');
}

/** A number, true, false or null. */
function scanWord(file: Uint8Array, start: number): number {
  let end = start;
  while (end < file.length && !isBlank(file[end]) && !isPunctuation(file[end])) end++;
  const word = decode(file, start, Math.min(end, start + 400));
  if (word !== 'true' && word !== 'false' && word !== 'null' && !NUMBER.test(word))
    fail(file, start, word === '' ? 'expected a value' : `"${word.slice(0, 40)}" is no value`);
  return end;
}

const isPunctuation = (byte: number | undefined) =>
  byte === COMMA ||
  byte === COLON ||
  byte === CLOSE_ARRAY ||
  byte === CLOSE_OBJECT ||
  byte === QUOTE ||
  byte === OPEN_ARRAY ||
  byte === OPEN_OBJECT;

const decoder = new TextDecoder();
const decode = (file: Uint8Array, start: number, end: number) => decoder.decode(file.subarray(start, end));

function fail(file: Uint8Array, offset: number, reason: string): never {
  let line = 1;
  let lineStart = 0;
  for (let next = file.indexOf(0x0a); next >= 0 && next < offset; next = file.indexOf(0x0a, next + 1)) {
    line++;
    lineStart = next + 1;
  }
  const column = decode(file, lineStart, offset).length + 1;
  throw new GarnerError('json.malformed', `line ${line}, column ${column}: ${reason}`, {
    details: { offset, line, column },
  });
}
