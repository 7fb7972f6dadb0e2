/** A product on its way: whole or in part, or word that the client has it already. */
import { Readable } from 'node:stream';
import { asGarnerError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { ByteRange, ProductForm } from '../federate/servers/product.ts';
import { parseByteRange } from './byte-range.ts';
import { type HttpContext, targetOf } from './context.ts';
import { FOREIGN_BYTES_POLICY, matchesTag } from './headers.ts';

/** `discard`: when its bytes are not read after all. */
export function productResponse(
  c: HttpContext,
  form: ProductForm,
  log: Log,
  discard: (() => void) | undefined,
): Response {
  const { size, tag, modifiedAt, mediaType } = form;
  const etag = tag === undefined ? undefined : `"${tag}"`;
  const headers: Record<string, string> = {
    'content-type': mediaType,
    'content-disposition': disposition(form.fileName),
    'content-security-policy': FOREIGN_BYTES_POLICY,
    'accept-ranges': size === undefined ? 'none' : 'bytes',
    ...(etag !== undefined && { etag }),
    ...(modifiedAt !== undefined && { 'last-modified': new Date(modifiedAt).toUTCString() }),
  };
  const empty = (status: 200 | 304 | 416, more: Record<string, string> = {}) => {
    discard?.();
    return c.body(null, status, { ...headers, ...more });
  };
  const known = c.req.header('if-none-match');
  if (known !== undefined && etag !== undefined && matchesTag(known, etag)) return empty(304);
  if (size === undefined) {
    if (c.req.method === 'HEAD') return empty(200);
    return c.body(streamBytes(c, form.open(), log), 200, headers);
  }
  const range = readRange(c, size, etag);
  if (range === 'unsatisfiable') return empty(416, { 'content-range': `bytes */${size}` });
  const { start, end } = range ?? { start: 0, end: size };
  const length = { 'content-length': String(end - start) };
  const part = { ...length, 'content-range': `bytes ${start}-${end - 1}/${size}` };
  if (c.req.method === 'HEAD') return empty(200, length);
  const body = streamBytes(c, range ? form.open(range) : form.open(), log);
  return range ? c.body(body, 206, { ...headers, ...part }) : c.body(body, 200, { ...headers, ...length });
}

/** A range of what has changed meanwhile would not fit to the rest (RFC 9110 §13.1.5). */
function readRange(
  c: HttpContext,
  size: number,
  etag: string | undefined,
): ByteRange | 'unsatisfiable' | undefined {
  const condition = c.req.header('if-range');
  // Dates are not precise enough for parts; with one the whole is sent.
  if (c.req.method !== 'GET' || (condition !== undefined && condition !== etag)) return undefined;
  return parseByteRange(c.req.header('range'), size);
}

export function streamBytes(
  c: HttpContext,
  pieces: AsyncIterable<Uint8Array>,
  log: Log,
): ReadableStream<Uint8Array> {
  return Readable.toWeb(
    Readable.from(reported(c, pieces, log), { objectMode: false }),
  ) as ReadableStream<Uint8Array>;
}

/** A failure after the headers can only cut the answer short; the log says why. */
async function* reported(
  c: HttpContext,
  pieces: AsyncIterable<Uint8Array>,
  log: Log,
): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    log('http.failed', { method: c.req.method, path: targetOf(c), error: asGarnerError(error) });
    throw error;
  }
}

/** RFC 6266: a plain name for all, the real one for those who understand it. */
function disposition(fileName: string): string {
  const name = fileName.slice(fileName.lastIndexOf('/') + 1).toWellFormed();
  const plain = name.replace(/[^ !#-[\]-~]/g, '_');
  const exact =
    plain === name ? '' : `; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, percent)}`;
  return `inline; filename="${plain}"${exact}`;
}

const percent = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
