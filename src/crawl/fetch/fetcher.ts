/** Fetches one URL, once, without following redirects: bytes as they came, within limits. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { type HeaderList, writeHttpHead } from '../../archive/index.ts';
import { GarnerError } from '../../core/errors.ts';
import type { Clock } from '../../core/time.ts';
import type { PortFor } from '../../net/host-map.ts';
import { guardedLookup, type ResolveHost, systemResolve } from '../../net/public-address.ts';
import type { ExchangeLimits, FetchAnswer, FetchRequest } from './answer.ts';
import { BodyStore } from './body-store.ts';
import { Connections } from './connections.ts';
import { exchangeHttp1, type Http1Answer } from './http1.ts';
import { exchangeHttp2 } from './http2.ts';
import { cachedResolve } from './resolve-cache.ts';

export interface FetcherOptions {
  readonly limits: ExchangeLimits;
  readonly allowPrivate: boolean;
  readonly insecureTls: boolean;
  readonly clock: Clock;
  /** For bodies too large for the memory. */
  readonly folder: string;
  readonly resolveHost?: ResolveHost;
  readonly portFor?: PortFor;
}

export interface Fetcher {
  fetch(request: FetchRequest): Promise<FetchAnswer>;
  close(): void;
}

const ANYTHING = () => true;

export function createFetcher(options: FetcherOptions): Fetcher {
  const { limits, clock } = options;
  const connections = new Connections({
    allowPrivate: options.allowPrivate,
    insecureTls: options.insecureTls,
    connectMs: limits.connectMs,
    lookup: guardedLookup(options.allowPrivate, cachedResolve(options.resolveHost ?? systemResolve, clock)),
    ...(options.portFor && { portFor: options.portFor }),
  });
  const newBody = () => new BodyStore(() => join(options.folder, `.fetch-${randomUUID()}`));

  const onHttp1 = async (request: FetchRequest, socket: Socket, requestHead: Buffer, body: BodyStore) => {
    const answer: Http1Answer = await exchangeHttp1({
      socket,
      requestHead,
      body,
      limits,
      wants: request.wants ?? ANYTHING,
      signal: request.signal,
    });
    if (answer.reusable) connections.give(request.url, socket);
    return {
      status: answer.head.status,
      headers: answer.head.headers,
      storedHead: answer.storedHead,
      notes: answer.notes,
      ...(answer.truncated && { truncated: answer.truncated }),
      ...(answer.unwanted && { unwanted: true as const }),
    };
  };

  const attempt = async (request: FetchRequest, fresh: boolean): Promise<FetchAnswer> => {
    const { url } = request;
    const connection = await connections.take(url, fresh);
    const { socket } = connection;
    const address = socket.remoteAddress;
    const startedAt = clock();
    const started = performance.now();
    const body = newBody();
    const requestHead = writeRequestHead(url, request.headers);
    try {
      const { storedHead, ...answer } =
        connection.kind === 'h1'
          ? await onHttp1(request, socket, requestHead, body)
          : {
              notes: ['header put together from HTTP/2'],
              ...(await exchangeHttp2({
                session: connection.session,
                url,
                headers: request.headers,
                body,
                limits,
                wants: request.wants ?? ANYTHING,
                signal: request.signal,
              })),
            };
      return {
        ...answer,
        requestHead,
        responseHead: storedHead,
        body: body.finish(),
        ...(address !== undefined && { address }),
        protocols: [connection.kind === 'h2' ? 'h2' : 'http/1.1', ...tlsName(socket)],
        startedAt,
        durationMs: performance.now() - started,
      };
    } catch (error) {
      body.abandon();
      // A kept connection that the host had given up meanwhile says nothing about the URL.
      const stale =
        connection.kind === 'h1' &&
        connection.reused &&
        error instanceof GarnerError &&
        error.code === 'http.interrupted' &&
        error.details.received === 0;
      if (stale) return attempt(request, true);
      throw error;
    }
  };
  return { fetch: (request) => attempt(request, false), close: () => connections.close() };
}

function writeRequestHead(url: URL, headers: HeaderList): Buffer {
  return writeHttpHead(`GET ${url.pathname}${url.search} HTTP/1.1`, [
    ['Host', url.host],
    ...headers,
    ['Connection', 'keep-alive'],
  ]);
}

/** `tls/1.3`, as WARC-Protocol has it. */
function tlsName(socket: Socket): string[] {
  const version = socket instanceof TLSSocket ? socket.getProtocol() : null;
  return version === null ? [] : [version.toLowerCase().replace('tlsv', 'tls/')];
}
