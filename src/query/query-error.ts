/** Errors that point at a place in the query. */
import { type ErrorCode, GarnerError } from '../core/errors.ts';

export interface QueryFault {
  /** UTF-16 offset into the query. */
  readonly position: number;
  readonly expected: string;
  readonly found: string;
}

type QueryErrorCode = Extract<ErrorCode, `query.${string}`>;

/** Long queries are shown in part, with the place in sight. */
const SHOWN_BEFORE = 50;
const SHOWN_AFTER = 26;

/** The message ends with the line in question and a caret under the place. */
export function queryError(
  code: QueryErrorCode,
  message: string,
  query: string,
  fault: QueryFault,
  more: Readonly<Record<string, unknown>> = {},
): GarnerError {
  const before = query.slice(0, fault.position);
  const lineStart = before.lastIndexOf('\n') + 1;
  const lineEnd = query.indexOf('\n', fault.position);
  const line = before.split('\n').length;
  const from = Math.max(lineStart, fault.position - SHOWN_BEFORE);
  const to = Math.min(lineEnd < 0 ? query.length : lineEnd, fault.position + SHOWN_AFTER);
  const lead = from > lineStart ? '…' : '';
  // Control characters would move the caret or do worse to a terminal.
  const shown = `${lead}${query.slice(from, to)}`.replace(/[\x00-\x1f\x7f]/g, ' ');
  const caret = `${' '.repeat(lead.length + fault.position - from)}^`;
  const where = line > 1 ? `line ${line}, character` : 'character';
  const text = `${message} (${where} ${fault.position - lineStart + 1})\n  ${shown}\n  ${caret}`;
  return new GarnerError(code, text, { details: { ...more, ...fault, line } });
}

/** Gives an error of a part that knew no place its place. */
export function placeError(error: GarnerError, query: string, position: number): GarnerError {
  const { expected, found, ...more } = error.details;
  if (!isQueryCode(error.code)) return error;
  return queryError(
    error.code,
    error.message,
    query,
    { position, expected: String(expected), found: String(found) },
    more,
  );
}

function isQueryCode(code: ErrorCode): code is QueryErrorCode {
  return code.startsWith('query.');
}
