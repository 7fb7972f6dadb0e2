/**
 * HTTP/1.1 on a socket of our own: Node's client gives header values without their white space and joins
 * what came twice, while an archive keeps the bytes that came. Lenient towards servers, bounded in time.
 */
import type { Socket } from 'node:net';
import { type HeaderList, headerValue, headerValues } from '../../archive/index.ts';
import { GarnerError } from '../../core/errors.ts';
import { type ExchangeLimits, isTooSlow, type Truncation } from './answer.ts';
import type { BodyStore } from './body-store.ts';
import { type ChunkReader, createChunkReader } from './chunk-reader.ts';
import { findHeadEnd, parseResponseHead, type ResponseHead, withoutTransferCoding } from './response-head.ts';

export interface Http1Answer {
  readonly head: ResponseHead;
  readonly storedHead: Buffer;
  readonly truncated?: Truncation;
  readonly unwanted?: true;
  readonly notes: readonly string[];
  /** The socket may carry another exchange. */
  readonly reusable: boolean;
}

const MAX_HEAD_BYTES = 256 * 1024;

type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; left: number }
  | { readonly kind: 'chunked'; readonly reader: ChunkReader }
  | { readonly kind: 'close' };

export interface Http1Exchange {
  readonly socket: Socket;
  readonly requestHead: Buffer;
  readonly body: BodyStore;
  readonly limits: ExchangeLimits;
  readonly wants: (status: number, headers: HeaderList) => boolean;
  readonly signal: AbortSignal | undefined;
}

export function exchangeHttp1(exchange: Http1Exchange): Promise<Http1Answer> {
  const { socket, body, limits, signal } = exchange;
  return new Promise((resolve, reject) => {
    const rate = { startedAt: performance.now(), received: 0 };
    const notes: string[] = [];
    let gathered: Buffer = Buffer.alloc(0);
    let searched = 0;
    let head: ResponseHead | undefined;
    let framing: Framing = { kind: 'close' };

    const release = () => {
      clearTimeout(total);
      socket.setTimeout(0);
      socket.removeAllListeners('data').removeAllListeners('end').removeAllListeners('close');
      socket.removeAllListeners('timeout').removeAllListeners('error');
      // A socket that waits for its next exchange may break at any time.
      socket.on('error', () => socket.destroy());
      signal?.removeEventListener('abort', aborted);
    };
    const fail = (error: unknown) => {
      release();
      socket.destroy();
      reject(error);
    };
    const finish = (outcome: { truncated?: Truncation; unwanted?: true; reusable?: boolean }) => {
      if (!head) return;
      release();
      const reusable =
        outcome.reusable === true && !outcome.truncated && keepsAlive(head) && !socket.destroyed;
      if (!reusable) socket.destroy();
      const coded = framing.kind === 'chunked';
      if (coded) notes.push('transfer-encoding: chunked (undone)');
      resolve({
        head,
        storedHead: coded ? withoutTransferCoding(head.bytes) : head.bytes,
        ...(outcome.truncated && { truncated: outcome.truncated }),
        ...(outcome.unwanted && { unwanted: true }),
        notes,
        reusable,
      });
    };
    /** What has a header is kept; without one there is nothing to keep. */
    const cut = (truncated: Truncation, error: GarnerError) => {
      if (head) finish({ truncated });
      else fail(error);
    };

    const takeHead = (): ResponseHead | undefined => {
      for (;;) {
        const end = findHeadEnd(gathered, Math.max(0, searched - 3));
        searched = gathered.length;
        if (end < 0) {
          if (gathered.length > MAX_HEAD_BYTES)
            throw new GarnerError('http.too-large', `the header is larger than ${MAX_HEAD_BYTES} bytes`);
          if (gathered.length > 8 && !/^HTTP\//i.test(gathered.toString('latin1', 0, 8)))
            throw new GarnerError(
              'source.answer',
              `this is no HTTP: ${JSON.stringify(gathered.toString('latin1', 0, 60))}`,
            );
          return undefined;
        }
        const parsed = parseResponseHead(gathered.subarray(0, end));
        gathered = gathered.subarray(end);
        searched = 0;
        // Interim answers: 100 Continue, 103 Early Hints.
        if (parsed.status >= 200 || parsed.status === 101) {
          head = parsed;
          return parsed;
        }
      }
    };

    const takeBody = (input: Buffer) => {
      if (framing.kind === 'none') {
        if (input.length > 0) notes.push('bytes behind the end of the answer');
        return finish({ reusable: input.length === 0 });
      }
      let parts: readonly Buffer[] = [input];
      let rest: Buffer | undefined;
      if (framing.kind === 'length') {
        parts = [input.subarray(0, framing.left)];
        rest = input.length >= framing.left ? input.subarray(framing.left) : undefined;
        framing.left -= parts[0]?.length ?? 0;
      } else if (framing.kind === 'chunked')
        ({ parts, rest } = { rest: undefined, ...framing.reader.push(input) });
      for (const part of parts) {
        const room = limits.documentBytes - body.size;
        if (part.length > 0) body.add(part.length > room ? part.subarray(0, Math.max(0, room)) : part);
        if (part.length > room) return finish({ truncated: 'length' });
      }
      if (rest === undefined) return;
      if (rest.length > 0) notes.push('bytes behind the end of the answer');
      finish({ reusable: rest.length === 0 });
    };

    const received = (chunk: Buffer) => {
      rate.received += chunk.length;
      try {
        if (head) takeBody(chunk);
        else {
          gathered = gathered.length === 0 ? chunk : Buffer.concat([gathered, chunk]);
          const found = takeHead();
          if (!found) {
            if (isTooSlow(rate, limits)) throw tooSlow();
            return;
          }
          framing = framingOf(found, notes);
          if (!exchange.wants(found.status, found.headers)) return finish({ unwanted: true });
          takeBody(gathered);
        }
        if (isTooSlow(rate, limits) && !socket.destroyed && socket.listenerCount('data') > 0)
          cut('time', tooSlow());
      } catch (error) {
        fail(error);
      }
    };

    const ended = () => {
      if (!head)
        return fail(
          new GarnerError('http.interrupted', 'the host closed the connection without an answer', {
            details: { received: rate.received },
          }),
        );
      if (framing.kind === 'chunked' && framing.reader.verdict() === 'raw')
        notes.push('says chunked, is not');
      const whole =
        framing.kind === 'close' || (framing.kind === 'chunked' && framing.reader.verdict() === 'raw');
      finish(whole ? {} : { truncated: 'disconnect' });
    };
    const aborted = () => fail(signal?.reason);

    const total = setTimeout(
      () => cut('time', new GarnerError('http.timeout', `no answer within ${limits.exchangeMs} ms`)),
      limits.exchangeMs,
    );
    socket.removeAllListeners('error').removeAllListeners('timeout').removeAllListeners('close');
    socket.on('data', received);
    socket.on('end', ended);
    socket.on('close', ended);
    socket.on('error', (error) => {
      if (head) finish({ truncated: 'disconnect' });
      else
        fail(
          new GarnerError('http.interrupted', `the connection broke: ${error.message}`, {
            cause: error,
            details: { received: rate.received },
          }),
        );
    });
    socket.setTimeout(limits.idleMs, () =>
      cut('time', new GarnerError('http.timeout', `nothing came within ${limits.idleMs} ms`)),
    );
    if (signal?.aborted) return aborted();
    signal?.addEventListener('abort', aborted, { once: true });
    socket.write(exchange.requestHead);
  });
}

const tooSlow = () => new GarnerError('http.timeout', 'the host sends its answer too slowly');

function framingOf({ status, headers }: ResponseHead, notes: string[]): Framing {
  if (status === 204 || status === 304 || status === 101) return { kind: 'none' };
  const transfer = headerValues(headers, 'Transfer-Encoding').join(',').toLowerCase();
  if (transfer.includes('chunked')) return { kind: 'chunked', reader: createChunkReader() };
  const lengths = new Set(headerValues(headers, 'Content-Length').flatMap((value) => value.split(/\s*,\s*/)));
  const [length = ''] = lengths;
  if (lengths.size > 1) notes.push('several Content-Lengths; read to the end of the connection');
  if (lengths.size !== 1 || !/^\d{1,15}$/.test(length)) return { kind: 'close' };
  return Number(length) === 0 ? { kind: 'none' } : { kind: 'length', left: Number(length) };
}

function keepsAlive({ version, headers }: ResponseHead): boolean {
  const connection = headerValue(headers, 'Connection')?.toLowerCase() ?? '';
  return version >= 11 ? !connection.includes('close') : connection.includes('keep-alive');
}
