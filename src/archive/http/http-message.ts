/** The HTTP message in a record's block, read leniently: crawlers stored whatever servers sent. */
import { type HeaderList, headerEnd, parseHeaderLines } from '../read/header-list.ts';

export interface HttpMessage {
  readonly startLine: string;
  /** `1.1`; absent when the start line says none. */
  readonly version?: string;
  /** Of a response. */
  readonly status?: number;
  readonly reason?: string;
  /** Of a request. */
  readonly method?: string;
  readonly target?: string;
  /** In their order, repeated ones (Set-Cookie) each on its own; bytes as Latin-1. */
  readonly headers: HeaderList;
  /** Where in the block the body begins. */
  readonly bodyOffset: number;
  /** The block ends inside the header. */
  readonly incomplete: boolean;
}

const STATUS_LINE = /^(?:HTTP\/(\d+(?:\.\d+)?)|ICY)\s+(\d{3})(?:\s+(.*?))?\s*$/i;
const REQUEST_LINE = /^([A-Z][A-Z0-9_-]*)\s+(\S.*?)(?:\s+HTTP\/(\d+(?:\.\d+)?))?\s*$/;

/** A longer header is taken for a body without one. */
const HEADER_LIMIT = 1 << 20;

/** Undefined when the block does not begin like a message (HTTP/0.9 answers have no header). */
export function parseHttpMessage(block: Buffer): HttpMessage | undefined {
  const lineEnd = block.indexOf(0x0a);
  const startLine = block.toString('latin1', 0, lineEnd < 0 ? block.length : lineEnd).trimEnd();
  const status = STATUS_LINE.exec(startLine);
  const request = status ? null : REQUEST_LINE.exec(startLine);
  if (!status && !request) return undefined;
  const head = block.subarray(0, HEADER_LIMIT);
  const end = lineEnd < 0 ? -1 : headerEnd(head, lineEnd);
  const bodyOffset = end < 0 ? head.length : end;
  const headers = lineEnd < 0 ? [] : parseHeaderLines(block.toString('latin1', lineEnd + 1, bodyOffset));
  const version = status?.[1] ?? request?.[3];
  return {
    startLine,
    ...(version !== undefined && { version }),
    ...(status && { status: Number(status[2]), reason: status[3] ?? '' }),
    ...(request && { method: request[1] ?? '', target: request[2] ?? '' }),
    headers,
    bodyOffset,
    incomplete: end < 0,
  };
}
