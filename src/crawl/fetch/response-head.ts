/** The head of an HTTP/1 answer, read leniently: the bytes are archived as they came, whatever they are. */
import type { HeaderList } from '../../archive/index.ts';
import { GarnerError } from '../../core/errors.ts';

export interface ResponseHead {
  readonly status: number;
  /** 10 or 11. */
  readonly version: number;
  readonly headers: HeaderList;
  /** As received, with the empty line. */
  readonly bytes: Buffer;
}

/** Where the body begins, or -1. Servers of all ages end lines with CR LF or with LF alone. */
export function findHeadEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0x0a, from); at >= 0; at = bytes.indexOf(0x0a, at + 1)) {
    if (bytes[at + 1] === 0x0a) return at + 2;
    if (bytes[at + 1] === 0x0d && bytes[at + 2] === 0x0a) return at + 3;
  }
  return -1;
}

const STATUS_LINE = /^HTTP\/(\d)(?:\.(\d))?\s+(\d{3})/i;

export function parseResponseHead(bytes: Buffer): ResponseHead {
  const lines = bytes.toString('latin1').split(/\r?\n/);
  const match = STATUS_LINE.exec(lines[0] ?? '');
  if (!match)
    throw new GarnerError('source.answer', `this is no HTTP: ${JSON.stringify(lines[0]?.slice(0, 60))}`);
  const headers: [string, string][] = [];
  for (const line of lines.slice(1)) {
    if (line === '') break;
    const last = headers.at(-1);
    // RFC 9112 §5.2: obsolete folding.
    if (/^[ \t]/.test(line) && last) last[1] += ` ${line.trim()}`;
    else {
      const colon = line.indexOf(':');
      if (colon > 0) headers.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()]);
    }
  }
  return {
    status: Number(match[3]),
    version: Number(match[1]) * 10 + Number(match[2] ?? 0),
    headers,
    bytes,
  };
}

/**
 * The transfer coding is undone before a body is stored. Its header stays readable under another name, so
 * that no reader takes the stored body for chunked.
 */
export function withoutTransferCoding(head: Buffer): Buffer {
  return Buffer.from(
    head.toString('latin1').replace(/^(transfer-encoding)(?=[ \t]*:)/gim, 'X-Orig-$1'),
    'latin1',
  );
}
