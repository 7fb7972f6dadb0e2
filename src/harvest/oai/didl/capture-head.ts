/** The HTTP header of a capture, put together again from what the DIDL tells of it. */
import { type HeaderList, headerValue } from '../../../archive/index.ts';
import { type HttpHeader, presentableHeaders } from '../../../formats/http-header.ts';
import type { FileValue } from './value-spool.ts';

export interface CaptureHead {
  readonly headers: HeaderList;
  /** What had to be changed so that header and body fit together. */
  readonly notes: readonly string[];
}

/** RFC 9110 §5.1 and §5.5: a name is a token, a value has no control characters. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/;
const CONTROLS = /[\u0000-\u001f\u007f]+/g;
const CODING_STARTS: Readonly<Record<string, Buffer>> = {
  gzip: Buffer.from([0x1f, 0x8b]),
  'x-gzip': Buffer.from([0x1f, 0x8b]),
  zstd: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
};

export function makeCaptureHead(given: readonly HttpHeader[], { size, beginning }: FileValue): CaptureHead {
  const notes: string[] = [];
  const headers: [string, string][] = [];
  for (const [name, value] of presentableHeaders(given)) {
    const lower = name.toLowerCase();
    if (!NAME.test(name) || lower === 'content-length') continue;
    if (lower === 'content-encoding' && !isCoded(value, beginning)) {
      notes.push(`Content-Encoding ${value} was left out: the content is not coded so`);
      continue;
    }
    // Header sections are bytes: what is not ASCII goes in as UTF-8.
    headers.push([name, Buffer.from(value.replace(CONTROLS, ' ').trim()).toString('latin1')]);
  }
  const length = headerValue(given, 'Content-Length')?.trim();
  if (length !== undefined && length !== String(size))
    notes.push(`Content-Length was ${JSON.stringify(length.slice(0, 40))}, the content has ${size} bytes`);
  headers.push(['Content-Length', String(size)]);
  return { headers, notes };
}

function isCoded(coding: string, beginning: Buffer): boolean {
  const start = CODING_STARTS[coding.trim().toLowerCase()];
  return start !== undefined && beginning.subarray(0, start.length).equals(start);
}

/** They tell of the moment of the answer, not of the file. */
const MOMENTARY = /^(?:date|expires|age):/;

/** Whether two say the same of the file. */
export function sameHeaders(one: HeaderList, other: HeaderList): boolean {
  const plain = (headers: HeaderList): string =>
    headers
      .map(([name, value]) => `${name.toLowerCase()}: ${value.trim()}`)
      .filter((line) => !MOMENTARY.test(line))
      .toSorted()
      .join('\n');
  return plain(one) === plain(other);
}
