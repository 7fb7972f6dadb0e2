/** The head of an HTTP/1 answer, read leniently: the bytes are archived as they came, whatever they are. */
import type { HeaderList } from '../../archive/index.ts';
import { headerEnd, parseHeaderLines } from '../../archive/read/header-list.ts';
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
export const findHeadEnd = headerEnd;

const STATUS_LINE = /^HTTP\/(\d)(?:\.(\d))?\s+(\d{3})/i;

export function parseResponseHead(bytes: Buffer): ResponseHead {
  const text = bytes.toString('latin1');
  const lineEnd = text.indexOf('\n');
  const match = STATUS_LINE.exec(text.slice(0, lineEnd));
  if (!match) throw new GarnerError('source.answer', `this is no HTTP: ${JSON.stringify(text.slice(0, 60))}`);
  return {
    status: Number(match[3]),
    version: Number(match[1]) * 10 + Number(match[2] ?? 0),
    headers: parseHeaderLines(text.slice(lineEnd + 1)),
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
