/** The head of a record: a WARC header, or an ARC URL-record line. */
import type { Instant } from '../../core/model.ts';
import { type HeaderList, headerValue, parseHeaderLines } from './header-list.ts';
import type { RecordForm } from './record-start.ts';
import { splitArcLine } from './record-start.ts';

export interface RecordHead {
  readonly format: RecordForm;
  /** `1.0`, `1.1`, `0.17` of a WARC; `1` or `2` (by the number of its fields) of an ARC record. */
  readonly version: string;
  /** WARC-Type in lower case; of an ARC, `filedesc` for the version block and `response` for all others. */
  readonly type: string;
  readonly headers: HeaderList;
  readonly targetUri: string | undefined;
  readonly at: Instant | undefined;
  /** Absent when missing or no number. */
  readonly contentLength: number | undefined;
}

export function parseWarcHead(text: string): RecordHead {
  const lineEnd = text.indexOf('\n');
  const version = /^WARC\/\s*(\S+)/.exec(text)?.[1] ?? '';
  const headers = parseHeaderLines(lineEnd < 0 ? '' : text.slice(lineEnd + 1));
  return {
    format: 'warc',
    version,
    type: headerValue(headers, 'WARC-Type')?.toLowerCase() ?? '',
    headers,
    targetUri: unwrapUri(headerValue(headers, 'WARC-Target-URI')),
    at: parseArchiveDate(headerValue(headers, 'WARC-Date')),
    contentLength: parseLength(headerValue(headers, 'Content-Length')),
  };
}

const ARC_V1_FIELDS = ['URL', 'IP-address', 'Archive-date', 'Content-type', 'Archive-length'];
const ARC_V2_FIELDS = [
  'URL',
  'IP-address',
  'Archive-date',
  'Content-type',
  'Result-code',
  'Checksum',
  'Location',
  'Offset',
  'Filename',
  'Archive-length',
];

/** The names are those of the version block's field line. Undefined when the line is no ARC line. */
export function parseArcHead(line: string): RecordHead | undefined {
  const parts = splitArcLine(line);
  if (!parts) return undefined;
  const { rest } = parts;
  const second = rest.length >= 7;
  const names = second ? ARC_V2_FIELDS : ARC_V1_FIELDS;
  // A media type may hold blanks, the fields after it do not.
  const tail = rest.slice(rest.length - (names.length - 4));
  const mediaType = rest.slice(0, rest.length - tail.length).join(' ');
  const values = [parts.url, parts.address, parts.date, mediaType, ...tail];
  return {
    format: 'arc',
    version: second ? '2' : '1',
    type: parts.url.startsWith('filedesc:') ? 'filedesc' : 'response',
    headers: names.map((name, i) => [name, values[i] ?? '']),
    targetUri: parts.url,
    at: parseArchiveDate(parts.date),
    contentLength: parseLength(tail.at(-1)),
  };
}

/** Some writers (wget 1.14 to 1.19) put the URI into angle brackets. */
function unwrapUri(uri: string | undefined): string | undefined {
  return uri?.startsWith('<') && uri.endsWith('>') ? uri.slice(1, -1) : uri;
}

function parseLength(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

const DIGITS = /^(\d{4})(\d{2})(\d{2})(\d{2})?(\d{2})?(\d{2})?\d*$/;

/** W3C date-time (WARC), or the digits of an ARC or CDX date, of which those after the seconds are ignored. */
export function parseArchiveDate(text: string | undefined): Instant | undefined {
  if (text === undefined) return undefined;
  const match = DIGITS.exec(text);
  if (!match) {
    const at = /^\d{4}(-|$)/.test(text) ? Date.parse(text) : Number.NaN;
    return Number.isNaN(at) ? undefined : at;
  }
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00'] = match;
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at) ? undefined : at;
}
