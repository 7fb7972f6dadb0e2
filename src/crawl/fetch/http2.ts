/** One exchange on an HTTP/2 session. Its header has no bytes of its own: they are put together as HTTP/1.1. */

import { STATUS_CODES } from 'node:http';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { type HeaderList, writeHttpHead } from '../../archive/index.ts';
import { GarnerError } from '../../core/errors.ts';
import { type ExchangeLimits, isTooSlow, type Truncation } from './answer.ts';
import type { BodyStore } from './body-store.ts';

export interface Http2Answer {
  readonly status: number;
  readonly headers: HeaderList;
  readonly storedHead: Buffer;
  readonly truncated?: Truncation;
  readonly unwanted?: true;
}

export interface Http2Exchange {
  readonly session: ClientHttp2Session;
  readonly url: URL;
  readonly headers: HeaderList;
  readonly body: BodyStore;
  readonly limits: ExchangeLimits;
  readonly wants: (status: number, headers: HeaderList) => boolean;
  readonly signal: AbortSignal | undefined;
}

/** RFC 9113 §8.2.2: of the connection, not of the message. */
const HOP_BY_HOP = /^(?:connection|host|keep-alive|transfer-encoding|upgrade|proxy-connection)$/i;

export function exchangeHttp2(exchange: Http2Exchange): Promise<Http2Answer> {
  const { session, url, body, limits, signal } = exchange;
  return new Promise((resolve, reject) => {
    const rate = { startedAt: performance.now(), received: 0 };
    let head: { status: number; headers: HeaderList } | undefined;
    let stream: ClientHttp2Stream;
    const settle = (work: () => void) => {
      clearTimeout(total);
      signal?.removeEventListener('abort', aborted);
      stream.removeAllListeners();
      stream.on('error', () => {});
      if (!stream.closed) stream.close();
      work();
    };
    const fail = (error: unknown) => settle(() => reject(error));
    const finish = (outcome: { truncated?: Truncation; unwanted?: true }) => {
      const got = head;
      if (!got)
        return fail(new GarnerError('http.interrupted', 'the host ended the exchange without an answer'));
      settle(() =>
        resolve({
          ...got,
          storedHead: writeHttpHead(
            `HTTP/1.1 ${got.status} ${STATUS_CODES[got.status] ?? ''}`.trim(),
            got.headers,
          ),
          ...outcome,
        }),
      );
    };
    const cut = (truncated: Truncation, error: GarnerError) => (head ? finish({ truncated }) : fail(error));
    const aborted = () => fail(signal?.reason);
    const total = setTimeout(
      () => cut('time', new GarnerError('http.timeout', `no answer within ${limits.exchangeMs} ms`)),
      limits.exchangeMs,
    );
    try {
      stream = session.request(
        {
          ':method': 'GET',
          ':path': url.pathname + url.search,
          ':scheme': 'https',
          ':authority': url.host,
          ...Object.fromEntries(
            exchange.headers
              .filter(([name]) => !HOP_BY_HOP.test(name))
              .map(([name, value]) => [name.toLowerCase(), value]),
          ),
        },
        { endStream: true },
      );
    } catch (cause) {
      clearTimeout(total);
      reject(new GarnerError('http.interrupted', `the session to ${url.host} ended`, { cause }));
      return;
    }
    stream.setTimeout(limits.idleMs, () =>
      cut('time', new GarnerError('http.timeout', `nothing came within ${limits.idleMs} ms`)),
    );
    stream.on('response', (headers, _flags, raw) => {
      const status = Number(headers[':status'] ?? 0);
      head = { status, headers: pairsOf(raw ?? []) };
      if (!exchange.wants(status, head.headers)) finish({ unwanted: true });
    });
    stream.on('data', (chunk: Buffer) => {
      rate.received += chunk.length;
      const room = limits.documentBytes - body.size;
      if (chunk.length > 0) body.add(chunk.length > room ? chunk.subarray(0, Math.max(0, room)) : chunk);
      if (chunk.length > room) finish({ truncated: 'length' });
      else if (isTooSlow(rate, limits)) finish({ truncated: 'time' });
    });
    stream.on('end', () => finish({}));
    stream.on('error', (error) =>
      cut(
        'disconnect',
        new GarnerError('http.interrupted', `${url.host}: ${error.message}`, { cause: error }),
      ),
    );
    stream.on('close', () =>
      cut('disconnect', new GarnerError('http.interrupted', `${url.host} ended the exchange`)),
    );
    signal?.addEventListener('abort', aborted, { once: true });
  });
}

/** Node gives names and values in turn; names with a colon belong to the protocol. */
function pairsOf(raw: readonly string[]): HeaderList {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2)
    if (raw[i]?.startsWith(':') === false) pairs.push([raw[i] ?? '', raw[i + 1] ?? '']);
  return pairs;
}
