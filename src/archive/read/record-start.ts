/** How the beginning of a record looks: to know formats, to check lengths, and to find the way back after damage. */

export type RecordForm = 'warc' | 'arc';

/** So much of a record's beginning decides; an ARC line holds a URL. */
export const START_BYTES = 8192;

/**
 * An ARC URL-record line: URL (which may hold spaces), IP address, date, and the rest. The version block's
 * line (`filedesc://…`) is one of them.
 */
const ARC_LINE =
  /^([A-Za-z][A-Za-z0-9+.-]*:[^\n]*?) (\d{1,3}(?:\.\d{1,3}){3}|[\dA-Fa-f]*:[\dA-Fa-f:.]+|-|unknown) (\d{8,20}) ([^\n]*)\r?$/;

export interface ArcLineParts {
  readonly url: string;
  readonly address: string;
  readonly date: string;
  readonly rest: readonly string[];
}

export function splitArcLine(line: string): ArcLineParts | undefined {
  const match = ARC_LINE.exec(line);
  if (!match) return undefined;
  const [, url = '', address = '', date = '', rest = ''] = match;
  const fields = rest.trimEnd().split(' ');
  return fields.length < 2 ? undefined : { url, address, date, rest: fields };
}

const WARC = Buffer.from('WARC/');
const NEWLINE = 0x0a;

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** What begins at that place, if a record does. A line that is cut off by the end of the bytes is none. */
export function formAt(bytes: Buffer, at = 0): RecordForm | undefined {
  const byte = bytes[at];
  if (byte === undefined) return undefined;
  if (byte === WARC[0] && bytes.length - at > 5 && bytes.compare(WARC, 0, 5, at, at + 5) === 0) {
    if (isDigit(bytes[at + 5])) return 'warc';
  }
  const isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
  if (!isLetter) return undefined;
  const end = bytes.indexOf(NEWLINE, at);
  if (end < 0 || end - at > START_BYTES) return undefined;
  return splitArcLine(bytes.toString('latin1', at, end)) ? 'arc' : undefined;
}

export interface FoundStart {
  /** Of the record. */
  readonly at: number;
  /** Of the newlines that part it from what stands before: there a block ends. */
  readonly blockEnd: number;
}

/** The next record that begins on a line of its own, or with the bytes themselves, from `from` on. */
export function findStart(bytes: Buffer, from: number, form: RecordForm): FoundStart | undefined {
  if (form === 'arc') return findArcStart(bytes, from);
  for (let at = bytes.indexOf(WARC, from); at >= 0; at = bytes.indexOf(WARC, at + 1)) {
    if (isDigit(bytes[at + 5]) && (at === 0 || bytes[at - 1] === NEWLINE)) {
      return { at, blockEnd: newlinesBefore(bytes, at, 2) };
    }
  }
  return undefined;
}

function findArcStart(bytes: Buffer, from: number): FoundStart | undefined {
  if (from === 0 && formAt(bytes) === 'arc') return { at: 0, blockEnd: 0 };
  for (let at = bytes.indexOf(NEWLINE, from); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
    if (formAt(bytes, at + 1) === 'arc') return { at: at + 1, blockEnd: newlinesBefore(bytes, at + 1, 1) };
  }
  return undefined;
}

/** Steps back over at most `count` line ends, CR LF or LF. */
export function newlinesBefore(bytes: Buffer, at: number, count: number): number {
  let end = at;
  for (let i = 0; i < count && end > 0 && bytes[end - 1] === NEWLINE; i++) {
    end -= end > 1 && bytes[end - 2] === 0x0d ? 2 : 1;
  }
  return end;
}
