/** Documents that are written while they are sent, so many at once. */
import { asGarnerError, GarnerError } from '../core/errors.ts';
import type { ListDocument } from '../publish/listing/document.ts';
import type { ListGate } from '../publish/oai/list-gate.ts';
import { streamPieces } from '../publish/oai/pull-stream.ts';
import { type HttpContext, targetOf } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { matchesTag } from './headers.ts';

const BUSY_RETRY_SECONDS = '10';

export function documentResponse(
  c: HttpContext,
  document: ListDocument,
  gate: ListGate,
  log: HttpDeps['log'],
): Response {
  const { etag, lastModifiedAt, fileName } = document;
  const headers: Record<string, string> = {
    'content-type': document.mediaType,
    etag,
    ...(lastModifiedAt !== undefined && { 'last-modified': new Date(lastModifiedAt).toUTCString() }),
    ...(fileName !== undefined && { 'content-disposition': `attachment; filename="${fileName}"` }),
  };
  const known = c.req.header('if-none-match');
  if (known !== undefined && matchesTag(known, etag)) return new Response(null, { status: 304, headers });
  if (c.req.method === 'HEAD') return new Response(null, { headers });
  const place = gate.enter(() =>
    pulled.abort(new GarnerError('request.timeout', 'the client stopped reading')),
  );
  if (!place)
    return new Response('too many lists are being read; come again soon\n', {
      status: 503,
      headers: { 'retry-after': BUSY_RETRY_SECONDS, 'content-type': 'text/plain; charset=utf-8' },
    });
  const pulled = streamPieces(reported(document.pieces()), {
    pulled: () => place.touch(),
    ended: () => place.leave(),
  });
  return new Response(pulled.stream, { headers });

  /** A failure after the headers can only cut the answer short; the log says why. */
  async function* reported(
    pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  ): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    try {
      yield* pieces;
    } catch (error) {
      log('http.failed', { method: c.req.method, path: targetOf(c), error: asGarnerError(error) });
      throw error;
    }
  }
}
